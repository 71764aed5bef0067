"""Why a run ended, and what that means for whoever reads the answer."""

from collections.abc import Collection
from enum import StrEnum


class StopReason(StrEnum):
    """The one primary reason; later ones go to AgentResult.secondary."""

    COMPLETED = "completed"
    STRUCTURED_OUTPUT = "structured_output"
    TOOL_BUDGET = "tool_budget"
    CONTEXT_TOOL_BUDGET = "context_tool_budget"
    TOKEN_BUDGET = "token_budget"  # noqa: S105, no password
    COST_BUDGET = "cost_budget"
    ITERATION_LIMIT = "iteration_limit"
    NO_PROGRESS = "no_progress"
    EMERGENCY_COMPACTION = "emergency_compaction"
    DEADLINE = "deadline"
    LLM_TIMEOUT = "llm_timeout"
    CONTEXT_OVERFLOW = "context_overflow"
    PAUSE_LIMIT = "pause_limit"
    TRUNCATED = "truncated"
    CRITIC_ABSTAIN = "critic_abstain"
    COVERAGE_INCOMPLETE = "coverage_incomplete"
    SCHEMA_INVALID = "schema_invalid"
    PLUGIN_HALT = "plugin_halt"
    AWAITING_APPROVAL = "awaiting_approval"
    EMPTY_RESPONSE = "empty_response"
    REFUSAL = "refusal"
    PROVIDER_UNAVAILABLE = "provider_unavailable"
    TOOLS_UNAVAILABLE = "tools_unavailable"
    CANCELLED = "cancelled"
    ERROR = "error"


class Status(StrEnum):
    """How good the outcome is, apart from why the run ended."""

    SUCCESS = "success"
    PARTIAL = "partial"
    ABSTAINED = "abstained"
    HALTED = "halted"
    SUSPENDED = "suspended"
    ERROR = "error"


class AnswerSource(StrEnum):
    """Which request the output came from.

    `closing` is the turn without tools after a stop, `finalizer` the one that was asked
    for an answer in the schema.
    """

    REPLY = "reply"
    CLOSING = "closing"
    FINALIZER = "finalizer"
    NONE = "none"


NORMAL = frozenset({StopReason.COMPLETED, StopReason.STRUCTURED_OUTPUT})
# These leave something to say, so the model gets one closing turn without tools.
WITH_CLOSING_TURN = frozenset(
    {
        StopReason.TOOL_BUDGET,
        StopReason.CONTEXT_TOOL_BUDGET,
        StopReason.TOKEN_BUDGET,
        StopReason.COST_BUDGET,
        StopReason.ITERATION_LIMIT,
        StopReason.NO_PROGRESS,
        StopReason.EMERGENCY_COMPACTION,
        StopReason.PAUSE_LIMIT,
        StopReason.TOOLS_UNAVAILABLE,
        StopReason.DEADLINE,
    }
)
# Somebody ended the run, whatever else had happened to it.
HALTING = frozenset({StopReason.CANCELLED, StopReason.PLUGIN_HALT})
_OWN_STATUS = {
    StopReason.CANCELLED: Status.HALTED,
    StopReason.PLUGIN_HALT: Status.HALTED,
    StopReason.AWAITING_APPROVAL: Status.SUSPENDED,
    StopReason.CRITIC_ABSTAIN: Status.ABSTAINED,
    StopReason.COVERAGE_INCOMPLETE: Status.ABSTAINED,
}


def status_of(
    stop: StopReason, *, answered: bool, secondary: Collection[StopReason] = ()
) -> Status:
    """Return the status that goes with `stop`, given whether there is any output."""
    if stop in _OWN_STATUS:
        return _OWN_STATUS[stop]
    if not HALTING.isdisjoint(secondary):
        return Status.HALTED
    if not answered:
        return Status.ERROR
    return Status.SUCCESS if stop in NORMAL else Status.PARTIAL
