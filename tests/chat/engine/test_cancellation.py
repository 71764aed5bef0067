"""A run can be stopped or left at any moment, and nothing keeps the process."""

import threading

import pytest

from chat.engine import (
    Abandon,
    Event,
    Limits,
    Reply,
    RunFinished,
    ScriptedModel,
    Status,
    StopReason,
    Task,
    Tick,
    ToolAnswered,
    run,
)
from tests.chat.engine.toolbox import (
    HangingModel,
    Recorder,
    broken,
    calling,
    echo,
    hanging,
    quick,
    result_of,
)

TASK = Task("Look it up.")


class LeaseLost(Abandon):
    """What a worker raises when another one has taken over."""


class Leaving(Recorder):
    def should_stop(self) -> StopReason | None:
        if self.requests:
            raise LeaseLost
        return None


def test_a_cancel_is_heard_while_the_model_hangs() -> None:
    model, plugin = HangingModel(hangs=9), Recorder()
    events = []
    for event in run(model, TASK, limits=quick(), plugins=[plugin]):
        events.append(event)
        if isinstance(event, Tick):
            plugin.reason = StopReason.CANCELLED
    model.flag.set()

    result = result_of(events)
    assert (result.stop, result.status) == (StopReason.CANCELLED, Status.HALTED)
    assert result.report.counters.calls_lost == 1


@pytest.mark.parametrize("idempotent", [True, False])
def test_a_cancel_while_tools_run_still_answers_every_call(idempotent: bool) -> None:
    tool, flag = hanging(idempotent=idempotent)
    model, plugin = ScriptedModel([calling("a", "b", tool="hang")]), Recorder()
    events = []
    for event in run(model, TASK, [tool], limits=quick(), plugins=[plugin]):
        events.append(event)
        if isinstance(event, Tick):
            plugin.reason = StopReason.CANCELLED
    flag.set()

    answers = [event for event in events if isinstance(event, ToolAnswered)]
    assert result_of(events).stop is StopReason.CANCELLED
    assert [answer.outcome.value for answer in answers] == ["interrupted"] * 2


def test_a_cancel_before_the_start_sends_nothing() -> None:
    plugin = Recorder(StopReason.CANCELLED)
    result = result_of(run(ScriptedModel([Reply("x")]), TASK, plugins=[plugin]))

    assert (result.stop, plugin.requests) == (StopReason.CANCELLED, [])


def test_a_budget_that_a_plugin_keeps_leaves_a_closing_turn() -> None:
    plugin = Recorder(StopReason.COST_BUDGET)
    model = ScriptedModel([Reply("What I have.")])
    result = result_of(run(model, TASK, plugins=[plugin]))

    assert (result.stop, result.output) == (StopReason.COST_BUDGET, "What I have.")


def test_an_abandon_passes_through_without_a_terminal_event() -> None:
    model = HangingModel(hangs=9)
    seen: list[Event] = []
    events = run(model, TASK, limits=quick(), plugins=[Leaving()])
    with pytest.raises(LeaseLost):
        seen.extend(events)
    model.flag.set()

    assert not any(isinstance(event, RunFinished) for event in seen)


def test_an_abandon_raised_by_a_tool_passes_through_too() -> None:
    model = ScriptedModel([calling("x", tool="broken")])
    with pytest.raises(LeaseLost):
        list(run(model, TASK, [broken(LeaseLost())]))


@pytest.mark.parametrize("moment", ["model", "tool"])
def test_closing_the_generator_leaves_only_daemon_threads(moment: str) -> None:
    tool, flag = hanging()
    model = HangingModel(calling("x", tool="hang"), hangs=moment == "model")
    events = run(model, TASK, [tool], limits=quick())
    next(event for event in events if isinstance(event, Tick))
    events.close()

    left = [each for each in threading.enumerate() if each.name in ("model", "hang")]
    assert left
    assert all(thread.daemon for thread in left)
    flag.set()
    model.flag.set()
    for thread in left:
        thread.join(20)


def test_a_run_never_iterated_starts_nothing() -> None:
    before = threading.active_count()
    run(ScriptedModel([Reply("x")]), TASK).close()

    assert threading.active_count() == before


def test_finished_runs_leave_no_thread() -> None:
    before = set(threading.enumerate())
    for _ in range(20):
        model = ScriptedModel([calling("a", "b"), Reply("Done.")])
        list(run(model, TASK, [echo()], limits=Limits()))
    for thread in set(threading.enumerate()) - before:
        thread.join(20)

    assert set(threading.enumerate()) <= before


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_what_ends_the_process_is_not_swallowed(error: type[BaseException]) -> None:
    class Ending(Recorder):
        def should_stop(self) -> StopReason | None:
            raise error

    with pytest.raises(error):
        list(run(ScriptedModel([Reply("x")]), TASK, plugins=[Ending()]))
