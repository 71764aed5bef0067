"""Hooks into a run. All are called on the thread that iterates over it."""

from chat.engine.messages import ToolCall
from chat.engine.model import ModelReply, ModelRequest
from chat.engine.stops import StopReason
from chat.engine.tools import ToolResult


class Plugin:
    """Override what is needed; every hook does nothing by default.

    A hook may touch a database, since it runs on the iterating thread. It may raise
    Halt to end the run or a subclass of Abandon to leave it; anything else it raises
    ends the run with stop `error`. Hooks see each thing at most once, and nothing that
    a resumed run only replays.
    """

    def before_model(self, request: ModelRequest) -> None:
        """Called before every request, also before one that is sent again."""

    def after_model(self, reply: ModelReply) -> None:
        """Called after the ModelReplied event was yielded."""

    def before_tool(self, call: ToolCall) -> ToolResult | None:
        """Called for an admitted call; a result is the answer, and nothing runs."""
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
