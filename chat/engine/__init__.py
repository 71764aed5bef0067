"""The agent loop: no Django, no I/O of its own, no provider names.

for event in run(model, Task("..."), tools): ...      the loop, event by event
result = execute(model, Task("..."), tools)           the same, drained
"""

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
from chat.engine.limits import ClosingReserve, Limits
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
from chat.engine.report import Counters, RunReport
from chat.engine.result import AgentResult, StructuredOutcome
from chat.engine.scripted import Reply, ScriptedModel
from chat.engine.stops import AnswerSource, Status, StopReason
from chat.engine.task import Task
from chat.engine.tools import Tool, ToolResult

__all__ = [
    "Abandon",
    "AgentResult",
    "AnswerChecked",
    "AnswerSource",
    "ApprovalDecided",
    "ApprovalRequested",
    "CallResult",
    "ClosingReserve",
    "Compacted",
    "Compaction",
    "ConfigurationError",
    "Counters",
    "ErrorKind",
    "Event",
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
    "Reply",
    "ReplyStop",
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
    "ToolOutcome",
    "ToolResult",
    "Usage",
    "arguments_from_text",
    "event_from_json",
    "event_to_json",
    "execute",
    "is_journaled",
    "message_from_json",
    "message_to_json",
    "run",
]
