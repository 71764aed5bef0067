"""A run goes on from any prefix of its own events."""

from decimal import Decimal
from typing import Any

import pytest

from chat.engine import (
    ConfigurationError,
    Event,
    Halt,
    Limits,
    ModelReplied,
    ModelReply,
    ModelRequest,
    ModelRequested,
    Plugin,
    Reply,
    RunFinished,
    RunStarted,
    ScriptedModel,
    StopReason,
    Task,
    Tick,
    ToolAnswered,
    ToolCalled,
    Usage,
    event_from_json,
    event_to_json,
    execute,
    is_journaled,
    run,
)
from tests.chat.engine.toolbox import Recorder, calling, echo

TASK = Task("Look it up.")
TURN = calling("a", "b")


def events_until(kind: type, tools: Any, script: list[Reply]) -> list[Event]:
    events: list[Event] = []
    for event in run(ScriptedModel(script), TASK, tools):
        events.append(event)
        if isinstance(event, kind):
            break
    return events


def resumed(history: list[Event], script: list[Reply], **options: Any) -> list[Event]:
    tools = options.pop("tools", [echo()])
    return list(run(ScriptedModel(script), TASK, tools, history=history, **options))


def test_a_journaled_reply_is_never_requested_again() -> None:
    history = events_until(ModelReplied, [echo()], [TURN])
    events = resumed(history, [Reply("Done.")])

    assert sum(isinstance(event, ModelRequested) for event in events) == 1
    assert sum(isinstance(event, ToolAnswered) for event in events) == 2
    assert not any(isinstance(event, RunStarted) for event in events)


def test_open_calls_are_answered_before_anything_else() -> None:
    history = events_until(ToolAnswered, [echo(idempotent=True)], [TURN])
    recorder = Recorder()
    events = resumed(
        history,
        [Reply("Done.")],
        tools=[echo(idempotent=True)],
        plugins=[recorder],
    )

    first = [event.call_id for event in events if isinstance(event, ToolAnswered)]
    assert first == ["call_1_2"]
    contents = [result.content for result in recorder.last_answers.results]
    assert contents == ["a", "b"]


def test_an_interrupted_call_is_repeated_only_if_it_may_be() -> None:
    history = events_until(ToolCalled, [echo()], [calling("a")])
    once = resumed(history, [Reply("Done.")], tools=[echo()])
    again = resumed(history, [Reply("Done.")], tools=[echo(idempotent=True)])

    (lost,) = [event for event in once if isinstance(event, ToolAnswered)]
    assert lost.result.is_error
    assert "interrupted" in lost.result.content
    (repeated,) = [event for event in again if isinstance(event, ToolAnswered)]
    assert (repeated.result.content, repeated.result.is_error) == ("a", False)


def test_a_repeated_call_is_counted_once() -> None:
    tool = echo(idempotent=True)
    history = events_until(ToolCalled, [tool], [calling("a")])
    events = resumed(
        history, [Reply("Done.")], tools=[tool], limits=Limits(tool_calls=1)
    )

    result = events[-1].result  # type: ignore[union-attr]
    assert result.stop is StopReason.COMPLETED
    assert result.report.counters.tool_calls_business == 1


def test_budgets_are_restored() -> None:
    script = [calling("a"), calling("b"), Reply("End.")]
    history = events_until(ToolAnswered, [echo()], script)
    limits = Limits(tool_calls=1)
    result = execute(
        ScriptedModel(script[1:]), TASK, [echo()], history=history, limits=limits
    )

    assert (result.stop, result.output) == (StopReason.TOOL_BUDGET, "End.")


def test_a_request_lost_in_flight_is_counted_charged_and_sent_again() -> None:
    class Priced(ScriptedModel):
        def estimate(self, request: ModelRequest) -> Decimal | None:
            return Decimal(2)

        def price(self, usage: Usage) -> Decimal | None:
            return Decimal(1)

    history: list[Event] = []
    for event in run(Priced([Reply("Lost.")]), TASK):
        history.append(event)
        if isinstance(event, ModelRequested):
            break
    result = execute(Priced([Reply("Done.")]), TASK, history=history)

    assert result.output == "Done."
    assert result.report.cost == Decimal(3)
    counters = result.report.counters
    assert (counters.model_calls, counters.calls_lost) == (2, 1)


def test_a_finished_run_returns_its_result_and_does_nothing() -> None:
    history = events_until(RunFinished, [echo()], [Reply("Done.")])
    result = execute(ScriptedModel([]), TASK, history=history)

    assert result == history[-1].result  # type: ignore[union-attr]
    assert resumed(history, []) == []


def test_a_history_read_from_json_resumes_the_same() -> None:
    script = [TURN, Reply("Done.")]
    events = events_until(RunFinished, [echo()], script)
    journal = [event_to_json(event) for event in events if is_journaled(event)]
    for cut in range(len(journal)):
        history = [event_from_json(data) for data in journal[:cut]]
        replied = sum(isinstance(event, ModelReplied) for event in history)
        tools = [echo(idempotent=True)]
        result = execute(ScriptedModel(script[replied:]), TASK, tools, history=history)
        assert result.output == "Done.", f"cut at {cut}"


def test_ticks_in_a_history_are_passed_over() -> None:
    history = [Tick(1.0), *events_until(ModelReplied, [echo()], [TURN]), Tick(2.0)]

    assert resumed(history, [Reply("Done.")])


def test_an_answer_is_shown_to_plugins_even_if_the_process_died_before() -> None:
    class Gate(Plugin):
        def after_model(self, reply: ModelReply) -> None:
            if "trust" in reply.text:
                raise Halt("The answer is not cited.")

    history = events_until(ModelReplied, [], [Reply("Just trust me.")])
    result = execute(ScriptedModel([]), TASK, history=history, plugins=[Gate()])

    assert (result.stop, result.output) == (StopReason.PLUGIN_HALT, "")


def test_hooks_see_nothing_that_is_only_replayed() -> None:
    tool = echo(idempotent=True)
    history = events_until(ToolAnswered, [tool], [TURN])
    recorder = Recorder()
    resumed(history, [Reply("Done.")], tools=[tool], plugins=[recorder])

    assert recorder.calls == ["call_1_2"]
    assert [reply.text for reply in recorder.replies] == ["Done."]


def history_of(*kinds: type) -> list[Event]:
    whole = events_until(RunFinished, [echo()], [TURN, Reply("Done.")])
    return [next(event for event in whole if isinstance(event, kind)) for kind in kinds]


@pytest.mark.parametrize(
    ("history", "problem"),
    [
        (history_of(ModelRequested), "a run starts once"),
        (history_of(RunStarted, RunStarted), "a run starts once"),
        (history_of(RunStarted, ModelReplied), "answers no request"),
        (history_of(RunStarted, ToolAnswered), "answers a call that is not open"),
        (history_of(RunStarted, ToolCalled), "a call that nobody asked for"),
        (history_of(RunStarted, RunFinished, ModelRequested), "follows the end"),
        ([{"kind": "run_started"}], "is no event"),
    ],
)
def test_a_history_of_no_run_is_refused_at_once(history: Any, problem: str) -> None:
    with pytest.raises(ConfigurationError, match=problem):
        run(ScriptedModel([]), TASK, [echo()], history=history)
