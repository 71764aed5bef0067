"""Turns that are not finished: pauses, searches still at work, and cut calls."""

from typing import Any

import pytest

from chat.engine import (
    Limits,
    Message,
    Plugin,
    ReplyStop,
    Task,
    execute,
)
from chat.providers.anthropic.reply import read_reply
from chat.providers.server_search import ServerSearch
from tests.chat.providers.anthropic.wire import (
    ask,
    read_file,
    results,
    said,
    talking,
)
from tests.fakes.model_server import ModelServer, call, failure, refused, say
from tests.fakes.model_server.replies import cited, found, hit, open_search, search

URL = "https://alpha.example.org/p"
TOOLS = (read_file(),)


def sent(server: ModelServer, request: int) -> list[Any]:
    messages: list[Any] = server.seen[request].body["messages"]
    return messages


def texts(message: Any) -> list[str]:
    return [block["text"] for block in message["content"] if block["type"] == "text"]


@pytest.mark.row("A4")
@pytest.mark.parametrize("streams", [False, True])
def test_a_paused_turn_goes_on_and_its_text_accumulates(streams: bool) -> None:
    asked = open_search("tides")
    script = [
        say("The tide ", *search("a", hit(URL)), stop="pause_turn"),
        say("is ", asked, stop="pause_turn"),
        say(found(asked, hit(URL)), cited("4 m", URL), "."),
    ]
    with talking(script, search=ServerSearch(), stream=streams) as (model, server):
        result = execute(model, Task("How high?"))
    assert result.output == "The tide is 4 m."
    assert result.report.counters.iterations == 1
    assert [each["role"] for each in sent(server, 2)] == ["user", *["assistant"] * 2]


@pytest.mark.row("A4")
def test_citations_of_a_paused_turn_are_of_its_whole_text() -> None:
    script = [
        say(*search("a", hit(URL)), cited("High", URL), " tide", stop="pause_turn"),
        say(" is ", cited("4 m", URL)),
    ]
    with talking(script, search=ServerSearch()) as (model, _):
        result = execute(model, Task("How high?"))
    quoted = [result.output[each.start : each.end] for each in result.citations]
    assert quoted == ["High", "4 m"]


@pytest.mark.row("A4")
def test_beside_an_open_search_only_the_results_are_sent() -> None:
    asked = open_search("tides")
    script = [
        say(asked, call("read_file", path="a")),
        say(found(asked, hit(URL)), call("read_file", path="b")),
        say("Done."),
    ]
    tools: Any = {"tools": TOOLS}
    with talking(script, search=ServerSearch()) as (model, server):
        one = model.complete(ask(**tools))
        between = [said(one), results(one), Message.user("Hurry.")]
        two = model.complete(ask("x", *between, **tools))
        model.complete(ask("x", *between, said(two), results(two), **tools))
    assert texts(sent(server, 1)[-1]) == []
    # What was held back comes behind the next results, in its place in the order.
    assert texts(sent(server, 2)[2]) == []
    assert texts(sent(server, 2)[-1]) == ["Hurry."]


@pytest.mark.row("A4")
def test_a_reply_with_nothing_open_but_a_search_is_a_pause() -> None:
    message = {"content": [open_search("tides")], "stop_reason": "tool_use"}
    assert read_reply(message, "").stop is ReplyStop.PAUSE


def test_a_question_after_an_open_search_is_not_held_back() -> None:
    script = [say("Let me see. ", open_search("a"), stop="pause_turn"), say("Yes.")]
    with talking(script, search=ServerSearch()) as (model, server):
        left = model.complete(ask("first"))
        request = ask("second")
        earlier = (Message.user("first"), said(left))
        model.complete(
            type(request)(request.task, (*earlier, *request.messages), tools=())
        )
    assert [each["role"] for each in sent(server, 1)] == ["user", "assistant", "user"]
    assert texts(sent(server, 1)[1]) == ["Let me see. "]
    assert texts(sent(server, 1)[2]) == ["second"]


def test_a_last_turn_leaves_an_open_search_out() -> None:
    script = [say("Hm. ", open_search("a"), stop="pause_turn"), say("So it is.")]
    with talking(script, search=ServerSearch()) as (model, _):
        result = execute(model, Task("x"), TOOLS, limits=Limits(pauses=0))
    assert result.stop == "pause_limit"
    assert result.output == "So it is."


def test_a_result_whose_call_was_put_aside_goes_with_it() -> None:
    asked = open_search("tides")
    script = [say(asked, call("read_file", path="a")), say(found(asked), "A.")]
    with talking([*script, say("B.")], search=ServerSearch()) as (model, server):
        one = model.complete(ask(tools=TOOLS))
        two = model.complete(ask("x", said(one), results(one), tools=TOOLS))
        # Compaction has put the first round aside.
        model.complete(ask("x", said(two), Message.user("More."), rewritten=2))
    assert [block["type"] for block in sent(server, 2)[1]["content"]] == ["text"]


@pytest.mark.row("A5")
def test_a_search_that_was_cut_is_neither_counted_nor_sent_back() -> None:
    done = search("a", hit(URL))
    cut = say(*done, call("read_file", path="a"), open_search("b"), stop="max_tokens")
    with talking([cut, say("Done.")], search=ServerSearch()) as (model, server):
        reply = model.complete(ask(tools=TOOLS))
        model.complete(ask("x", said(reply), results(reply), tools=TOOLS))
    assert reply.server_calls == ("web_search",)
    assert reply.stop is ReplyStop.MAX_TOKENS
    kinds = [block["type"] for block in sent(server, 1)[1]["content"]]
    assert kinds == ["server_tool_use", "web_search_tool_result", "tool_use"]


@pytest.mark.row("A5")
def test_every_search_counts_once_also_over_a_pause() -> None:
    asked = open_search("b")
    script = [
        say(*search("a", hit(URL)), asked, stop="pause_turn"),
        say(found(asked, hit(URL)), "Done."),
    ]
    with talking(script, search=ServerSearch()) as (model, _):
        result = execute(model, Task("x"))
    assert result.report.counters.server_calls == 2


def test_a_call_that_was_cut_is_not_run() -> None:
    ran: list[str] = []

    class Watch(Plugin):
        def before_tool(self, call: Any) -> None:
            ran.append(call.name)

    script = [say(call("read_file", path="a"), stop="max_tokens"), say("Done.")]
    with talking(script) as (model, server):
        result = execute(model, Task("x"), TOOLS, plugins=[Watch()])
    assert (result.output, ran) == ("Done.", [])
    assert sent(server, 1)[-1]["content"][0]["is_error"] is True


def test_an_empty_reply_is_not_sent_back_but_asked_about() -> None:
    script = [say(call("read_file", path="a")), say(), say("Done.")]
    with talking(script) as (model, server):
        result = execute(model, Task("x"), TOOLS)
    assert result.output == "Done."
    kinds = [block["type"] for block in sent(server, 2)[-1]["content"]]
    assert kinds == ["tool_result", "text"]


def test_a_programs_call_without_its_container_is_answered_as_a_plain_one() -> None:
    code = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "code_execution"}
    by_code = {"type": "code_execution_20260120", "tool_id": "srvtoolu_1"}
    called = {**call("read_file", path="a"), "caller": by_code}
    first = say({**code, "input": {"code": "..."}}, called)
    filtering = ServerSearch(
        version="web_search_20260209",
        dynamic_filtering=True,
        code_execution="code_execution_20260120",
        code_tools=["read_file"],
    )
    with talking([first, say("Done.")], search=filtering) as (model, server):
        reply = model.complete(ask(tools=TOOLS))
        model.complete(ask("x", said(reply), results(reply), tools=TOOLS))
    (block,) = sent(server, 1)[1]["content"]
    assert (block["type"], "caller" in block) == ("tool_use", False)


def test_code_that_no_tool_runs_any_more_is_not_waited_for() -> None:
    """Another run of the same model has learnt that code may not call the search."""
    code = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "code_execution"}
    container = {"id": "container_1", "expires_at": "2026-11-30T20:15:00Z"}
    paused = say("Hm. ", {**code, "input": {}}, stop="pause_turn", container=container)
    conflict = refused("cannot be used with programmatic tool calling")
    filtering = ServerSearch(
        version="web_search_20260209",
        dynamic_filtering=True,
        code_execution="code_execution_20260120",
    )
    script = [paused, conflict, say("Other."), say("Done.")]
    with talking(script, search=filtering) as (model, server):
        reply = model.complete(ask())
        model.complete(ask("other", disable_parallel_tool_use=True))
        model.complete(ask("x", said(reply)))
    *_, left, asked = sent(server, 3)
    assert [each["type"] for each in left["content"]] == ["text"]
    assert texts(asked) == ["Go on from here."]


@pytest.mark.row("A4")
@pytest.mark.row("A8")
def test_a_pause_whose_search_is_switched_off_meanwhile_goes_on_without_it() -> None:
    script = [
        say(*search("a", hit(URL)), "High. ", open_search("b"), stop="pause_turn"),
        failure(400, "web search is not enabled for this organization"),
        say("Low."),
    ]
    with talking(script, search=ServerSearch()) as (model, server):
        result = execute(model, Task("How high?"))
    assert result.output == "High. Low."
    kinds = [block["type"] for block in sent(server, 2)[1]["content"]]
    assert kinds == ["server_tool_use", "web_search_tool_result", "text"]
    assert texts(sent(server, 2)[-1]) == ["Go on from here."]
