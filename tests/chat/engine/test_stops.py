"""Every named stop reason is reached, and has the status that goes with it."""

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal

import pytest

from chat.engine import (
    AgentResult,
    ErrorKind,
    Limits,
    ModelRequest,
    Plugin,
    Reply,
    ReplyStop,
    ScriptedModel,
    Status,
    StopReason,
    Task,
    Usage,
    execute,
    model_turn,
)
from chat.engine.limits import ClosingReserve
from tests.chat.engine.test_approval import paying
from tests.chat.engine.toolbox import HangingModel, calling, echo, quick

TASK = Task("Look it up.")
SHAPED = Task("Look it up.", output_schema={"type": "object", "required": ["a"]})


class Stopper(Plugin):
    def __init__(self, reason: StopReason) -> None:
        self.reason = reason

    def should_stop(self) -> StopReason:
        return self.reason


class Priced(ScriptedModel):
    """A coin a request."""

    def estimate(self, request: ModelRequest) -> Decimal | None:
        return Decimal(1)

    def price(self, usage: Usage) -> Decimal | None:
        return Decimal(1)


def going(limits: Limits, tool: str = "echo") -> AgentResult:
    """Run a model that has always another call to make, until its last turn."""
    turns = iter(range(1000))
    model = Priced(
        lambda request: (
            calling(str(next(turns)), tool=tool) if request.tools else Reply("So far.")
        )
    )
    return execute(model, TASK, [echo(), echo("look", "context")], limits=limits)


def saying(*replies: Reply, task: Task = TASK) -> AgentResult:
    return execute(ScriptedModel(replies), task, [echo(), paying([])])


def stopped(reason: StopReason) -> AgentResult:
    return execute(ScriptedModel([]), TASK, plugins=[Stopper(reason)])


def repeating(reply: Reply, **limits: object) -> AgentResult:
    model = ScriptedModel(lambda request: reply if request.tools else Reply("So far."))
    return execute(model, TASK, [echo()], limits=Limits(**limits))  # type: ignore[arg-type]


def hanging() -> AgentResult:
    model = HangingModel(hangs=9)
    result = execute(model, TASK, limits=quick(model_timeout_s=0.02))
    model.flag.set()
    return result


def late() -> AgentResult:
    model = HangingModel(Reply("So far."))
    limits = quick(deadline_s=20.5, closing_reserve=ClosingReserve(seconds=20))
    result = execute(model, TASK, limits=limits)
    model.flag.set()
    return result


def drowning() -> AgentResult:
    """Read more in every round than the window holds."""
    turns = iter(range(1000))
    model = ScriptedModel(
        lambda request: (
            calling(f"{next(turns)} " * 5000) if request.tools else Reply("So far.")
        ),
        window=4_000,
    )
    return execute(model, TASK, [echo()])


BROKEN = calling("a", tool="nobody")
PAUSED = Reply("more", stop=ReplyStop.PAUSE)
S = StopReason
REACHED: Mapping[StopReason, tuple[Callable[[], AgentResult], Status]] = {
    S.COMPLETED: (lambda: saying(Reply("Yes.")), Status.SUCCESS),
    S.STRUCTURED_OUTPUT: (
        lambda: saying(Reply("", parsed={"a": 1}), task=SHAPED),
        Status.SUCCESS,
    ),
    S.TOOL_BUDGET: (lambda: going(Limits(tool_calls=2)), Status.PARTIAL),
    S.CONTEXT_TOOL_BUDGET: (
        lambda: going(Limits(context_calls=2), "look"),
        Status.PARTIAL,
    ),
    S.TOKEN_BUDGET: (lambda: going(Limits(tokens=4_000)), Status.PARTIAL),
    S.COST_BUDGET: (lambda: going(Limits(cost=Decimal(3))), Status.PARTIAL),
    S.ITERATION_LIMIT: (lambda: going(Limits(iterations=2)), Status.PARTIAL),
    S.NO_PROGRESS: (lambda: repeating(calling("a")), Status.PARTIAL),
    S.EMERGENCY_COMPACTION: (drowning, Status.PARTIAL),
    S.DEADLINE: (late, Status.PARTIAL),
    S.LLM_TIMEOUT: (hanging, Status.ERROR),
    S.CONTEXT_OVERFLOW: (
        lambda: saying(*[Reply.failure(ErrorKind.CONTEXT_OVERFLOW)] * 3),
        Status.ERROR,
    ),
    S.PAUSE_LIMIT: (lambda: repeating(PAUSED, pauses=2), Status.PARTIAL),
    S.TRUNCATED: (
        lambda: saying(Reply("Half a", stop=ReplyStop.MAX_TOKENS)),
        Status.PARTIAL,
    ),
    S.CRITIC_ABSTAIN: (lambda: stopped(S.CRITIC_ABSTAIN), Status.ABSTAINED),
    S.COVERAGE_INCOMPLETE: (lambda: stopped(S.COVERAGE_INCOMPLETE), Status.ABSTAINED),
    S.SCHEMA_INVALID: (
        lambda: saying(Reply("prose"), Reply("prose"), task=SHAPED),
        Status.PARTIAL,
    ),
    S.PLUGIN_HALT: (lambda: stopped(S.PLUGIN_HALT), Status.HALTED),
    S.AWAITING_APPROVAL: (
        lambda: saying(calling("a", tool="pay")),
        Status.SUSPENDED,
    ),
    S.EMPTY_RESPONSE: (lambda: saying(Reply(), Reply()), Status.ERROR),
    S.REFUSAL: (lambda: saying(Reply("No.", stop=ReplyStop.REFUSAL)), Status.ERROR),
    S.PROVIDER_UNAVAILABLE: (
        lambda: saying(Reply.failure(ErrorKind.SPEND_CAP)),
        Status.ERROR,
    ),
    S.TOOLS_UNAVAILABLE: (
        lambda: repeating(BROKEN, error_rounds=2),
        Status.PARTIAL,
    ),
    S.CANCELLED: (lambda: stopped(S.CANCELLED), Status.HALTED),
    S.ERROR: (saying, Status.ERROR),
}


@pytest.mark.row("B1")
@pytest.mark.parametrize("stop", list(StopReason), ids=str)
def test_every_stop_is_reached_with_its_status(
    stop: StopReason, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_turn, "FIRST_BACKOFF_S", 0.001)
    drive, status = REACHED[stop]
    result = drive()

    assert (result.stop, result.status) == (stop, status)
    assert result.report.stop is stop
    assert result.report.timeline or stop is StopReason.COMPLETED


@pytest.mark.row("B1")
def test_a_retried_and_recovered_run_reads_completed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(model_turn, "FIRST_BACKOFF_S", 0.001)
    result = saying(Reply.failure(ErrorKind.OVERLOADED), Reply("Yes."))

    assert (result.stop, result.status) == (StopReason.COMPLETED, Status.SUCCESS)
    assert result.report.counters.retries == 1


@pytest.mark.row("B1")
def test_display_shows_the_stop_the_counters_and_the_worst_findings() -> None:
    shown = going(Limits(tool_calls=2)).display()

    assert "partial: tool_budget" in shown
    assert "tool_calls_business 2" in shown
    assert "TOOL_BUDGET_EXHAUSTED" in shown
    assert len(shown.splitlines()) <= 2 + 3


@pytest.mark.row("B2")
def test_a_summary_is_json_without_any_text_of_the_run() -> None:
    import json

    result = saying(calling("a secret"), Reply("A secret answer."))
    text = json.dumps(result.summary())

    assert "secret" not in text
    assert json.loads(text)["report"]["stop"] == "completed"


def reasons() -> Iterable[StopReason]:
    return REACHED


def test_no_reason_is_left_out() -> None:
    assert set(reasons()) == set(StopReason)
