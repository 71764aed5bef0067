"""Whether a request or a call may be made, asked before each one."""

import logging
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from chat.engine.arguments import arguments_problem
from chat.engine.errors import Stopped
from chat.engine.events import ModelRequested, ToolAnswered, ToolOutcome
from chat.engine.last_words import last_words
from chat.engine.messages import Message, ToolCall
from chat.engine.model import ModelRequest
from chat.engine.reply import known_cost
from chat.engine.room import request_tokens, window_of
from chat.engine.running import Running
from chat.engine.stops import StopReason
from chat.engine.tools import Tool, ToolResult

REPLY_FLOOR = 1024
_log = logging.getLogger(__name__)
_CUT = (
    "The reply was cut at its token limit, so the call was not run. Send it again, "
    "shorter."
)


def admit_request(run: Running) -> tuple[ModelRequest, ModelRequested]:
    """Build the next request, or raise Stopped with the limit it would break."""
    state, closing = run.state, run.state.ending.closing
    request = ModelRequest(
        task=run.task,
        messages=_messages(run),
        tools=() if closing else run.declared,
        system=run.task.system,
        max_output_tokens=_output_room(run),
        timeout_s=timeout(run),
        declared=run.declared,
        rewritten=state.transcript.rewritten,
        output_schema=_native_schema(run),
        disable_parallel_tool_use=run.limits.disable_parallel_tool_use,
        closing=closing,
    )
    estimate = _estimate(run, request)
    _check_cost(run, estimate)
    return request, ModelRequested(
        iteration=state.counts["iterations"] + 1,
        attempt=state.failures + 1,
        closing=closing,
        prompt_tokens=request_tokens(run),
        estimate=estimate,
    )


def _messages(run: Running) -> tuple[Message, ...]:
    """The transcript with the last words, which a paused last turn comes after."""
    said, words = run.state.transcript.messages, last_words(run)
    if words is None:
        return tuple(said)
    place = len(said) - run.state.turn.messages
    return (*said[:place], words, *said[place:])


def _native_schema(run: Running) -> Mapping[str, Any] | None:
    native = run.contract if run.may_be_native else None
    return None if native is None else native.json_schema


def _estimate(run: Running, request: ModelRequest) -> Decimal | None:
    """Ask what the request may cost; an estimate that fails is none."""
    try:
        return known_cost(run.model.estimate(request))
    except Exception:  # noqa: BLE001, unknown is a value of its own
        _log.warning("The estimate of a request failed.", exc_info=True)
        return None


def check_turns(run: Running) -> None:
    """Raise Stopped where no further turn may be taken."""
    state, limits = run.state, run.limits
    left = run.seconds_left()
    if left is not None and left <= 0:
        raise Stopped(StopReason.DEADLINE, "The deadline has passed.")
    if state.turn.pauses > limits.pauses:
        msg = f"One turn was paused {state.turn.pauses} times."
        raise Stopped(StopReason.PAUSE_LIMIT, msg)
    if state.ending.closing:
        return
    if state.exhausted is not None:
        msg = "The model asked for more tool calls than its budget holds."
        raise Stopped(state.exhausted, msg)
    if state.error_streak >= limits.error_rounds:
        msg = f"{state.error_streak} rounds gave nothing but errors."
        raise Stopped(StopReason.TOOLS_UNAVAILABLE, msg)
    if state.counts["iterations"] >= limits.iteration_cap and not state.turn.pauses:
        msg = f"{limits.iteration_cap} turns are used up."
        raise Stopped(StopReason.ITERATION_LIMIT, msg)
    if state.spinning:
        msg = "The same calls gave the same results, again and again."
        raise Stopped(StopReason.NO_PROGRESS, msg)


def refuse_call(run: Running, call: ToolCall) -> ToolAnswered | None:
    """Return the answer to a call that must not run, or None if it may."""
    state, tool = run.state, run.tools.get(call.name)
    again = call.id in state.called
    ends = state.ending.stopped
    if again and (ends or tool is None or not tool.idempotent):
        msg = "The call was interrupted; it may or may not have taken effect."
        return _refusal(call, msg, ToolOutcome.INTERRUPTED)
    if ends:
        msg = "The run is ending; the call was not run."
        return _refusal(call, msg, ToolOutcome.REFUSED)
    if tool is None or state.round.cut:
        msg = _unknown(run, call) if tool is None else _CUT
        return _refusal(call, msg, ToolOutcome.INVALID)
    problem = arguments_problem(tool.input_schema, call.arguments)
    if problem:
        return _refusal(call, f"{problem} Call it again.", ToolOutcome.INVALID)
    over = None if again else _over_budget(run, call, tool)
    return over or _too_late(run, call)


def _over_budget(run: Running, call: ToolCall, tool: Tool) -> ToolAnswered | None:
    """A call that waits for a person keeps its place: what is allowed must also run."""
    waiting = {each.id: run.tools.get(each.name) for each in _waiting(run)}
    if call.id in waiting:
        return None
    context = tool.kind == "context"
    cap = run.limits.context_cap if context else run.limits.tool_cap
    kept = sum(each is not None and each.kind == tool.kind for each in waiting.values())
    if run.state.counts[f"tool_calls_{tool.kind}"] + kept >= cap:
        stop = StopReason.CONTEXT_TOOL_BUDGET if context else StopReason.TOOL_BUDGET
        msg = f"The budget of {cap} {tool.kind} tool calls is used up; not run."
        return _refusal(call, msg, ToolOutcome.REFUSED, stop)
    return None


def _waiting(run: Running) -> Iterator[ToolCall]:
    """Calls that wait for a person's decision, or were allowed and have not begun."""
    state, calls = run.state, run.state.round
    for call in calls.open.values():
        decided = calls.decided.get(call.id)
        allowed = decided is not None and decided.approved
        if call.id in calls.awaiting or (allowed and call.id not in state.called):
            yield call


def _too_late(run: Running, call: ToolCall) -> ToolAnswered | None:
    left = run.seconds_left()
    if left is not None and left <= 0:
        msg = "The deadline has passed; the call was not run."
        return _refusal(call, msg, ToolOutcome.REFUSED)
    return None


def _refusal(
    call: ToolCall,
    content: str,
    outcome: ToolOutcome,
    exhausted: StopReason | None = None,
) -> ToolAnswered:
    result = ToolResult(content, is_error=True)
    return ToolAnswered(call.id, call.name, result, outcome, exhausted)


def _unknown(run: Running, call: ToolCall) -> str:
    names = ", ".join(sorted(run.tools)) or "none"
    return f"There is no tool called {call.name[:64]!r}. Tools: {names}."


def _output_room(run: Running) -> int | None:
    """Tokens the reply may have, None where nothing bounds it."""
    prompt, window = request_tokens(run), window_of(run)
    bounds = (run.budget.max_output, run.state.reply_cap, _token_room(run, prompt))
    known = [each for each in bounds if each is not None]
    if known and window is not None:
        known.append(window - prompt)
    return min(known, default=None)


def _token_room(run: Running, prompt: int) -> int | None:
    """What the token budget leaves for a reply.

    Where no reserve was set, a closing turn over all this and the reply must fit too.
    """
    limits, closing = run.limits, run.state.ending.closing
    used = run.state.tally.tokens_used
    left = limits.tokens_left(used, closing=closing)
    if left is None or limits.tokens is None:
        return None
    floor = min(REPLY_FLOOR, limits.tokens // 10 + 1)
    room = left - prompt
    if not closing and limits.closing_reserve.tokens is None:
        room = min(room, (limits.tokens - used - 2 * prompt - floor) // 2)
    if room < (1 if closing else floor):
        msg = f"{used} of {limits.tokens} tokens are used."
        raise Stopped(StopReason.TOKEN_BUDGET, msg)
    return room


def timeout(run: Running) -> float | None:
    """Seconds that a request may take from now on, None without limit."""
    bounds = (run.limits.model_timeout_s, run.seconds_left())
    return min((each for each in bounds if each is not None), default=None)


def _check_cost(run: Running, estimate: Decimal | None) -> None:
    """An unknown estimate passes while money is left, an unknown spend does not.

    Where no reserve was set, a closing turn of the same size must be payable too.
    """
    limits, cost, closing = run.limits, run.state.tally.cost, run.state.ending.closing
    if limits.cost is None:
        return
    if cost is None:
        msg = "The price of an earlier request is unknown."
        raise Stopped(StopReason.COST_BUDGET, msg)
    left = limits.cost_left(cost, closing=closing) or Decimal(0)
    if estimate is not None and not closing and limits.closing_reserve.cost is None:
        left = min(left, limits.cost - cost - estimate)
    if left <= 0 if estimate is None else estimate > left:
        msg = f"{cost} of {limits.cost} is spent."
        raise Stopped(StopReason.COST_BUDGET, msg)
