"""Thinking and containers: what a later request must carry, and must not."""

from datetime import timedelta
from typing import Any

import pytest

from chat.engine import (
    Limits,
    Message,
    ModelReply,
    ModelRequest,
    Role,
    Task,
    execute,
)
from chat.providers.server_search import ServerSearch
from tests.chat.providers.anthropic.wire import (
    ask,
    read_file,
    results,
    said,
    streamed,
    talking,
)
from tests.fakes.model_server import Clock, Reply, call, say
from tests.fakes.model_server.replies import redacted, text, thinking

BOUND = "claude-opus-5-5"
TOOLS: Any = {"tools": (read_file(),), "system": "Be brief."}
THOUGHT = say(thinking("Hm."), thinking(), redacted(), call("read_file", path="a"))


def kinds(body: Any) -> list[str]:
    """The kinds of the blocks of the first reply in a request."""
    reply = next(each for each in body["messages"] if each["role"] == "assistant")
    return [block["type"] for block in reply["content"]]


def continued(reply: ModelReply, **changes: Any) -> Any:
    return ask("x", said(reply), results(reply), **{**TOOLS, **changes})


@pytest.mark.parametrize("streams", [False, True])
def test_all_thinking_of_a_loop_goes_back_unchanged(streams: bool) -> None:
    with talking([THOUGHT, say("A.")], model=BOUND) as (model, server):
        first = ask(**TOOLS)
        reply = streamed(model, first)[1] if streams else model.complete(first)
        model.complete(continued(reply))
    expected = ["thinking", "thinking", "redacted_thinking", "tool_use"]
    assert kinds(server.seen[1].body) == expected


@pytest.mark.parametrize(
    "changes",
    [
        {"system": "Be long."},
        {"tools": (read_file(), read_file(name="read_more"))},
    ],
    ids=["system", "tools"],
)
def test_thinking_is_left_out_behind_another_prompt(changes: Any) -> None:
    with talking([THOUGHT, say("A.")], model=BOUND) as (model, server):
        reply = model.complete(ask(**TOOLS))
        model.complete(continued(reply, **changes))
        server.problems.clear()
    assert kinds(server.seen[1].body) == ["tool_use"]


def test_thinking_of_another_model_is_left_out() -> None:
    with talking([THOUGHT], model=BOUND) as (model, _):
        reply = model.complete(ask(**TOOLS))
    with talking([say("A.")]) as (model, server):
        model.complete(continued(reply))
    assert kinds(server.seen[0].body) == ["tool_use"]


def test_thinking_behind_messages_that_were_changed_is_left_out() -> None:
    again = say(thinking("Oh."), call("read_file", path="b"))
    with talking([THOUGHT, again, say("A.")], model=BOUND) as (model, server):
        one = model.complete(ask(**TOOLS))
        two = model.complete(continued(one))
        shorter = [said(one), results(one, "[put aside]"), said(two), results(two)]
        model.complete(ask("x", *shorter, rewritten=4, **TOOLS))
    replies = [
        [block["type"] for block in each["content"]]
        for each in server.seen[2].body["messages"]
        if each["role"] == "assistant"
    ]
    # Before the first reply nothing has changed.
    assert replies[0][0] == "thinking"
    assert replies[1] == ["tool_use"]


def test_of_a_reply_from_elsewhere_thinking_goes_when_messages_were_put_aside() -> None:
    raw = {"content": [thinking("Hm."), text("A.")]}
    earlier = (Message.user("first"), Message(Role.ASSISTANT, "A.", raw=raw))
    request = ModelRequest(Task("x"), (*earlier, Message.user("x")), rewritten=2)
    with talking([say("B.")]) as (model, server):
        model.complete(request)
    assert kinds(server.seen[0].body) == ["text"]


def test_no_thinking_is_refused_after_compaction_or_in_a_last_turn() -> None:
    turns = [say(thinking("Hm."), call("read_file", path=str(n))) for n in range(6)]
    script = [*turns, say("So it is.")]
    limits = Limits(window=6_000, iterations=6)
    tools = [read_file("line\n" * 600)]
    with talking(script, model=BOUND, search=ServerSearch()) as (model, server):
        result = execute(model, Task("x"), tools, limits=limits)
        server.problems[:] = [each for each in server.problems if "refused" in each]
    assert result.output == "So it is."
    assert result.report.counters.masks + result.report.counters.folds > 0


def container(minutes: int) -> dict[str, Any]:
    end = Clock()() + timedelta(minutes=minutes)
    return {"id": "container_1", "expires_at": end.isoformat(), "skills": None}


def carried(*script: Reply, **options: Any) -> list[Any]:
    """The containers that a run's requests name."""
    with talking(script, **options) as (model, server):
        execute(model, Task("x"), [read_file()])
    return [each.body.get("container") for each in server.seen]


@pytest.mark.row("A7")
@pytest.mark.parametrize("streams", [False, True])
def test_a_container_goes_with_every_later_request(streams: bool) -> None:
    calls = [call("read_file", path=name) for name in "ab"]
    script = say(calls[0], container=container(5)), say(calls[1]), say("A.")
    assert carried(*script, stream=streams) == [None, *["container_1"] * 2]


@pytest.mark.row("A7")
def test_a_container_that_has_expired_is_dropped() -> None:
    script = say(call("read_file", path="a"), container=container(0)), say("A.")
    assert carried(*script) == [None, None]
