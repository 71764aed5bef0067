"""Why a run ended, and what that means for whoever reads the answer."""

from enum import StrEnum


class StopReason(StrEnum):
    """The one primary reason; later ones go to AgentResult.secondary."""

    COMPLETED = "completed"
    TOOL_BUDGET = "tool_budget"
    CONTEXT_TOOL_BUDGET = "context_tool_budget"
    TOKEN_BUDGET = "token_budget"  # noqa: S105, no password
    COST_BUDGET = "cost_budget"
    ITERATION_LIMIT = "iteration_limit"
    DEADLINE = "deadline"
    LLM_TIMEOUT = "llm_timeout"
    CONTEXT_OVERFLOW = "context_overflow"
    TRUNCATED = "truncated"
    PLUGIN_HALT = "plugin_halt"
    EMPTY_RESPONSE = "empty_response"
    REFUSAL = "refusal"
    PROVIDER_UNAVAILABLE = "provider_unavailable"
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
    """Which request the output came from."""

    REPLY = "reply"
    CLOSING = "closing"
    NONE = "none"


# These leave something to say, so the model gets one closing turn without tools.
WITH_CLOSING_TURN = frozenset(
    {
        StopReason.TOOL_BUDGET,
        StopReason.CONTEXT_TOOL_BUDGET,
        StopReason.TOKEN_BUDGET,
        StopReason.COST_BUDGET,
        StopReason.ITERATION_LIMIT,
        StopReason.DEADLINE,
    }
)


def status_of(stop: StopReason, *, answered: bool) -> Status:
    """Return the status that goes with `stop`, given whether there is any output."""
    if stop in (StopReason.CANCELLED, StopReason.PLUGIN_HALT):
        return Status.HALTED
    if not answered:
        return Status.ERROR
    return Status.SUCCESS if stop is StopReason.COMPLETED else Status.PARTIAL
