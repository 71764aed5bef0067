"""The calls of one turn: side by side, each answered once, in the order asked."""

from collections.abc import Generator
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
from chat.engine.threads import Job, describe
from chat.engine.tools import ToolResult, result_problem

APPROVAL = "The tool asks for a person's decision."

Pending: TypeAlias = "ToolAnswered | Job[ToolResult] | None"


def answer_calls(run: Running) -> Generator[Event, None, None]:
    """Answer every open call, except those that wait for a person.

    Call n + parallel_calls starts when call n is answered, so that the order of events
    does not depend on which thread is faster.
    """
    ends = run.state.ending.stopped
    calls = tuple(run.state.round.open.values()) if ends else run.state.round.due
    waiting = iter(calls)
    pending: dict[str, Pending] = {}
    for call in calls:
        while len(pending) < run.limits.parallel_calls:
            following = next(waiting, None)
            if following is None:
                break
            pending[following.id] = yield from _start(run, following)
        started = pending.pop(call.id)
        if started is not None:
            answered = yield from _answer(run, call, started)
            yield run.note(answered)


def _start(run: Running, call: ToolCall) -> Generator[Event, None, Pending]:
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
    return Job(lambda: tool.call(copied(arguments)), call.name)


def _denied(call: ToolCall, decided: ApprovalDecided) -> ToolAnswered:
    words = f"A person refused this call, so it was not run. {decided.note}".strip()
    result = ToolResult(words, is_error=True)
    return ToolAnswered(call.id, call.name, result, ToolOutcome.DENIED)


def _answer(
    run: Running, call: ToolCall, pending: ToolAnswered | Job[ToolResult]
) -> Generator[Event, None, ToolAnswered]:
    if isinstance(pending, ToolAnswered):
        return pending
    in_time = yield from run.wait_for(pending, _seconds(run, pending))
    result, outcome = _outcome(pending) if in_time else _timed_out()
    result = run.plugins.after_tool(call, result)
    return ToolAnswered(call.id, call.name, result, outcome)


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
