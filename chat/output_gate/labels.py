"""What a reader is told of an answer that is not a whole one."""

from collections.abc import Mapping

from chat.engine import Status, StopReason
from chat.engine.stops import NORMAL
from chat.output_gate.values import Answer

EMPTY = "Empty: there is no answer."
MISFIT = "Not valid: the answer does not have the form that was asked for."
PARTIAL = "Partial: the run did not come to its end."
_EARLY = "Stopped early: {why}, so the answer may lack what was still to come."
_FAULT = "Partial: {why}, and this is what there was by then."

_EARLY_STOPS: Mapping[StopReason, str] = {
    StopReason.TOOL_BUDGET: "the budget for tools was used up",
    StopReason.CONTEXT_TOOL_BUDGET: (
        "the budget for looking things up again was used up"
    ),
    StopReason.TOKEN_BUDGET: "the budget for tokens was used up",
    StopReason.COST_BUDGET: "the budget for money was used up",
    StopReason.ITERATION_LIMIT: "the limit of turns was reached",
    StopReason.DEADLINE: "the time for one run was over",
    StopReason.NO_PROGRESS: "the model repeated itself and nothing new came of it",
    StopReason.EMERGENCY_COMPACTION: "too much of what was read had to be put aside",
    StopReason.PAUSE_LIMIT: "the model paused too often in one turn",
    StopReason.TOOLS_UNAVAILABLE: "the tools gave nothing but errors",
    StopReason.PLUGIN_HALT: "the run was halted",
    StopReason.CANCELLED: "somebody cancelled the run",
    StopReason.AWAITING_APPROVAL: "the run waits for a person to decide on a step",
    StopReason.COVERAGE_INCOMPLETE: "not everything that was to be read was read",
}
_FAULTS: Mapping[StopReason, str] = {
    StopReason.LLM_TIMEOUT: "the model did not answer in time",
    StopReason.CONTEXT_OVERFLOW: "there was more to read than the model can hold",
    StopReason.PROVIDER_UNAVAILABLE: "the model could not be reached",
    StopReason.ERROR: "a fault stopped the run",
}
LABELS: Mapping[StopReason, str] = {
    **{stop: _EARLY.format(why=why) for stop, why in _EARLY_STOPS.items()},
    **{stop: _FAULT.format(why=why) for stop, why in _FAULTS.items()},
    StopReason.TRUNCATED: "Cut off: the answer breaks off at its limit of length.",
    StopReason.REFUSAL: (
        "Refused: the model would not go on, so what it wrote is no answer."
    ),
    StopReason.EMPTY_RESPONSE: EMPTY,
    StopReason.SCHEMA_INVALID: MISFIT,
    StopReason.CRITIC_ABSTAIN: (
        "Withheld: the check of the answer did not let it pass."
    ),
}


def labels_of(answer: Answer) -> tuple[str, ...]:
    """Sentences, each once; a complete answer has none."""
    stops = (answer.stop, *answer.secondary)
    labels = [LABELS[stop] for stop in stops if stop not in NORMAL]
    if answer.schema_valid is False:
        labels.append(MISFIT)
    if answer.final and not answer.text.strip():
        labels.append(EMPTY)
    if answer.status is not Status.SUCCESS and not labels:
        labels.append(PARTIAL)
    return tuple(dict.fromkeys(labels))
