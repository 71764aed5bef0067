"""Rows 5, 6, 10, 11, 15, 16 and 40: what streams bring, and what is counted of it."""

from decimal import Decimal
from typing import Any

import pytest

from chat.engine import ErrorKind, ModelFailed, Status, StopReason, TextDelta, Usage
from chat.providers.anthropic import AnthropicModel
from tests.chat.providers.public_bugs.playing import (
    MODEL,
    SEARCH,
    URL,
    cited_text,
    noting,
    play,
)
from tests.chat.providers.public_bugs.streaming import delta, start, stop, stream
from tests.fakes.model_server import KEY, call, say
from tests.fakes.model_server.replies import citation, cited, hit, search
from tests.fakes.model_server.values import Frame

OTHER = "https://beta.example.org/q"
TEXT = {"type": "text", "text": ""}


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chat.engine.model_turn.FIRST_BACKOFF_S", 0.001)


@pytest.mark.row("B13")
def test_bug_05_an_overload_in_mid_stream_is_tried_again_though_it_came_with_200() -> (
    None
):
    """anthropic-sdk-python#1258: it looks like status 200, so that nobody retried."""
    answer = say("The tide is 4 m high.")
    played = play([answer.streamed(piece=4, error_after=5), answer])
    assert played.result.output == "The tide is 4 m high."
    [failed] = [each for each in played.events if isinstance(each, ModelFailed)]
    assert failed.error_kind is ErrorKind.OVERLOADED
    assert "overloaded_error" in failed.message
    assert played.result.report.counters.retries == 1


@pytest.mark.row("A9")
@pytest.mark.row("B13")
def test_bug_06_half_an_answer_is_never_kept_for_a_whole_one() -> None:
    """agent-os#2137, Marinara#2659, gptel#1512, omadia#122: the turn was saved done."""
    answer = say("The tide is 4 m high, they say.")
    breaks: list[dict[str, Any]] = [
        {"error_after": 7, "error": "api_error"},
        {"end_after": 5},
        {"cut_after": 5},
    ]
    played = play([answer.streamed(piece=4, **each) for each in breaks])
    assert any(isinstance(each, TextDelta) for each in played.events)
    assert played.result.output == ""
    assert played.result.stop is StopReason.PROVIDER_UNAVAILABLE
    assert played.result.status is Status.ERROR
    # Nothing of the pieces is in what is sent again.
    assert [body["messages"] for body in played.bodies] == [played.sent(0)] * 3


def _parallel() -> list[Frame]:
    """Two calls of one tool, their pieces in turn."""
    calls = [
        {"type": "tool_use", "id": f"toolu_{n}", "name": "read_file", "input": {}}
        for n in (1, 2)
    ]
    pieces = [
        (1, ""),
        (2, ""),
        (1, '{"path": '),
        (2, '{"pa'),
        (2, 'th": "b"'),
        (1, '"a"}'),
    ]
    return [
        start(0, TEXT),
        delta(0, "text_delta", text="Both."),
        stop(0),
        *(start(n, block) for n, block in enumerate(calls, 1)),
        *(delta(n, "input_json_delta", partial_json=piece) for n, piece in pieces),
        delta(2, "input_json_delta", partial_json="}"),
        stop(1),
        stop(2),
    ]


@pytest.mark.row("A11")
def test_bug_10_streamed_calls_of_one_tool_keep_their_own_ids_and_inputs() -> None:
    """anthropic-sdk-csharp#53: keyed by name, they had the same id or merged inputs."""
    read: list[str] = []
    script = [stream(*_parallel(), reason="tool_use"), say("Done.")]
    played = play(script, noting(read))
    [reply, _] = played.replies
    asked = [(each.id, each.arguments) for each in reply.calls]
    assert asked == [("toolu_1", {"path": "a"}), ("toolu_2", {"path": "b"})]
    answers = [
        (each["tool_use_id"], each["content"]) for each in played.sent(1)[-1]["content"]
    ]
    assert answers == [("toolu_1", "text of a"), ("toolu_2", "text of b")]


def test_bug_11_counts_of_a_stream_are_not_added_up() -> None:
    """anthropic-sdk-csharp#74, one-api-pro#13, tensorzero#5481: message_start and
    message_delta gave twice the tokens."""
    counts = [
        {"input_tokens": 2679, "output_tokens": 1},
        {"input_tokens": 2679, "output_tokens": 60},
        {"input_tokens": 2679, "output_tokens": 118},
    ]
    words = (start(0, TEXT), delta(0, "text_delta", text="4 m"), stop(0))
    played = play([stream(*words, counts=counts)])
    assert played.result.output == "4 m"
    counters = played.result.report.counters
    assert (counters.input_tokens, counters.output_tokens) == (2679, 118)
    assert played.result.report.cost == Decimal("0.006538")


@pytest.mark.parametrize("streams", [False, True])
def test_bug_11_every_response_of_a_paused_turn_counts_once(streams: bool) -> None:
    """agent-framework#7143: the counts so far were added again at each pause."""
    none = {"cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}
    used = [{"input_tokens": n, "output_tokens": n // 10, **none} for n in (100, 200)]
    script = [
        say(*search("tides", hit(URL)), stop="pause_turn", usage=used[0]),
        say("4 m", usage=used[1]),
    ]
    counters = play(script, search=SEARCH, stream=streams).result.report.counters
    assert (counters.input_tokens, counters.output_tokens) == (300, 30)


@pytest.mark.row("A10")
def test_bug_15_citations_before_the_first_word_of_a_block_are_kept() -> None:
    """LibreChat agents#407: a block that had no text yet was not worth a citation."""
    both = [citation(URL, "4 m"), citation(OTHER, "four metres")]
    script = [
        stream(
            start(0, TEXT),
            delta(0, "text_delta", text="It is "),
            stop(0),
            start(1, {**TEXT, "citations": []}),
            *(delta(1, "citations_delta", citation=each) for each in both),
            delta(1, "text_delta", text="4 m"),
            stop(1),
        )
    ]
    result = play(script).result
    assert result.output == "It is 4 m"
    assert cited_text(result) == [("4 m", URL), ("4 m", OTHER)]


@pytest.mark.row("A10")
@pytest.mark.parametrize("streams", [False, True])
def test_bug_16_citations_of_many_blocks_survive_a_stream_and_the_way_back(
    streams: bool,
) -> None:
    """langchain-google#1845, stdapi.ai#229, litellm#38696, agent-framework-go#681:
    lost in the stream or in translation."""
    answer = say(
        *search("tides", hit(URL), hit(OTHER)),
        "High: ",
        cited("4 m", URL),
        ", low: ",
        cited("1 m", OTHER),
        call("read_file", path="a"),
    )
    played = play([answer, say("Noted.")], noting([]), search=SEARCH, stream=streams)
    reply = played.replies[0]
    quoted = [(reply.text[c.start : c.end], c.source) for c in reply.citations]
    assert quoted == [("4 m", URL), ("1 m", OTHER)]
    back = [b for b in played.sent(1)[1]["content"] if b.get("citations")]
    sent = [block for block in answer.body["content"] if block.get("citations")]
    assert back == sent


@pytest.mark.row("A10")
def test_bug_16_a_citation_after_the_last_word_is_kept_as_well() -> None:
    """agent-framework-go#681: a delta of another kind ended the block."""
    script = [
        stream(
            start(0, TEXT),
            delta(0, "text_delta", text="4 "),
            delta(0, "citations_delta", citation=citation(URL, "4 m")),
            delta(0, "text_delta", text="m"),
            delta(0, "citations_delta", citation=citation(OTHER, "4 m")),
            stop(0),
        )
    ]
    result = play(script).result
    assert cited_text(result) == [("4 m", URL), ("4 m", OTHER)]


@pytest.mark.parametrize("told", [{"web_search_requests": 0}, None])
def test_bug_40_a_search_that_did_not_run_costs_nothing(told: Any) -> None:
    """litellm#10384: the fee was counted though no search had run."""
    usage = {
        "input_tokens": 1000,
        "output_tokens": 100,
        "cache_read_input_tokens": 0,
        "cache_creation_input_tokens": 0,
        "server_tool_use": told,
    }
    script = [say(*search("tides", error="unavailable"), "From memory.", usage=usage)]
    result = play(script, search=SEARCH).result
    assert result.output == "From memory."
    assert result.report.counters.searches == 0
    # It was asked for, which is told of, and it failed, which is told of too.
    assert result.report.counters.server_calls == 1
    assert result.report.counters.fallbacks == 1
    unsearched = AnthropicModel(MODEL, api_key=KEY).price(Usage(1000, 100))
    assert result.report.cost == unsearched == Decimal("0.003")


def test_bug_40_a_search_that_ran_costs_its_fee() -> None:
    """litellm#10384, the other way round: one search is a cent."""
    usage = {
        "input_tokens": 1000,
        "output_tokens": 100,
        "cache_read_input_tokens": 0,
        "cache_creation_input_tokens": 0,
    }
    script = [say(*search("tides", hit(URL)), cited("4 m", URL), usage=usage)]
    assert play(script, search=SEARCH).result.report.cost == Decimal("0.013")
