"""One deadline, also inside calls, and a reserve for the answer."""

from dataclasses import replace

import pytest

from chat.engine import (
    AnswerSource,
    ClosingReserve,
    Limits,
    Reply,
    RunStarted,
    ScriptedModel,
    Status,
    StopReason,
    Task,
    Tick,
    ToolAnswered,
    ToolOutcome,
    execute,
    model_turn,
    run,
)
from tests.chat.engine.toolbox import (
    HangingModel,
    Recorder,
    calling,
    echo,
    hanging,
    quick,
)

TASK = Task("Look it up.")
pytestmark = pytest.mark.row("B12")
# Two seconds until the reserve: long enough for a busy machine to reach the hung call.
SHORT = quick(deadline_s=22, closing_reserve=ClosingReserve(seconds=20))


def test_a_hung_model_is_left_at_the_deadline_and_asked_for_a_closing_answer() -> None:
    model = HangingModel(Reply("What I have."))
    result = execute(model, TASK, limits=SHORT)
    model.flag.set()

    assert (result.stop, result.status) == (StopReason.DEADLINE, Status.PARTIAL)
    assert (result.output, result.answer_source) == (
        "What I have.",
        AnswerSource.CLOSING,
    )
    assert result.report.counters.calls_lost == 1


def test_a_model_that_hangs_for_good_ends_the_run_without_an_answer() -> None:
    model = HangingModel(hangs=9)
    result = execute(model, TASK, limits=quick(deadline_s=0.2))
    model.flag.set()

    assert (result.stop, result.status) == (StopReason.DEADLINE, Status.ERROR)
    assert result.secondary == ()


def test_a_hung_tool_is_an_error_result_and_the_run_still_answers() -> None:
    tool, flag = hanging()
    recorder = Recorder()
    model = ScriptedModel([calling("x", tool="hang"), Reply("It hung.")])
    result = execute(model, TASK, [tool], limits=SHORT, plugins=[recorder])
    flag.set()

    assert (result.stop, result.output) == (StopReason.DEADLINE, "It hung.")
    (answer,) = recorder.last_answers.results
    assert answer.is_error
    assert "did not answer in time" in answer.content


def test_calls_that_have_not_started_at_the_deadline_are_refused() -> None:
    tool, flag = hanging()
    turn = Reply(calls=[("hang", {}), ("echo", {})])
    limits = replace(SHORT, parallel_calls=1)
    events = list(
        run(ScriptedModel([turn, Reply("End.")]), TASK, [tool, echo()], limits=limits)
    )
    flag.set()

    answers = [event for event in events if isinstance(event, ToolAnswered)]
    outcomes = [answer.outcome for answer in answers]
    assert outcomes == [ToolOutcome.TIMED_OUT, ToolOutcome.REFUSED]


def test_a_deadline_of_zero_is_none() -> None:
    result = execute(ScriptedModel([Reply("Done.")]), TASK, limits=Limits(deadline_s=0))

    assert result.stop is StopReason.COMPLETED


def test_a_model_timeout_is_tried_again() -> None:
    # A busy machine may be late for the second try too: then the third is as good.
    model = HangingModel(*[Reply("Another try.")] * 4)
    result = execute(model, TASK, limits=quick(model_timeout_s=0.5))
    model.flag.set()

    assert (result.stop, result.output) == (StopReason.COMPLETED, "Another try.")
    assert result.report.counters.retries >= 1


def test_a_model_that_always_times_out_ends_as_llm_timeout(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(model_turn, "FIRST_BACKOFF_S", 0.01)
    model = HangingModel(hangs=9)
    result = execute(model, TASK, limits=quick(model_timeout_s=0.05))
    model.flag.set()

    assert (result.stop, result.status) == (StopReason.LLM_TIMEOUT, Status.ERROR)
    assert "no reply within 0.05 s" in result.detail


def test_the_loop_ticks_while_a_call_hangs() -> None:
    tool, flag = hanging()
    model = ScriptedModel([calling("x", tool="hang"), Reply("Done.")])
    ticks = 0
    for event in run(model, TASK, [tool], limits=quick()):
        ticks += isinstance(event, Tick)
        if ticks == 3:
            flag.set()

    assert ticks >= 3


def test_time_used_by_an_earlier_process_counts() -> None:
    earlier = RunStarted(None, "scripted", (), elapsed_s=3599.0)
    result = execute(ScriptedModel([Reply("End.")]), TASK, history=[earlier])

    assert (result.stop, result.output) == (StopReason.DEADLINE, "End.")
    assert result.report.elapsed_s >= 3599
