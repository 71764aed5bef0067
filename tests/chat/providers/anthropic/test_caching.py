"""Where prompts are cached, and what of a long run is read from there."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from chat.engine import Limits, ModelReplied, Task, execute, run
from chat.providers.server_search import ServerSearch
from tests.chat.providers.anthropic.wire import (
    ask,
    read_file,
    results,
    said,
    talking,
)
from tests.fakes.model_server import call, say
from tests.fakes.model_server.replies import hit, search, thinking

SYSTEM = "Be exact. " * 500


def marks(body: Any) -> list[tuple[str, Any]]:
    """Where the marks are, and on what kind of block."""
    found = [("tools", tool.get("type")) for tool in _marked(body.get("tools", []))]
    found += [("system", block["type"]) for block in _marked(body.get("system", []))]
    for place, message in enumerate(body["messages"]):
        blocks = _marked(message["content"])
        found += [(f"messages.{place}", block["type"]) for block in blocks]
    return found


def _marked(blocks: Any) -> Iterator[Any]:
    return (block for block in blocks if "cache_control" in block)


def test_a_first_request_marks_the_prompt_and_the_task() -> None:
    with talking([say("A.")]) as (model, server):
        model.complete(ask(system="Be exact.", tools=(read_file(),)))
    assert marks(server.seen[0].body) == [("system", "text"), ("messages.0", "text")]


def test_without_a_system_prompt_the_tools_are_marked() -> None:
    with talking([say("A.")], search=ServerSearch()) as (model, server):
        model.complete(ask(tools=(read_file(),)))
    assert marks(server.seen[0].body)[0] == ("tools", "web_search_20250305")


def test_a_long_run_reads_all_that_was_sent_before_from_the_cache() -> None:
    rounds = 30
    turns = [
        say(thinking("Hm."), *search("a", hit("https://a.example")), *reads)
        for reads in (
            [call("read_file", path=f"{n}.{part}") for part in range(12)]
            for n in range(rounds)
        )
    ]
    task, limits = Task("x", system=SYSTEM), Limits(mode="autonomous", tool_calls=500)
    with talking([*turns, say("Done.")], search=ServerSearch()) as (model, server):
        events = list(run(model, task, [read_file("line\n" * 40)], limits=limits))
    replies = [event.reply for event in events if isinstance(event, ModelReplied)]
    usages = [reply.usage for reply in replies if reply.usage]
    assert len(usages) == rounds + 1
    for earlier, later in pairwise(usages):
        assert later.cache_read_tokens >= earlier.prompt_tokens
    assert all(len(marks(request.body)) <= 4 for request in server.seen)


def test_no_mark_is_on_thinking_or_an_empty_text() -> None:
    script = [say(*search("a", hit("https://a.example")), stop="pause_turn")]
    script[0].body["content"].append(thinking("Hm."))
    with talking([*script, say("A.")], search=ServerSearch()) as (model, server):
        reply = model.complete(ask())
        model.complete(ask("x", said(reply)))
    assert marks(server.seen[1].body)[-1] == ("messages.1", "web_search_tool_result")


def test_the_task_stays_marked_when_rounds_are_put_aside() -> None:
    turns = [say(call("read_file", path=str(n))) for n in range(8)]
    tools = [read_file("line\n" * 600)]
    with talking([*turns, say("Done.")]) as (model, server):
        execute(model, Task("x"), tools, limits=Limits(window=6_000))
    for request in server.seen:
        first = request.body["messages"][0]["content"][0]
        assert (first["text"], "cache_control" in first) == ("x", True)


@pytest.mark.parametrize(("cache", "control"), [("1h", {"ttl": "1h"}), ("5m", {})])
def test_a_longer_time_is_named(cache: Any, control: Any) -> None:
    with talking([say("A.")], cache=cache) as (model, server):
        model.complete(ask())
    block = server.seen[0].body["messages"][0]["content"][0]
    assert block["cache_control"] == {"type": "ephemeral", **control}


def test_caching_can_be_left_off() -> None:
    with talking([say("A.")], cache=None) as (model, server):
        model.complete(ask(system="Be exact.", tools=(read_file(),)))
    assert marks(server.seen[0].body) == []


def test_a_mark_is_no_part_of_what_is_kept() -> None:
    with talking([say(call("read_file", path="a")), say("A.")]) as (model, _):
        tools: Any = {"tools": (read_file(),)}
        reply = model.complete(ask(**tools))
        model.complete(ask("x", said(reply), results(reply), **tools))
    assert "cache_control" not in str(reply.raw)
