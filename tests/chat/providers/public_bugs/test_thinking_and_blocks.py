"""Rows 7, 14, 17, 20, 21, 25 and 41: what must go back as it was, and what must not."""

import itertools
from typing import Any

import pytest

from chat.engine import Limits, Message, ModelReplied, Role, StopReason, Task
from chat.providers.server_search import ServerSearch
from tests.chat.providers.public_bugs.playing import (
    SEARCH,
    URL,
    cited_text,
    journaled,
    kinds,
    play,
    reader,
    remembered,
    texts,
)
from tests.chat.providers.public_bugs.streaming import delta, start, stop, stream
from tests.fakes.model_server import Reply, call, say
from tests.fakes.model_server.replies import (
    cited,
    hit,
    mint,
    redacted,
    search,
    text,
    thinking,
)

BOTH = pytest.mark.parametrize("streams", [False, True])
BOUND = "claude-opus-5-5"
OLD = "claude-sonnet-4-5"
ORDERS = list(itertools.permutations(["citations", "text", "type"]))
BUDGET = {"type": "enabled", "budget_tokens": 2_000}


@BOTH
@pytest.mark.parametrize("content", [[text("")], []], ids=["blank", "none"])
def test_bug_07_an_empty_text_is_never_sent_back(content: Any, streams: bool) -> None:
    """anthropic-sdk-python#461, buzz#559, litellm#22979: the API writes it, then
    refuses it in every later turn."""
    script = [say(call("read_file", path="a")), say(*content), say("4 m")]
    played = play(script, reader(), stream=streams)
    assert played.result.output == "4 m"
    assert played.result.report.counters.empty_replies == 1
    # The empty reply is gone; the word about it stands behind the results.
    assert played.roles(2) == ["user", "assistant", "user"]
    assert kinds(played.sent(2)[-1]) == ["tool_result", "text"]


@BOTH
def test_bug_07_an_empty_text_beside_a_call_goes_and_the_call_stays(
    streams: bool,
) -> None:
    """buzz#559: the empty block stood before a tool_use."""
    script = [say("", call("read_file", path="a")), say("4 m")]
    played = play(script, reader(), stream=streams)
    assert kinds(played.sent(1)[1]) == ["tool_use"]


def test_bug_07_a_conversation_with_an_empty_text_in_its_store_is_not_lost() -> None:
    """litellm#22979: once stored, it was refused for ever."""
    empty = Message(Role.ASSISTANT, "", raw={"content": [text("")]})
    earlier = (Message.user("first"), empty, Message.user("again"))
    played = play([say("4 m")], task=Task("third", messages=earlier))
    assert played.result.output == "4 m"
    assert [texts(each) for each in played.sent(0)] == [["first", "again", "third"]]


@BOTH
@pytest.mark.row("A10")
def test_bug_14_what_the_server_found_is_in_the_next_question_too(
    streams: bool,
) -> None:
    """openai-agents-js#1542: its blocks were lost, and only the cited text sent on."""
    answer = say(*search("tides", hit(URL)), "It is ", cited("4 m", URL), ".")
    first = play([answer], search=SEARCH, stream=streams)
    task = Task("And low?", messages=remembered(first, "How high?"))
    second = play([say("1 m")], task=task, after=first, search=SEARCH, stream=streams)
    back = [_plain(block) for block in second.sent(0)[1]["content"]]
    assert back == [_plain(block) for block in answer.body["content"]]


def _plain(block: Any) -> Any:
    # An absent list of citations may come back as an empty one.
    return {key: value for key, value in block.items() if value != []}


@pytest.mark.row("A10")
@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_bug_17_a_block_is_read_whatever_key_it_begins_with(
    order: tuple[str, ...],
) -> None:
    """neuron PR#108: a parser that expects type and text first lost cited blocks."""
    words = [f"Sentence {n}, with its source. " for n in range(5)]
    blocks = [{key: cited(each, URL)[key] for key in order} for each in words]
    assert list(blocks[0]) == list(order)
    script = [say(*search("tides", hit(URL)), *blocks)]
    result = play(script, search=SEARCH, stream=False).result
    assert result.output == "".join(words)
    assert cited_text(result) == [(each, URL) for each in words]


@BOTH
def test_bug_20_thinking_goes_back_with_its_signature_also_where_it_is_blank(
    streams: bool,
) -> None:
    """dify#41092, langchain4j#6244, hermes-agent#4626, openai-agents-python#4155: the
    signature was lost, or omitted thinking dropped for blank."""
    thoughts = [thinking("Hm."), thinking(""), redacted()]
    script = [say(*thoughts, call("read_file", path="a")), say("4 m")]
    played = play(script, reader(), model=BOUND, stream=streams)
    assert played.sent(1)[1]["content"][:3] == thoughts


@pytest.mark.parametrize("signed", [{}, {"signature": ""}], ids=["none", "empty"])
def test_bug_21_thinking_without_a_signature_is_not_sent_back(signed: Any) -> None:
    """claude-code#26542: signature: Field required, in every later turn."""
    unsigned = {"type": "thinking", "thinking": "Hm.", **signed}
    raw = {"content": [unsigned, text("First.")]}
    earlier = (Message.user("first"), Message(Role.ASSISTANT, "First.", raw=raw))
    played = play([say("4 m")], task=Task("second", messages=earlier))
    assert played.result.output == "4 m"
    assert kinds(played.sent(0)[1]) == ["text"]


def test_bug_21_thinking_that_was_cut_before_its_signature_is_not_sent_back() -> None:
    """claude-code#26542: a reply that ends at max_tokens has no signature yet."""
    unsigned = {"type": "thinking", "thinking": "", "signature": ""}
    words = delta(0, "thinking_delta", thinking="Hm.")
    cut = stream(start(0, unsigned), words, stop(0), reason="max_tokens")
    played = play([cut, say("4 m")], model=BOUND)
    assert played.result.output == "4 m"
    assert "thinking" not in str(played.sent(1))


@BOTH
def test_bug_25_what_is_encrypted_comes_back_to_the_last_byte(streams: bool) -> None:
    """senpi PR#150, strands harness-sdk#3568: long strings were stripped or cut."""
    long = {**hit(URL), "encrypted_content": mint("E" * 30_000)}
    found = search("tides", long)
    reads = [say(call("read_file", path=str(n))) for n in range(4)]
    script = [say(*found, cited("4 m", URL), call("read_file", path="x")), *reads]
    played = play(
        [*script, say("4 m")],
        reader("line\n" * 6_000),
        search=SEARCH,
        stream=streams,
        limits=Limits(window=40_000),
    )
    # Own results were put aside meanwhile.
    assert played.result.report.counters.masks > 0
    for number in range(1, 5):
        blocks = [b for message in played.sent(number) for b in message["content"]]
        back = [b for b in blocks if b["type"] == "web_search_tool_result"]
        assert back in ([], [found[1]])
    assert played.sent(1)[1]["content"][1] == found[1]


def _started_without_thinking() -> list[Any]:
    turn = say("I read it. ", call("read_file", path="a"))
    whole = play([turn, say("Never heard.")], reader(), model=OLD)
    replied = [n for n, e in enumerate(whole.events) if isinstance(e, ModelReplied)]
    return journaled(whole.events[: replied[0] + 1])


def test_bug_41_thinking_is_switched_on_over_a_turn_that_had_none() -> None:
    """loomcycle#617: a final assistant message must start with a thinking block."""
    script = [say(call("read_file", path="b")), say("4 m")]
    history = _started_without_thinking()
    played = play(script, reader(), model=OLD, thinking=BUDGET, history=history)
    assert played.result.output == "4 m"
    assert ["thinking" in body for body in played.bodies] == [False, False]


def test_bug_41_a_last_turn_whose_tools_are_others_is_accepted_too() -> None:
    """loomcycle#617: the same where the thinking had to be left out."""
    script = [say(thinking("Hm."), call("read_file", path="a")), say("So.")]
    played = play(
        script,
        reader(),
        model=OLD,
        thinking=BUDGET,
        search=ServerSearch(),
        limits=Limits(iterations=1),
    )
    assert played.result.stop is StopReason.ITERATION_LIMIT
    assert played.result.output == "So."
    assert ["thinking" in body for body in played.bodies] == [True, False]


def test_bug_41_thinking_that_goes_on_leads_every_turn() -> None:
    """loomcycle#617: what a history of its own looks like."""

    def answer(request: Any) -> Reply:
        calls = [m for m in request.body["messages"] if m["role"] == "assistant"]
        if len(calls) == 3:
            return say("4 m")
        return say(thinking("Hm."), call("read_file", path=str(len(calls))))

    played = play(answer, reader(), model=OLD, thinking=BUDGET)
    assert [body["thinking"] for body in played.bodies] == [BUDGET] * 4
    replies = [m for m in played.sent(3) if m["role"] == "assistant"]
    assert [kinds(each) for each in replies] == [["thinking", "tool_use"]] * 3
