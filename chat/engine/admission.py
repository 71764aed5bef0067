"""Whether a request or a call may be made, asked before each one."""

from decimal import Decimal

from chat.engine.arguments import arguments_problem
from chat.engine.errors import Stopped
from chat.engine.events import ModelRequested, ToolAnswered, ToolOutcome
from chat.engine.messages import Message, ToolCall
from chat.engine.model import ModelRequest
from chat.engine.running import Running
from chat.engine.stops import StopReason
from chat.engine.tools import Tool, ToolResult

REPLY_FLOOR = 1024
CLOSING = (
    "This is the last turn, because of the limit '{stop}'. No tool can be called any "
    "more. Answer now from what you have, and say what is missing."
)
_CUT = (
    "The reply was cut at its token limit, so the call was not run. Send it again, "
    "shorter."
)


def admit_request(run: Running) -> tuple[ModelRequest, ModelRequested]:
    """Build the next request, or raise Stopped with the limit it would break."""
    state, closing = run.state, run.state.closing
    _check_turns(run)
    messages = tuple(state.messages)
    if closing:
        messages += (Message.user(CLOSING.format(stop=state.stop)),)
    request = ModelRequest(
        task=run.task,
        messages=messages,
        tools=() if closing else tuple(run.tools.values()),
        system=run.task.system,
        max_output_tokens=_output_room(run),
        timeout_s=_timeout(run),
    )
    estimate = run.model.estimate(request)
    _check_cost(run, estimate)
    return request, ModelRequested(
        iteration=state.counts["iterations"] + 1,
        attempt=state.failures + 1,
        closing=closing,
        prompt_tokens=state.prompt_tokens,
        estimate=estimate,
    )


def refuse_call(run: Running, call: ToolCall) -> ToolAnswered | None:
    """Return the answer to a call that must not run, or None if it may."""
    state, tool = run.state, run.tools.get(call.name)
    again = call.id in state.called
    if again and (state.stop or tool is None or not tool.idempotent):
        msg = "The call was interrupted; it may or may not have taken effect."
        return _refusal(call, msg, ToolOutcome.INTERRUPTED)
    if state.stop is not None:
        msg = "The run is ending; the call was not run."
        return _refusal(call, msg, ToolOutcome.REFUSED)
    if tool is None or state.cut_calls:
        msg = _unknown(run, call) if tool is None else _CUT
        return _refusal(call, msg, ToolOutcome.INVALID)
    problem = arguments_problem(tool.input_schema, call.arguments)
    if problem:
        return _refusal(call, f"{problem} Call it again.", ToolOutcome.INVALID)
    over = None if again else _over_budget(run, call, tool)
    return over or _too_late(run, call)


def _over_budget(run: Running, call: ToolCall, tool: Tool) -> ToolAnswered | None:
    context = tool.kind == "context"
    cap = run.limits.context_cap if context else run.limits.tool_cap
    if run.state.counts[f"tool_calls_{tool.kind}"] >= cap:
        stop = StopReason.CONTEXT_TOOL_BUDGET if context else StopReason.TOOL_BUDGET
        msg = f"The budget of {cap} {tool.kind} tool calls is used up; not run."
        return _refusal(call, msg, ToolOutcome.REFUSED, stop)
    return None


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


def _check_turns(run: Running) -> None:
    state, cap = run.state, run.limits.iteration_cap
    left = run.seconds_left()
    if left is not None and left <= 0:
        raise Stopped(StopReason.DEADLINE, "The deadline has passed.")
    if state.closing:
        return
    if state.exhausted is not None:
        msg = "The model asked for more tool calls than its budget holds."
        raise Stopped(state.exhausted, msg)
    if state.counts["iterations"] >= cap:
        raise Stopped(StopReason.ITERATION_LIMIT, f"{cap} turns are used up.")


def _output_room(run: Running) -> int | None:
    """Tokens the reply may have, None where nothing bounds it."""
    state, limits = run.state, run.limits
    wanted = limits.max_output_tokens or run.profile.max_output
    window = limits.window or run.profile.window
    if window is not None and state.prompt_tokens >= window:
        msg = f"About {state.prompt_tokens} tokens do not fit the window of {window}."
        raise Stopped(StopReason.CONTEXT_OVERFLOW, msg)
    if window is not None and wanted is not None:
        wanted = min(wanted, window - state.prompt_tokens)
    left = limits.tokens_left(state.tokens_used, closing=state.closing)
    if left is None or limits.tokens is None:
        return wanted
    room = left - state.prompt_tokens
    floor = 1 if state.closing else min(REPLY_FLOOR, limits.tokens // 10 + 1)
    if room < floor:
        msg = f"{state.tokens_used} of {limits.tokens} tokens are used."
        raise Stopped(StopReason.TOKEN_BUDGET, msg)
    return room if wanted is None else min(wanted, room)


def _timeout(run: Running) -> float | None:
    bounds = (run.limits.model_timeout_s, run.seconds_left())
    return min((each for each in bounds if each is not None), default=None)


def _check_cost(run: Running, estimate: Decimal | None) -> None:
    """An unknown estimate passes while money is left, an unknown spend does not."""
    state, limits = run.state, run.limits
    if limits.cost is None:
        return
    if state.cost is None:
        msg = "The price of an earlier request is unknown."
        raise Stopped(StopReason.COST_BUDGET, msg)
    left = limits.cost_left(state.cost, closing=state.closing) or Decimal(0)
    if left <= 0 if estimate is None else estimate > left:
        msg = f"{state.cost} of {limits.cost} is spent."
        raise Stopped(StopReason.COST_BUDGET, msg)
