"""The calls of one turn: side by side, each answered once, in the order asked."""

from collections.abc import Generator
from copy import deepcopy
from time import monotonic
from typing import Any, TypeAlias

from chat.engine.admission import refuse_call
from chat.engine.errors import Abandon
from chat.engine.events import Event, ToolAnswered, ToolCalled, ToolOutcome
from chat.engine.messages import ToolCall
from chat.engine.running import Running
from chat.engine.threads import Job, describe
from chat.engine.tools import ToolResult, result_problem

Pending: TypeAlias = "ToolAnswered | Job[ToolResult]"


def answer_calls(run: Running) -> Generator[Event, None, None]:
    """Answer every open call.

    Call n + parallel_calls starts when call n is answered, so that the order of events
    does not depend on which thread is faster.
    """
    calls = tuple(run.state.open_calls.values())
    waiting = iter(calls)
    pending: dict[str, Pending] = {}
    for call in calls:
        while len(pending) < run.limits.parallel_calls:
            following = next(waiting, None)
            if following is None:
                break
            pending[following.id] = yield from _start(run, following)
        answered = yield from _answer(run, call, pending.pop(call.id))
        yield run.note(answered)


def _start(run: Running, call: ToolCall) -> Generator[Event, None, Pending]:
    refusal = refuse_call(run, call)
    if refusal is not None:
        return refusal
    answer = run.plugins.before_tool(call)
    if answer is not None:
        return ToolAnswered(call.id, call.name, answer, ToolOutcome.INTERCEPTED)
    tool = run.tools[call.name]
    yield run.note(ToolCalled(call, tool.kind))
    # A tool that changes its arguments must not change the transcript.
    arguments: Any = call.arguments
    return Job(lambda: tool.call(deepcopy(arguments)), call.name)


def _answer(
    run: Running, call: ToolCall, pending: Pending
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
