"""Hooks into a run. All are called on the thread that iterates over it."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from chat.engine.errors import ConfigurationError, RequireApproval
from chat.engine.json_value import copied
from chat.engine.messages import ToolCall
from chat.engine.model import ModelReply, ModelRequest
from chat.engine.stops import NORMAL, StopReason
from chat.engine.tools import ToolResult, result_problem


class Plugin:
    """Override what is needed; every hook does nothing by default.

    A hook may touch a database, since it runs on the iterating thread. It may raise
    Halt to end the run or a subclass of Abandon to leave it; anything else it raises
    ends the run with stop `error`. Text deltas are yielded while a reply is written,
    before any hook has seen it. A resumed run calls no hook for what it replays,
    except after_model for a reply that was the last thing journaled.
    """

    def before_model(self, request: ModelRequest) -> None:
        """Called before every request, also before one that is sent again."""

    def after_model(self, reply: ModelReply) -> None:
        """Called after the ModelReplied event was yielded."""

    def before_tool(self, call: ToolCall) -> ToolResult | None:
        """Called for an admitted call; a result is the answer, and nothing runs.

        Raise RequireApproval to stop the run until a person has decided on the call.
        """
        return None

    def after_tool(self, call: ToolCall, result: ToolResult) -> ToolResult:
        """Called with what a call gave; what it returns is journaled and sent."""
        return result

    def should_stop(self) -> StopReason | None:
        """Called at every step and tick; a reason ends the run.

        Budgets and the deadline let calls finish and leave a closing turn; every other
        reason ends the run at once.
        """
        return None


# What only the loop can know: how an answer came about, or that a call waits.
_OF_THE_LOOP = NORMAL | {
    StopReason.AWAITING_APPROVAL,
    StopReason.EMPTY_RESPONSE,
    StopReason.REFUSAL,
    StopReason.SCHEMA_INVALID,
    StopReason.TRUNCATED,
}
HOOKS = ("before_model", "after_model", "before_tool", "after_tool", "should_stop")


class Plugins:
    """All plugins of one run, asked in the order given."""

    def __init__(self, plugins: Iterable[Plugin]) -> None:
        self._plugins = tuple(plugins)
        for plugin in self._plugins:
            missing = [name for name in HOOKS if not callable(getattr(plugin, name, 0))]
            if missing:
                msg = f"{type(plugin).__name__} is no Plugin: it lacks {missing[0]}."
                raise ConfigurationError(msg)

    def before_model(self, request: ModelRequest) -> None:
        """Tell every plugin."""
        for plugin in self._plugins:
            plugin.before_model(request)

    def after_model(self, reply: ModelReply) -> None:
        """Tell every plugin."""
        for plugin in self._plugins:
            plugin.after_model(replace(reply, calls=tuple(map(_own, reply.calls))))

    def before_tool(self, call: ToolCall) -> ToolResult | None:
        """Return the first answer a plugin gives.

        Raises RequireApproval where one wants a person and none has an answer: what a
        person allows, no other plugin was kept from refusing.
        """
        wanted: RequireApproval | None = None
        for plugin in self._plugins:
            try:
                result = plugin.before_tool(_own(call))
            except RequireApproval as ask:
                wanted = wanted or ask
                continue
            if result is not None:
                return _sound(result)
        if wanted is not None:
            raise wanted
        return None

    def after_tool(self, call: ToolCall, result: ToolResult) -> ToolResult:
        """Pass the result through every plugin."""
        for plugin in self._plugins:
            result = _sound(plugin.after_tool(_own(call), result))
        return result

    def should_stop(self) -> StopReason | None:
        """Return the first reason a plugin gives."""
        for plugin in self._plugins:
            reason = plugin.should_stop()
            if reason in _OF_THE_LOOP:
                msg = f"A plugin cannot stop a run as {reason}: the loop decides that."
                raise TypeError(msg)
            if reason is not None:
                return StopReason(reason)
        return None


def _own(call: ToolCall) -> ToolCall:
    """A call for one plugin: what it changes there reaches nobody else."""
    arguments: Any = call.arguments
    return replace(call, arguments=copied(arguments))


def _sound(result: ToolResult) -> ToolResult:
    problem = result_problem(result)
    if problem:
        msg = f"A plugin's result cannot be used: {problem}."
        raise TypeError(msg)
    return result
