"""What a failing provider does to a run."""

import pytest

from chat.engine import (
    ErrorKind,
    Limits,
    ModelFailed,
    ModelReply,
    ModelRequest,
    ModelRequested,
    Reply,
    RetryScheduled,
    ScriptedModel,
    Status,
    StopReason,
    Task,
    execute,
    run,
)
from tests.chat.engine.toolbox import Recorder, calling, echo, quick

TASK = Task("Look it up.")
pytestmark = pytest.mark.row("B12")
PASSING = [
    ErrorKind.RATE_LIMITED,
    ErrorKind.OVERLOADED,
    ErrorKind.UNAVAILABLE,
    ErrorKind.TIMEOUT,
]


def soon(kind: ErrorKind) -> Reply:
    return Reply.failure(kind, retry_after_s=0)


@pytest.mark.parametrize("kind", PASSING)
def test_a_passing_failure_is_tried_again_and_leaves_no_mark(kind: ErrorKind) -> None:
    model = ScriptedModel([soon(kind), soon(kind), Reply("Done.")])
    events = list(run(model, TASK))
    result = events[-1].result  # type: ignore[union-attr]

    assert (result.stop, result.status) == (StopReason.COMPLETED, Status.SUCCESS)
    retries = [event for event in events if isinstance(event, RetryScheduled)]
    assert [retry.attempt for retry in retries] == [2, 3]
    requests = [event for event in events if isinstance(event, ModelRequested)]
    assert [request.attempt for request in requests] == [1, 2, 3]
    assert result.report.counters.retries == 2


def test_failures_are_counted_for_each_request_anew() -> None:
    bad = [soon(ErrorKind.OVERLOADED)] * 2
    model = ScriptedModel([*bad, calling("a"), *bad, Reply("Done.")])
    result = execute(model, TASK, [echo()])

    assert (result.stop, result.report.counters.retries) == (StopReason.COMPLETED, 4)


@pytest.mark.parametrize(
    ("kind", "stop"),
    [
        (ErrorKind.RATE_LIMITED, StopReason.PROVIDER_UNAVAILABLE),
        (ErrorKind.OVERLOADED, StopReason.PROVIDER_UNAVAILABLE),
        (ErrorKind.UNAVAILABLE, StopReason.PROVIDER_UNAVAILABLE),
        (ErrorKind.TIMEOUT, StopReason.LLM_TIMEOUT),
    ],
)
def test_a_failure_that_stays_ends_the_run_by_name(
    kind: ErrorKind, stop: StopReason
) -> None:
    result = execute(ScriptedModel(lambda request: soon(kind)), TASK)

    assert (result.stop, result.status) == (stop, Status.ERROR)
    assert result.report.counters.model_calls == 3
    assert result.detail.startswith(kind.value)


@pytest.mark.parametrize(
    ("kind", "stop"),
    [
        (ErrorKind.SPEND_CAP, StopReason.PROVIDER_UNAVAILABLE),
        (ErrorKind.INVALID_REQUEST, StopReason.ERROR),
        (ErrorKind.AUTHENTICATION, StopReason.ERROR),
    ],
)
def test_what_a_retry_cannot_help_is_not_retried(
    kind: ErrorKind, stop: StopReason
) -> None:
    model = ScriptedModel([Reply.failure(kind, message="no"), Reply("Never asked.")])
    result = execute(model, TASK)

    assert (result.stop, result.detail) == (stop, f"{kind.value}: no")
    assert result.report.counters.model_calls == 1


def test_a_wait_beyond_the_deadline_is_not_begun() -> None:
    model = ScriptedModel([Reply.failure(ErrorKind.RATE_LIMITED, retry_after_s=600)])
    events = list(run(model, TASK, limits=Limits(deadline_s=60)))

    assert not any(isinstance(event, RetryScheduled) for event in events)
    failures = [event for event in events if isinstance(event, ModelFailed)]
    assert failures[0].retry_after_s == 600


def test_a_run_can_be_left_at_a_long_wait_and_resumed() -> None:
    script = [Reply.failure(ErrorKind.OVERLOADED, retry_after_s=600), Reply("Done.")]
    model, history = ScriptedModel(script), []
    events = run(model, TASK)
    for event in events:
        history.append(event)
        if isinstance(event, RetryScheduled):
            break
    events.close()

    result = execute(model, TASK, history=history)
    assert (result.stop, result.output) == (StopReason.COMPLETED, "Done.")


def test_a_cancel_is_heard_while_waiting_to_try_again() -> None:
    plugin = Recorder()
    model = ScriptedModel([Reply.failure(ErrorKind.OVERLOADED, retry_after_s=600)])
    for event in run(model, TASK, limits=quick(), plugins=[plugin]):
        if isinstance(event, RetryScheduled):
            plugin.reason = StopReason.CANCELLED
        last = event

    assert last.result.stop is StopReason.CANCELLED  # type: ignore[union-attr]


def test_a_model_that_breaks_its_promise_is_a_terminal_event() -> None:
    class Broken(ScriptedModel):
        def complete(self, request: ModelRequest) -> ModelReply:
            raise ZeroDivisionError("in the adapter")

    class Empty(ScriptedModel):
        def complete(self, request: ModelRequest) -> ModelReply:
            return "text"  # type: ignore[return-value]

    broken, empty = execute(Broken([]), TASK), execute(Empty([]), TASK)

    assert (broken.stop, empty.stop) == (StopReason.ERROR, StopReason.ERROR)
    assert "ZeroDivisionError: in the adapter" in broken.detail
    assert "returned a str and no ModelReply" in empty.detail


def test_a_script_that_is_over_says_so() -> None:
    result = execute(ScriptedModel([]), TASK)

    assert (result.stop, result.status) == (StopReason.ERROR, Status.ERROR)
    assert "The script has no reply left" in result.detail
