"""A run in words: how it stands, why it ended, and who did the reading."""

from collections.abc import Mapping
from dataclasses import dataclass

from chat.engine import StopReason
from research.models import Run
from research.presentation.visible import one_line
from research.presentation.words import moment
from research.queries import models_that_answered
from research.services.researchers import EXTRACTIVE, is_language_model
from research.states import RunStatus

KEPT = (
    "each claim is in its words, and is kept only where code finds its quote in an"
    " archived document"
)
RUN_STATUSES: Mapping[str, str] = {
    RunStatus.QUEUED: "Waiting in the queue",
    RunStatus.RUNNING: "Under way",
    RunStatus.WAITING: "Waiting to try again",
    RunStatus.COMPLETED: "Completed",
    RunStatus.FAILED: "Failed",
    RunStatus.CANCELLED: "Cancelled",
}
STOPS: Mapping[str, str] = {
    StopReason.COMPLETED: "The researcher came to the end of its work.",
    StopReason.STRUCTURED_OUTPUT: "The model gave its answer in the form asked for.",
    StopReason.TOOL_BUDGET: "The budget for tools was used up.",
    StopReason.CONTEXT_TOOL_BUDGET: (
        "The budget for looking things up again was used up."
    ),
    StopReason.TOKEN_BUDGET: "The budget for tokens was used up.",
    StopReason.COST_BUDGET: "The budget for money was used up.",
    StopReason.ITERATION_LIMIT: "The limit of turns was reached.",
    StopReason.NO_PROGRESS: "The model repeated itself and nothing new came of it.",
    StopReason.EMERGENCY_COMPACTION: (
        "What was read had to be put aside too often for the model to go on."
    ),
    StopReason.PAUSE_LIMIT: "The model paused too often in one turn.",
    StopReason.CRITIC_ABSTAIN: "The check of the answer did not let it pass.",
    StopReason.COVERAGE_INCOMPLETE: "Not everything that was to be read was read.",
    StopReason.SCHEMA_INVALID: "The answer did not have the form asked for.",
    StopReason.AWAITING_APPROVAL: "It waits for a person to decide on a step.",
    StopReason.TOOLS_UNAVAILABLE: "The tools gave nothing but errors.",
    StopReason.DEADLINE: "The time for one run was over.",
    StopReason.LLM_TIMEOUT: "The model did not answer in time.",
    StopReason.CONTEXT_OVERFLOW: "There was more to read than the model can hold.",
    StopReason.TRUNCATED: "The model’s last answer was cut off.",
    StopReason.PLUGIN_HALT: "Research was switched off while the run was under way.",
    StopReason.EMPTY_RESPONSE: "The model gave an empty answer.",
    StopReason.REFUSAL: "The model refused to go on.",
    StopReason.PROVIDER_UNAVAILABLE: "The model could not be reached.",
    StopReason.CANCELLED: "Somebody cancelled it.",
    StopReason.ERROR: "A fault stopped it.",
}


def run_status_words(value: str) -> str:
    return RUN_STATUSES.get(value, value)


def stop_words(value: str) -> str:
    """Why the loop ended, as one sentence."""
    return STOPS.get(value, f"{value.replace('_', ' ').capitalize()}.")


def run_end(run: Run) -> str:
    """How and when a run ended, and why where that says more; whole sentences."""
    ended = f"{run_status_words(run.status)}, {moment(run.finished_at)}."
    says_more = run.stop_reason not in {"", run.status}
    return f"{ended} {stop_words(run.stop_reason)}" if says_more else ended


@dataclass(frozen=True)
class ResearcherNote:
    """Who did the reading, and how where that is to be said; a sentence as text."""

    who: str
    how: str = ""

    def __str__(self) -> str:
        return f"By {self.who}: {self.how}." if self.how else f"By {self.who}."


def researcher_note(run: Run) -> ResearcherNote:
    """Says of every researcher whether it is a language model, or that nobody knows."""
    name = run.researcher
    language_model = is_language_model(name)
    if language_model is None:
        return ResearcherNote(
            f"an unknown researcher, {name}",
            f"{_answered(run)}it is not installed here, so that nobody can tell whether"
            " it is a language model",
        )
    if language_model:
        return ResearcherNote(f"{name}, a language model", f"{_answered(run)}{KEPT}")
    how = (
        "it copies passages that match fixed patterns for each question, and concludes"
        " nothing"
        if name == EXTRACTIVE
        else ""
    )
    return ResearcherNote(f"the {name} researcher, which is no language model", how)


def _answered(run: Run) -> str:
    """Which models did, by the ids that their providers gave; empty for none."""
    models = " and ".join(map(one_line, models_that_answered(run)))
    return f"{models} answered; " if models else ""
