"""Whole runs over a socket: containers from round to round, and what counts as used."""

from typing import Any

import pytest

from chat.engine import Task, execute
from chat.providers.server_search import ServerSearch
from tests.chat.providers.anthropic.wire import read_file, talking
from tests.fakes.model_server import Reply, call, say
from tests.fakes.model_server.replies import hit, open_search, search

BOTH = pytest.mark.parametrize("streams", [True, False], ids=["pieces", "whole"])
URL = "https://alpha.example.org/p"
CONTAINER = {"id": "container_1", "expires_at": "2026-11-30T20:15:00Z"}


@pytest.mark.row("A7")
@BOTH
def test_a_container_goes_with_every_further_request_until_it_expires(
    streams: bool,
) -> None:
    clocks: list[Any] = []
    numbers = iter(range(9))

    def answer(_: object) -> Reply:
        number = next(numbers)
        if number == 3:
            clocks[0].advance(3600)
        reply = say(call("read_file", path=str(number))) if number < 4 else say("Done.")
        if number == 0:
            reply.body["container"] = CONTAINER
        return reply

    with talking(answer, socket=True, stream=streams) as (model, server):
        clocks.append(server.messages.clock)
        result = execute(model, Task("x"), [read_file()])
    assert result.output == "Done."
    sent = [request.body.get("container") for request in server.seen]
    assert sent == [None, "container_1", "container_1", "container_1", None]


@pytest.mark.row("A5")
@BOTH
def test_what_was_cut_is_not_among_the_tools_that_were_used(streams: bool) -> None:
    script = [
        say(*search("a", hit(URL)), call("read_file", path="a")),
        say(
            *search("b", hit(URL)),
            call("read_file", path="b"),
            open_search("c"),
            stop="max_tokens",
        ),
        say("Done."),
    ]
    options: dict[str, Any] = {"search": ServerSearch(), "stream": streams}
    with talking(script, socket=True, **options) as (model, _):
        result = execute(model, Task("x"), [read_file()])
    used = {each.name: each.calls for each in result.report.tools if each.calls}
    assert used == {"read_file": 1, "web_search": 2}
    assert result.report.counters.server_calls == 2
    assert result.report.counters.searches == 2
