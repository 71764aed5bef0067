"""The calls of one turn: side by side, each answered once, in the order asked."""

from collections import deque
from collections.abc import Generator, Iterable
from queue import SimpleQueue
from time import monotonic
from typing import Any, TypeAlias

from chat.engine.admission import refuse_call
from chat.engine.errors import Abandon, RequireApproval
from chat.engine.events import (
    ApprovalDecided,
    ApprovalRequested,
    Event,
    ToolAnswered,
    ToolCalled,
    ToolOutcome,
)
from chat.engine.json_value import copied
from chat.engine.messages import ToolCall
from chat.engine.running import Running
from chat.engine.threads import Bell, Job, describe
from chat.engine.tools import ToolResult, result_problem

APPROVAL = "The tool asks for a person's decision."

Pending: TypeAlias = "ToolAnswered | Job[ToolResult] | None"


def answer_calls(run: Running) -> Generator[Event, None, None]:
    """Answer every open call, except those that wait for a person.

    They start in the order asked, each as soon as one of `parallel_calls` places is
    free, and are answered in that order too, however fast each of them is.
    """
    ends = run.state.ending.stopped
    calls = tuple(run.state.round.open.values()) if ends else run.state.round.due
    under_way = _UnderWay(run, calls)
    for call in calls:
        yield from under_way.fill()
        while not under_way.is_over(call):
            yield from under_way.listen()
            if not under_way.is_over(call):
                yield from under_way.fill()
        pending = under_way.take(call)
        if pending is not None:
            yield run.note(_answered(run, call, pending))


class _UnderWay:
    """The calls that have begun and are not answered yet."""

    def __init__(self, run: Running, calls: Iterable[ToolCall]) -> None:
        self._run = run
        self._waiting = deque(calls)
        self._begun: dict[str, Pending] = {}
        self._bell: Bell = SimpleQueue()

    def fill(self) -> Generator[Event, None, None]:
        """Start calls while there are places for them."""
        while self._waiting and len(self._running()) < self._run.limits.parallel_calls:
            call = self._waiting.popleft()
            self._begun[call.id] = yield from _start(self._run, call, self._bell)

    def is_over(self, call: ToolCall) -> bool:
        """Whether it has begun, and nothing is to be waited for any more."""
        pending = self._begun.get(call.id)
        running = isinstance(pending, Job) and not _is_over(self._run, pending)
        return call.id in self._begun and not running

    def take(self, call: ToolCall) -> Pending:
        """Return what came of a call that is over."""
        return self._begun.pop(call.id)

    def listen(self) -> Generator[Event, None, None]:
        """Wait until one more call may be over."""
        times = [_seconds(self._run, job) for job in self._running()]
        known = [seconds for seconds in times if seconds is not None]
        yield from self._run.listen(self._bell, min(known, default=None))

    def _running(self) -> list[Job[ToolResult]]:
        jobs = (each for each in self._begun.values() if isinstance(each, Job))
        return [job for job in jobs if not _is_over(self._run, job)]


def _start(run: Running, call: ToolCall, bell: Bell) -> Generator[Event, None, Pending]:
    """Start the call, or answer it at once; None where a person must decide first."""
    if not run.state.ending.over:
        run.poll(waiting=True)
    refusal = refuse_call(run, call)
    if refusal is not None:
        return refusal
    decided = run.state.round.decided.get(call.id)
    if decided is not None and not decided.approved:
        return _denied(call, decided)
    tool = run.tools[call.name]
    reason = APPROVAL if tool.needs_approval else None
    try:
        answer = run.plugins.before_tool(call)
    except RequireApproval as ask:
        answer, reason = None, str(ask) or APPROVAL
    if answer is not None:
        return ToolAnswered(call.id, call.name, answer, ToolOutcome.INTERCEPTED)
    if reason is not None and decided is None:
        yield run.note(ApprovalRequested(call, reason))
        return None
    yield run.note(ToolCalled(call, tool.kind))
    # A tool that changes its arguments must not change the transcript.
    arguments: Any = call.arguments
    return Job(lambda: tool.call(copied(arguments)), call.name, bell)


def _denied(call: ToolCall, decided: ApprovalDecided) -> ToolAnswered:
    words = f"A person refused this call, so it was not run. {decided.note}".strip()
    result = ToolResult(words, is_error=True)
    return ToolAnswered(call.id, call.name, result, ToolOutcome.DENIED)


def _answered(
    run: Running, call: ToolCall, pending: ToolAnswered | Job[ToolResult]
) -> ToolAnswered:
    if isinstance(pending, ToolAnswered):
        return pending
    result, outcome = _outcome(pending) if pending.wait(0) else _timed_out()
    result = run.plugins.after_tool(call, result)
    return ToolAnswered(call.id, call.name, result, outcome)


def _is_over(run: Running, job: Job[ToolResult]) -> bool:
    if job.wait(0):
        return True
    seconds = _seconds(run, job)
    return seconds is not None and seconds <= 0


def _outcome(job: Job[ToolResult]) -> tuple[ToolResult, ToolOutcome]:
    if isinstance(job.error, Abandon):
        raise job.error
    result = job.value()
    problem = describe(job.error) if job.error else result_problem(result)
    if problem or result is None:
        failed = ToolResult(f"The tool failed: {problem}.", is_error=True)
        return failed, ToolOutcome.RAISED
    return result, ToolOutcome.RETURNED


def _timed_out() -> tuple[ToolResult, ToolOutcome]:
    msg = "The tool did not answer in time; it may or may not have taken effect."
    return ToolResult(msg, is_error=True), ToolOutcome.TIMED_OUT


def _seconds(run: Running, job: Job[ToolResult]) -> float | None:
    left, limit = run.seconds_left(), run.limits.tool_timeout_s
    if limit is None:
        return left
    own = job.started + limit - monotonic()
    return own if left is None else min(own, left)
