"""Where prompts are cached, and what of a long run is read from there."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import pytest

from chat.engine import (
    Compacted,
    Event,
    Limits,
    Message,
    ModelReplied,
    RunFinished,
    Task,
    Tool,
    Usage,
    execute,
    run,
)
from chat.providers.server_search import ServerSearch
from tests.chat.providers.anthropic.wire import (
    ask,
    read_file,
    results,
    said,
    talking,
)
from tests.fakes.model_server import Reply, call, say
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


def played(
    model: Any, task: Task, tool: Tool, **limits: Any
) -> tuple[list[Event], list[Usage]]:
    """A whole run: its events, and what each of its replies was charged."""
    chosen = Limits(**{"mode": "autonomous", "tool_calls": 1_000, **limits})
    events = list(run(model, task, [tool], limits=chosen))
    assert isinstance(events[-1], RunFinished)
    replies = [event.reply for event in events if isinstance(event, ModelReplied)]
    return events, [reply.usage for reply in replies if reply.usage]


def unread(usages: Sequence[Usage]) -> list[int]:
    """The requests that did not read all that the one before them had sent."""
    pairs = enumerate(pairwise(usages), start=1)
    return [n for n, (a, b) in pairs if b.cache_read_tokens < a.prompt_tokens]


def research(rounds: int, calls: int = 1) -> list[Reply]:
    """Turns that think, search and read, and the answer."""
    turns = [
        say(
            thinking("Hm."),
            *search("a", hit("https://a.example")),
            *(call("read_file", path=f"{n}.{part}") for part in range(calls)),
        )
        for n in range(rounds)
    ]
    return [*turns, say("Done.")]


@pytest.mark.parametrize("calls", [1, 12, 40])
def test_a_long_run_reads_all_that_was_sent_before_from_the_cache(calls: int) -> None:
    task, tool = Task("x", system=SYSTEM), read_file("line\n" * 40)
    with talking(research(30, calls), search=ServerSearch()) as (model, server):
        _, usages = played(model, task, tool, tool_calls=2_000)
    assert len(usages) == 31
    assert unread(usages) == []
    assert all(1 < len(marks(request.body)) <= 4 for request in server.seen)


def test_tools_and_system_prompt_are_the_same_in_every_request_of_a_run() -> None:
    task, tool = Task("x", system=SYSTEM), read_file("line\n" * 40)
    with talking(research(30), search=ServerSearch()) as (model, server):
        played(model, task, tool)
    fixed = [(each.body["tools"], each.body["system"]) for each in server.seen]
    assert all(each == fixed[0] for each in fixed)


def paused(searches: int) -> Reply:
    """A turn that the server breaks off after so many searches."""
    pairs = [search("a", hit("https://a.example")) for _ in range(searches)]
    blocks = [block for pair in pairs for block in pair]
    return say(thinking(), *blocks, stop="pause_turn")


def test_a_paused_turn_goes_on_from_the_cache() -> None:
    script = [*research(3)[:3], paused(12), paused(12), paused(12), *research(3)]
    task, tool = Task("x", system=SYSTEM), read_file("line\n" * 40)
    with talking(script, search=ServerSearch(max_uses=12)) as (model, server):
        _, usages = played(model, task, tool)
    assert len(usages) == len(script)
    assert unread(usages) == []
    assert all(len(marks(request.body)) <= 4 for request in server.seen)


def test_a_turn_that_pauses_in_its_thoughts_goes_on_from_the_cache() -> None:
    script = [*research(3)[:3], paused(0), paused(0), *research(3)]
    task, tool = Task("x", system=SYSTEM), read_file("line\n" * 400)
    with talking(script, search=ServerSearch()) as (model, _):
        _, usages = played(model, task, tool)
    assert len(usages) == len(script)
    read = [usage.cache_read_tokens for usage in usages]
    # A thought takes no mark, so that what is read grows when more has come than that.
    assert read[3:6] == [read[3], usages[3].prompt_tokens, usages[3].prompt_tokens]
    assert read[6] >= usages[3].prompt_tokens


def test_a_compaction_loses_the_cache_once_and_not_what_stands_before_it() -> None:
    turns = [say(thinking(), call("read_file", path=str(n))) for n in range(30)]
    task, tool = Task("x", system=SYSTEM), read_file("line\n" * 400)
    with talking([*turns, say("Done.")]) as (model, _):
        events, usages = played(model, task, tool, window=20_000, mode="standard")
    made = [event for event in events if isinstance(event, Compacted | ModelReplied)]
    after = [n for n, event in enumerate(made) if isinstance(event, Compacted)]
    first_requests = {n - place for place, n in enumerate(after)}
    assert 1 < len(first_requests) < 12
    assert set(unread(usages)) == first_requests
    head = usages[0].prompt_tokens
    assert all(usage.cache_read_tokens >= head for usage in usages[1:])


def test_a_last_turn_still_has_the_tools_and_reads_them_from_the_cache() -> None:
    turns = [say(thinking(), call("read_file", path=str(n))) for n in range(5)]
    task, tool = Task("x", system=SYSTEM), read_file("line\n" * 40)
    with talking([*turns, say("Done.")]) as (model, server):
        _, usages = played(model, task, tool, iterations=5)
    last = server.seen[-1].body
    assert last["tools"] == server.seen[0].body["tools"]
    assert last["tool_choice"] == {"type": "none"}
    assert unread(usages) == [5]
    assert usages[-1].cache_read_tokens >= len(SYSTEM) // 4


def test_nothing_is_written_in_a_last_turn_that_no_request_follows() -> None:
    turns = [say(call("read_file", path=str(n))) for n in range(5)]
    task, tool = Task("x", system=SYSTEM), read_file("line\n" * 40)
    with talking([*turns, say("Done.")]) as (model, server):
        _, usages = played(model, task, tool, iterations=5)
    assert usages[-1].cache_write_tokens == 0
    assert marks(server.seen[-1].body) == [("system", "text")]


def test_a_later_question_reads_the_conversation_before_it() -> None:
    tool = read_file("line\n" * 400)
    script = [*research(3), say("And that.")]
    with talking(script, search=ServerSearch()) as (model, server):
        events, first = played(model, Task("x", system=SYSTEM), tool)
        replies = [each.reply for each in events if isinstance(each, ModelReplied)]
        earlier = [Message.user("x")]
        for reply in replies[:-1]:
            earlier += [said(reply), results(reply, "line\n" * 400)]
        later = Task("And?", system=SYSTEM, messages=[*earlier, said(replies[-1])])
        _, second = played(model, later, tool)
    assert second[0].cache_read_tokens >= first[-1].prompt_tokens
    assert len(server.seen) == 5


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
