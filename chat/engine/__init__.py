"""The agent loop: no Django, no I/O of its own, no provider names.

for event in run(model, Task("..."), tools): ...      the loop, event by event
result = execute(model, Task("..."), tools)           the same, drained
analyze(result.report)                                what is to be said of it
"""

import importlib
from typing import TYPE_CHECKING

from chat.engine.budget import Budget
from chat.engine.context.plan import Compaction
from chat.engine.errors import Abandon, ConfigurationError, Halt, RequireApproval
from chat.engine.events import (
    AnswerChecked,
    ApprovalDecided,
    ApprovalRequested,
    Compacted,
    Event,
    JournaledEvent,
    ModelFailed,
    ModelReplied,
    ModelRequested,
    Nudged,
    RetryScheduled,
    RunFinished,
    RunStarted,
    Stopping,
    Tick,
    ToolAnswered,
    ToolCalled,
    ToolOutcome,
    event_from_json,
    event_to_json,
    is_journaled,
)
from chat.engine.limits import ClosingReserve, Limits, PreflightFloors
from chat.engine.loop import execute, run
from chat.engine.messages import (
    CallResult,
    Message,
    Role,
    ToolCall,
    arguments_from_text,
    message_from_json,
    message_to_json,
)
from chat.engine.model import (
    Citation,
    ErrorHead,
    ErrorKind,
    Model,
    ModelError,
    ModelProfile,
    ModelReply,
    ModelRequest,
    ReplyStop,
    TextDelta,
    Usage,
)
from chat.engine.plugins import Plugin
from chat.engine.preflight import Preflight
from chat.engine.report import Configuration, Counters, RunReport
from chat.engine.result import AgentResult, StructuredOutcome
from chat.engine.scripted import Reply, ScriptedModel
from chat.engine.stops import AnswerSource, Status, StopReason
from chat.engine.task import Task
from chat.engine.tools import Tool, ToolKind, ToolResult

if TYPE_CHECKING:
    from chat.engine.findings import Finding, analyze, registered_rules
    from chat.engine.loading import ReportError, load_report

__all__ = [
    "Abandon",
    "AgentResult",
    "AnswerChecked",
    "AnswerSource",
    "ApprovalDecided",
    "ApprovalRequested",
    "Budget",
    "CallResult",
    "Citation",
    "ClosingReserve",
    "Compacted",
    "Compaction",
    "Configuration",
    "ConfigurationError",
    "Counters",
    "ErrorHead",
    "ErrorKind",
    "Event",
    "Finding",
    "Halt",
    "JournaledEvent",
    "Limits",
    "Message",
    "Model",
    "ModelError",
    "ModelFailed",
    "ModelProfile",
    "ModelReplied",
    "ModelReply",
    "ModelRequest",
    "ModelRequested",
    "Nudged",
    "Plugin",
    "Preflight",
    "PreflightFloors",
    "Reply",
    "ReplyStop",
    "ReportError",
    "RequireApproval",
    "RetryScheduled",
    "Role",
    "RunFinished",
    "RunReport",
    "RunStarted",
    "ScriptedModel",
    "Status",
    "StopReason",
    "Stopping",
    "StructuredOutcome",
    "Task",
    "TextDelta",
    "Tick",
    "Tool",
    "ToolAnswered",
    "ToolCall",
    "ToolCalled",
    "ToolKind",
    "ToolOutcome",
    "ToolResult",
    "Usage",
    "analyze",
    "arguments_from_text",
    "event_from_json",
    "event_to_json",
    "execute",
    "is_journaled",
    "load_report",
    "message_from_json",
    "message_to_json",
    "registered_rules",
    "run",
]

# Judging a report is not needed to run, so that it is imported when it is asked for.
_ON_DEMAND = {
    "Finding": "chat.engine.findings",
    "analyze": "chat.engine.findings",
    "registered_rules": "chat.engine.findings",
    "ReportError": "chat.engine.loading",
    "load_report": "chat.engine.loading",
}


def __getattr__(name: str) -> object:
    if name not in _ON_DEMAND:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(importlib.import_module(_ON_DEMAND[name]), name)
