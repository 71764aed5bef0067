"""Tools, models and plugins that several engine tests need."""

from collections.abc import Iterable
from threading import Event as Flag
from typing import Any

from chat.engine import (
    AgentResult,
    Event,
    Limits,
    Message,
    ModelReply,
    ModelRequest,
    Plugin,
    Reply,
    RunFinished,
    ScriptedModel,
    StopReason,
    Tool,
    ToolResult,
)
from chat.engine.tools import ToolKind

TEXT = {"type": "object", "properties": {"text": {"type": "string"}}}


def echo(
    name: str = "echo", kind: ToolKind = "business", *, idempotent: bool = False
) -> Tool:
    """Return a tool that gives its text back."""

    def call(arguments: dict[str, Any]) -> ToolResult:
        return ToolResult(str(arguments.get("text", "")))

    return Tool(name, "Gives the text back.", TEXT, call, kind, idempotent)


def broken(error: BaseException) -> Tool:
    """Return a tool that raises `error`."""

    def call(arguments: dict[str, Any]) -> ToolResult:
        raise error

    return Tool("broken", "Fails.", TEXT, call)


def hanging(name: str = "hang", *, idempotent: bool = False) -> tuple[Tool, Flag]:
    """Return a tool that hangs until the flag is set."""
    flag = Flag()

    def call(arguments: dict[str, Any]) -> ToolResult:
        flag.wait(30)
        return ToolResult("late")

    return Tool(name, "Hangs.", TEXT, call, idempotent=idempotent), flag


def calling(*texts: str, tool: str = "echo") -> Reply:
    """Return a reply that calls `tool` once for each text."""
    return Reply(calls=[(tool, {"text": text}) for text in texts])


class HangingModel(ScriptedModel):
    """A model whose first `hangs` requests are never answered."""

    def __init__(self, *replies: Reply, hangs: int = 1) -> None:
        super().__init__(replies)
        self.hangs = hangs
        self.flag = Flag()

    def complete(self, request: ModelRequest) -> ModelReply:
        self.hangs -= 1
        if self.hangs >= 0:
            self.flag.wait(30)
        return super().complete(request)


class Recorder(Plugin):
    """Keeps what the hooks were shown; ends the run when `reason` is set."""

    def __init__(self, reason: StopReason | None = None) -> None:
        self.requests: list[ModelRequest] = []
        self.replies: list[ModelReply] = []
        self.calls: list[str] = []
        self.results: list[str] = []
        self.reason = reason

    def before_model(self, request: ModelRequest) -> None:
        self.requests.append(request)

    def after_model(self, reply: ModelReply) -> None:
        self.replies.append(reply)

    def before_tool(self, call: Any) -> ToolResult | None:
        self.calls.append(call.id)
        return None

    def after_tool(self, call: Any, result: ToolResult) -> ToolResult:
        self.results.append(result.content)
        return result

    def should_stop(self) -> StopReason | None:
        return self.reason

    @property
    def last_answers(self) -> Message:
        """The message with the results in the last request."""
        return next(
            each for each in reversed(self.requests[-1].messages) if each.results
        )


def quick(**changes: Any) -> Limits:
    """Return limits with a short tick, and what a test sets."""
    return Limits(**{"tick_s": 0.02, **changes})


def result_of(events: Iterable[Event]) -> AgentResult:
    """Drain the events and return the result in the last one."""
    last = list(events)[-1]
    assert isinstance(last, RunFinished)
    return last.result
