"""The limits of a chat turn, as they are over the wire."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from chat.engine import (
    AgentResult,
    Event,
    Limits,
    ModelReplied,
    RunFinished,
    StopReason,
    Task,
    ToolAnswered,
    run,
)
from chat.engine.stops import AnswerSource
from chat.providers.server_search import ServerSearch
from tests.chat.providers.anthropic.wire import read_file, talking
from tests.fakes.model_server import Reply, call, say
from tests.fakes.model_server.replies import hit, search

TASK = Task("How high is the tide?", system="Be exact.")


def asking_on(*, searching: bool = False) -> Any:
    """A server whose model reads one more file whenever it may."""
    numbers = count()

    def answer(request: Any) -> Reply:
        if request.body.get("tool_choice") == {"type": "none"}:
            return say("It is at 4 m, as far as I have read.")
        found = search("tide", hit("https://a.example")) if searching else ()
        return say(*found, call("read_file", path=f"{next(numbers)}.txt"))

    return answer


def events_of(model: Any, limits: Limits, history: Any = ()) -> Iterator[Event]:
    return run(model, TASK, [read_file()], limits=limits, history=history)


def result_of(events: list[Event]) -> AgentResult:
    last = events[-1]
    assert isinstance(last, RunFinished)
    return last.result


def closed_after(events: list[Event], replies: int) -> None:
    """The model replied so often, and then said what it knew."""
    result = result_of(events)
    assert result.stop is StopReason.ITERATION_LIMIT
    assert result.answer_source is AnswerSource.CLOSING
    assert result.output == "It is at 4 m, as far as I have read."
    replied = sum(isinstance(each, ModelReplied) for each in events)
    assert replied == replies + 1


@pytest.mark.row("A6")
@pytest.mark.parametrize("streams", [True, False], ids=["pieces", "whole"])
def test_a_chat_turn_ends_after_12_iterations_with_a_closing_answer(
    streams: bool,
) -> None:
    with talking(asking_on(), socket=True, stream=streams) as (model, server):
        events = list(events_of(model, Limits.chat()))
    closed_after(events, 12)
    assert [each.body["max_tokens"] for each in server.seen] == [16_384] * 13
    allowed = ["tool_choice" not in each.body for each in server.seen]
    assert allowed == [*[True] * 12, False]


@pytest.mark.row("A6")
@pytest.mark.parametrize("cut", [ModelReplied, ToolAnswered])
@pytest.mark.parametrize("turns", [1, 7, 12])
def test_a_resumed_chat_turn_has_what_is_left_of_its_12_iterations(
    turns: int, cut: type[Event]
) -> None:
    with talking(asking_on(), socket=True) as (model, server):
        history: list[Event] = []
        for event in events_of(model, Limits.chat()):
            history.append(event)
            if sum(isinstance(each, cut) for each in history) == turns:
                break
        asked = len(server.seen)
        rest = list(events_of(model, Limits.chat(), history))
    assert asked == turns
    closed_after([*history, *rest], 12)
    assert len(server.seen) == 13
    assert {each.body["max_tokens"] for each in server.seen} == {16_384}


@pytest.mark.row("A6")
def test_the_limits_of_a_chat_turn_are_settings_on_the_wire_too() -> None:
    limits = Limits.chat(iterations=3, max_output_tokens=2_000)
    with talking(asking_on(), socket=True) as (model, server):
        events = list(events_of(model, limits))
    closed_after(events, 3)
    assert [each.body["max_tokens"] for each in server.seen] == [2_000] * 4


@pytest.mark.row("A6")
def test_searches_of_the_server_are_no_iterations_of_their_own() -> None:
    answers = asking_on(searching=True)
    with talking(answers, socket=True, search=ServerSearch()) as (model, server):
        events = list(events_of(model, Limits.chat()))
    closed_after(events, 12)
    assert len(server.seen) == 13
    assert result_of(events).report.counters.server_calls == 12


@pytest.mark.row("A6")
def test_a_paused_turn_is_one_iteration_however_often_it_is_continued() -> None:
    once = iter([True])

    def answer(request: Any) -> Reply:
        if next(once, False):
            found = search("tide", hit("https://a.example"))
            return say(*found, stop="pause_turn")
        return reading(request)

    reading = asking_on()
    with talking(answer, socket=True, search=ServerSearch()) as (model, server):
        events = list(events_of(model, Limits.chat()))
    closed_after(events, 13)
    assert len(server.seen) == 14
