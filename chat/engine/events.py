"""What a run yields, in order. Those with a JSON form are journaled and replayed."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any, ClassVar, TypeAlias, get_args

from chat.engine.codec import decode, encode
from chat.engine.context.plan import Compaction
from chat.engine.messages import ToolCall
from chat.engine.model import ErrorHead, ErrorKind, ModelReply, TextDelta, Usage
from chat.engine.result import AgentResult
from chat.engine.stops import StopReason
from chat.engine.tools import ToolResult


@dataclass(frozen=True, slots=True, kw_only=True)
class _Journaled:
    """elapsed_s: seconds of wall clock that the run has used when this happens."""

    elapsed_s: float = 0.0


@dataclass(frozen=True, slots=True)
class RunStarted(_Journaled):
    """The first event of every run; a resumed run does not start again."""

    kind: ClassVar[str] = "run_started"

    task_id: str | None
    model: str
    tools: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModelRequested(_Journaled):
    """A request is about to be sent. Without an outcome after it, it counts as lost.

    attempt: 1 for the first. estimate: the most it may cost, None where unknown.
    prompt_tokens: estimated size. closing: this is the closing turn, without tools.
    """

    kind: ClassVar[str] = "model_requested"

    iteration: int
    attempt: int
    closing: bool
    prompt_tokens: int
    estimate: Decimal | None


@dataclass(frozen=True, slots=True)
class ModelReplied(_Journaled):
    """The whole reply, with its usage, before anything is done with it."""

    kind: ClassVar[str] = "model_replied"

    reply: ModelReply
    cost: Decimal | None


@dataclass(frozen=True, slots=True)
class ModelFailed(_Journaled):
    """The request failed; RetryScheduled follows if it is tried again.

    retry_after_s: how long the provider asked to wait. counted_tokens and limit_tokens:
    the prompt and the limit as the provider counted them. None where it did not say.
    usage: what was paid all the same, as far as the provider had counted it; cost: its
    price, None where it or the usage is unknown.
    """

    kind: ClassVar[str] = "model_failed"

    error_kind: ErrorKind
    message: str
    retry_after_s: float | None = None
    counted_tokens: int | None = None
    limit_tokens: int | None = None
    head: ErrorHead | None = None
    usage: Usage | None = None
    cost: Decimal | None = None


@dataclass(frozen=True, slots=True)
class RetryScheduled(_Journaled):
    """The request is sent again after `delay_s` seconds, as attempt `attempt`.

    A caller may close the run here and resume it later: it is then sent at once, and
    as attempt 1 if the caller ends the history with one that says so. Text
    that was streamed of the failed attempt counts for nothing. max_output_tokens: what
    replies are kept to from now on, where the provider found the last one too long.
    """

    kind: ClassVar[str] = "retry_scheduled"

    attempt: int
    delay_s: float
    max_output_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Compacted(_Journaled):
    """Older messages were put aside; `before` is what they took, in tokens."""

    kind: ClassVar[str] = "compacted"

    plan: Compaction
    before: int


@dataclass(frozen=True, slots=True)
class ToolCalled(_Journaled):
    """A call was admitted and is about to run."""

    kind: ClassVar[str] = "tool_called"

    call: ToolCall
    tool_kind: str


class ToolOutcome(StrEnum):
    """What became of a call. Only the first three ran.

    intercepted: by a plugin. denied: by a person.
    """

    RETURNED = "returned"
    RAISED = "raised"
    TIMED_OUT = "timed_out"
    INTERCEPTED = "intercepted"
    INVALID = "invalid"
    REFUSED = "refused"
    DENIED = "denied"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class ToolAnswered(_Journaled):
    """The one answer to a call. exhausted: the budget that refused it."""

    kind: ClassVar[str] = "tool_answered"

    call_id: str
    name: str
    result: ToolResult
    outcome: ToolOutcome = ToolOutcome.RETURNED
    exhausted: StopReason | None = None


@dataclass(frozen=True, slots=True)
class ApprovalRequested(_Journaled):
    """A person must decide on the call; `reason` is for that person.

    When no other call is left, the run ends as `suspended`.
    """

    kind: ClassVar[str] = "approval_requested"

    call: ToolCall
    reason: str


@dataclass(frozen=True, slots=True)
class ApprovalDecided(_Journaled):
    """A person's decision. The caller puts it after the events of a suspended run and
    gives them all to run() as its history.

    note: what the model is told about a refusal.
    """

    kind: ClassVar[str] = "approval_decided"

    call_id: str
    approved: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class AnswerChecked(_Journaled):
    """The last reply was held against the schema; `errors` are the validator's own."""

    kind: ClassVar[str] = "answer_checked"

    valid: bool
    errors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Nudged(_Journaled):
    """The loop says something to the model, as a user message."""

    kind: ClassVar[str] = "nudged"

    text: str


@dataclass(frozen=True, slots=True)
class Stopping(_Journaled):
    """The run cannot go on as before; a closing turn may still follow.

    withdrawn: no earlier answer stands, because a hook objects or failed.
    """

    kind: ClassVar[str] = "stopping"

    stop: StopReason
    detail: str
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class RunFinished(_Journaled):
    """The last event of every run; of a suspended one, the last until it goes on."""

    kind: ClassVar[str] = "run_finished"

    result: AgentResult


@dataclass(frozen=True, slots=True)
class Tick:
    """A sign of life while a call runs; never journaled."""

    kind: ClassVar[str] = "tick"

    elapsed_s: float


JournaledEvent: TypeAlias = (
    RunStarted
    | ModelRequested
    | ModelReplied
    | ModelFailed
    | RetryScheduled
    | Compacted
    | ToolCalled
    | ToolAnswered
    | ApprovalRequested
    | ApprovalDecided
    | AnswerChecked
    | Nudged
    | Stopping
    | RunFinished
)
Event: TypeAlias = JournaledEvent | Tick | TextDelta

_JOURNALED: Mapping[str, type[JournaledEvent]] = {
    cls.kind: cls for cls in get_args(JournaledEvent)
}


def is_journaled(event: Event) -> bool:
    """Tell whether the event belongs in a journal."""
    return event.kind in _JOURNALED


def event_to_json(event: Event) -> dict[str, Any]:
    """Return a journaled event as a JSON object; ValueError for the others."""
    if not is_journaled(event):
        msg = f"A {event.kind} event is not journaled."
        raise ValueError(msg)
    return {"kind": event.kind, **encode(event)}


def event_from_json(data: Mapping[str, Any]) -> JournaledEvent:
    """Read back what event_to_json wrote; ValueError where it is something else."""
    cls = _JOURNALED.get(str(data.get("kind")))
    if cls is None:
        msg = f"There is no journaled event of kind {data.get('kind')!r:.60}."
        raise ValueError(msg)
    return decode(cls, data)
