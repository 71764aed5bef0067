"""A run that repeats itself is nudged once, then stopped, and still answers."""

from itertools import count
from typing import Any

import pytest

from chat.engine import (
    AnswerSource,
    Event,
    Limits,
    Nudged,
    Reply,
    ScriptedModel,
    Status,
    StopReason,
    Task,
    Tool,
    ToolCalled,
    ToolResult,
    execute,
    run,
)
from chat.engine.tools import ToolKind
from tests.chat.engine.toolbox import TEXT, calling, echo, result_of

TASK = Task("Look it up.")


def repeating(*rounds: Reply) -> ScriptedModel:
    """Plays the rounds in a circle until it is asked for its last words."""
    place = count()
    return ScriptedModel(
        lambda request: (
            rounds[next(place) % len(rounds)] if request.tools else Reply("So far.")
        )
    )


def number_of(events: list[Event], kind: type) -> int:
    return sum(isinstance(event, kind) for event in events)


@pytest.mark.row("B3", "B1")
def test_the_same_call_runs_three_times_with_one_nudge_and_then_an_answer() -> None:
    events = list(run(repeating(calling("a")), TASK, [echo()]))
    result = result_of(events)

    assert (result.stop, result.status) == (StopReason.NO_PROGRESS, Status.PARTIAL)
    assert (result.output, result.answer_source) == ("So far.", AnswerSource.CLOSING)
    assert (number_of(events, ToolCalled), number_of(events, Nudged)) == (3, 1)
    assert result.report.counters.model_calls == 4


@pytest.mark.row("B3")
@pytest.mark.parametrize("period", [2, 3, 4])
def test_a_cycle_of_rounds_is_stopped(period: int) -> None:
    rounds = [calling(str(place)) for place in range(period)]
    events = list(run(repeating(*rounds), TASK, [echo()]))

    assert result_of(events).stop is StopReason.NO_PROGRESS
    assert number_of(events, ToolCalled) <= 3 * period


@pytest.mark.row("B3")
def test_whitespace_and_key_order_are_no_progress() -> None:
    texts = ['{"text":"a","n":1}', '{"n": 1, "text": "a"}', '{ "text":"a", "n":1 }']
    rounds = [Reply(calls=[("echo", text)]) for text in texts]
    result = execute(repeating(*rounds), TASK, [echo()])

    assert result.stop is StopReason.NO_PROGRESS


def polling(results: Any, **options: Any) -> Tool:
    def call(arguments: dict[str, Any]) -> ToolResult:
        return ToolResult(next(results))

    return Tool("echo", "Polls.", TEXT, call, **options)


@pytest.mark.row("B3")
def test_a_polled_result_that_really_changes_never_trips_it() -> None:
    results = (f"{place} of 1000 done" for place in count())
    result = execute(repeating(calling("a")), TASK, [polling(results)])

    assert result.stop is StopReason.TOOL_BUDGET
    assert result.report.counters.nudges == 0


@pytest.mark.row("B3")
def test_a_timing_in_the_result_is_no_progress() -> None:
    results = (f'{{"status": "ok", "elapsed_ms": {place}}}' for place in count())
    result = execute(repeating(calling("a")), TASK, [polling(results)])

    assert result.stop is StopReason.NO_PROGRESS


@pytest.mark.row("B3")
def test_a_tool_may_say_what_of_its_result_counts() -> None:
    results = (f"pending, lamp {place % 7}" for place in count())
    tool = polling(results, fingerprint=lambda text: text.partition(",")[0])
    result = execute(repeating(calling("a")), TASK, [tool])

    assert result.stop is StopReason.NO_PROGRESS


@pytest.mark.row("B3")
@pytest.mark.parametrize("kind", ["business", "context"])
def test_a_run_of_context_calls_alone_gets_its_closing_turn_too(kind: ToolKind) -> None:
    result = execute(repeating(calling("a")), TASK, [echo(kind=kind)])

    assert (result.stop, result.output) == (StopReason.NO_PROGRESS, "So far.")


@pytest.mark.row("B3")
def test_failing_recalls_alone_are_no_progress_though_they_differ() -> None:
    number = count()
    model = ScriptedModel(
        lambda request: (
            Reply(calls=[("recall", {"ref": f"r{next(number)}"})])
            if request.tools
            else Reply("So far.")
        )
    )
    result = execute(model, TASK, [echo()])

    assert result.stop is StopReason.NO_PROGRESS
    assert result.report.counters.recall_errors <= 6


@pytest.mark.row("B3")
def test_a_nudge_that_helps_is_the_end_of_it() -> None:
    script = [calling("a"), calling("a"), calling("b"), Reply("Done.")]
    result = execute(ScriptedModel(script), TASK, [echo()])

    assert result.stop is StopReason.COMPLETED
    assert (result.report.counters.nudges, result.report.counters.stale_rounds) == (
        1,
        1,
    )


def test_the_same_large_result_stands_in_the_transcript_once() -> None:
    text = "word " * 500
    model = ScriptedModel([calling(text), calling(text), Reply("Done.")])
    result = execute(model, TASK, [echo()])

    assert result.report.counters.duplicates == 1


@pytest.mark.row("B1")
def test_rounds_of_nothing_but_errors_end_the_run() -> None:
    number = count()
    model = ScriptedModel(
        lambda request: (
            calling(str(next(number)), tool="broken") if request.tools else Reply("Hm.")
        )
    )

    def call(arguments: dict[str, Any]) -> ToolResult:
        raise OSError(arguments["text"])

    tool = Tool("broken", "Fails.", TEXT, call)
    result = execute(model, TASK, [tool], limits=Limits(error_rounds=4))

    assert (result.stop, result.output) == (StopReason.TOOLS_UNAVAILABLE, "Hm.")
    assert result.report.counters.error_rounds == 4
