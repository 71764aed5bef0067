"""What is read from a message: text, citations, calls, usage and why it stopped."""

from typing import Any

import pytest

from chat.engine import ErrorKind, ModelError, ReplyStop, Usage
from chat.providers.anthropic.reply import read_reply
from chat.providers.server_search import ServerSearch
from tests.chat.providers.anthropic.wire import ask, talking
from tests.fakes.model_server import call, say
from tests.fakes.model_server.replies import cited, hit, search, text, thinking

URL = "https://alpha.example.org/p"
LOCATIONS: list[tuple[dict[str, Any], str, str]] = [
    (
        {
            "type": "web_search_result_location",
            "url": URL,
            "title": None,
            "cited_text": "4 m",
            "encrypted_index": "E",
        },
        URL,
        "",
    ),
    (
        {
            "type": "search_result_location",
            "source": "index://17",
            "title": "Record 17",
            "cited_text": "4 m",
            "search_result_index": 0,
            "start_block_index": 0,
            "end_block_index": 1,
        },
        "index://17",
        "Record 17",
    ),
    (
        {
            "type": "char_location",
            "document_index": 0,
            "document_title": "A page",
            "start_char_index": 0,
            "end_char_index": 3,
            "cited_text": "4 m",
        },
        "A page",
        "A page",
    ),
    (
        {"type": "page_location", "document_index": 2, "cited_text": "4 m"},
        "document 2",
        "",
    ),
    (
        {"type": "content_block_location", "file_id": "file_1", "cited_text": "4 m"},
        "file_1",
        "",
    ),
    ({"type": "new_location", "url": URL, "cited_text": "4 m"}, URL, ""),
]


def message(*content: Any, **fields: Any) -> dict[str, Any]:
    return {"content": list(content), "stop_reason": "end_turn", **fields}


@pytest.mark.row("A10")
def test_a_block_that_begins_with_its_citations_loses_nothing() -> None:
    words = [f"Sentence {n} of the answer, with its source. " for n in range(100)]
    blocks = [cited(each, URL) for each in words]
    assert next(iter(blocks[0])) == "citations"
    script = [say(*search("a", hit(URL)), *blocks)]
    with talking(script, search=ServerSearch()) as (model, _):
        reply = model.complete(ask())
    assert reply.text == "".join(words)
    quoted = [reply.text[each.start : each.end] for each in reply.citations]
    assert quoted == words


@pytest.mark.row("A10")
def test_a_citation_is_read_whatever_the_order_of_its_blocks_keys() -> None:
    block = cited("4 m", URL)
    for keys in (sorted(block), sorted(block, reverse=True)):
        reply = read_reply(message({key: block[key] for key in keys}), "")
        assert (reply.text, len(reply.citations)) == ("4 m", 1)


@pytest.mark.row("A10")
@pytest.mark.parametrize(
    ("raw", "source", "title"), LOCATIONS, ids=lambda value: str(value)[:20]
)
def test_every_kind_of_citation_is_one_value_with_its_own_form_kept(
    raw: dict[str, Any], source: str, title: str
) -> None:
    reply = read_reply(message(text("It is "), text("4 m", raw)), "")
    (citation,) = reply.citations
    assert (citation.kind, citation.raw) == (raw["type"], raw)
    assert (citation.start, citation.end) == (6, 9)
    assert (citation.source, citation.title, citation.cited) == (source, title, "4 m")


def test_two_citations_of_one_text_are_of_the_same_stretch() -> None:
    both = [LOCATIONS[0][0], LOCATIONS[1][0]]
    reply = read_reply(message(text("4 m", *both)), "")
    assert [(each.start, each.end) for each in reply.citations] == [(0, 3), (0, 3)]


@pytest.mark.row("A10")
def test_blocks_that_nobody_knows_are_kept_and_passed_over() -> None:
    unknown = {"type": "hologram", "text": "not this", "id": "h1"}
    reply = read_reply(message(text("This."), unknown), "")
    assert reply.text == "This."
    assert reply.raw["content"][1] == unknown


@pytest.mark.parametrize(
    ("reason", "stop"),
    [
        ("end_turn", ReplyStop.END_TURN),
        ("stop_sequence", ReplyStop.END_TURN),
        ("pause_turn", ReplyStop.PAUSE),
        ("max_tokens", ReplyStop.MAX_TOKENS),
        ("model_context_window_exceeded", ReplyStop.WINDOW),
        ("refusal", ReplyStop.REFUSAL),
        ("tool_use", ReplyStop.END_TURN),
        ("compaction", ReplyStop.END_TURN),
    ],
)
def test_each_reason_to_stop_is_one_of_ours(reason: str, stop: ReplyStop) -> None:
    assert read_reply(message(text("A"), stop_reason=reason), "").stop is stop


def test_a_reason_that_nobody_knows_is_reported() -> None:
    reply = read_reply(message(text("A"), stop_reason="compaction"), "")
    assert reply.notices == ("stop_reason_compaction",)


def test_a_call_is_one_however_the_message_says_it_stopped() -> None:
    reply = read_reply(message(call("read_file", path="a")), "")
    assert reply.stop is ReplyStop.TOOL_USE


def test_a_refusal_says_its_category_and_discards_what_was_written() -> None:
    details = {"type": "refusal", "category": "cyber", "explanation": "Declined."}
    refusal = message(text("Well"), stop_reason="refusal", stop_details=details)
    reply = read_reply(refusal, "")
    assert (reply.text, reply.raw) == ("", None)
    assert reply.detail == "cyber: Declined."


def test_a_refusal_without_details_says_so() -> None:
    reply = read_reply(message(stop_reason="refusal", stop_details=None), "")
    assert reply.detail == "no reason was given"


def test_a_full_window_with_nothing_written_is_an_overflow() -> None:
    full = message(stop_reason="model_context_window_exceeded")
    with pytest.raises(ModelError) as failed:
        read_reply(full, "")
    assert failed.value.kind is ErrorKind.CONTEXT_OVERFLOW


@pytest.mark.parametrize("content", [[], [text("")]])
def test_an_empty_reply_has_nothing_to_send_back(content: Any) -> None:
    assert read_reply(message(*content), "").raw is None


def test_arguments_that_are_broken_text_stay_text() -> None:
    broken = {**call("read_file"), "input": '{"path": "a'}
    whole = {**call("read_file"), "input": '{"path": "a"}'}
    reply = read_reply(message(broken, whole), "")
    assert [each.arguments for each in reply.calls] == ['{"path": "a', {"path": "a"}]


def test_tokens_and_searches_are_read_as_they_are_billed() -> None:
    usage = {
        "input_tokens": 10,
        "output_tokens": 4,
        "cache_creation_input_tokens": 300,
        "cache_read_input_tokens": 20,
        "cache_creation": {
            "ephemeral_5m_input_tokens": 100,
            "ephemeral_1h_input_tokens": 200,
        },
        "server_tool_use": {"web_search_requests": 2, "web_fetch_requests": 1},
    }
    reply = read_reply(message(text("A"), usage=usage), "")
    assert reply.usage == Usage(10, 4, 20, 300, 200, 2)


def test_a_reply_without_usage_has_an_unknown_one() -> None:
    assert read_reply(message(text("A")), "").usage is None
    half = {"input_tokens": 1, "server_tool_use": None, "cache_creation": None}
    assert read_reply(message(text("A"), usage=half), "").usage is None
    none = {**half, "output_tokens": 0}
    assert read_reply(message(text("A"), usage=none), "").usage == Usage(1)


def test_thinking_is_no_text() -> None:
    reply = read_reply(message(thinking("Hm."), text("A")), "")
    assert reply.text == "A"
    assert len(reply.raw["content"]) == 2
