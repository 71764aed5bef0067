"""The words that every export uses for outcomes, tiers, lights and denominators."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from research.evidence import Evidence
from research.models import (
    Citation,
    Claim,
    ClaimTier,
    FactTier,
    Grade,
    Outcome,
    QuestionOutcome,
    Run,
)
from research.services.researchers import EXTRACTIVE

PEOPLE_DECIDE = "This dossier gathers and cites. It gives no score: people decide."
NO_LANGUAGE_MODEL = (
    "No language model was used: the extractive researcher picks sentences from the"
    " documents by fixed rules and quotes them as they stand."
)
LOOKUP_WORDS = {
    Outcome.FOUND: "found",
    Outcome.ABSENT: "checked, none",
    Outcome.UNKNOWN: "could not check",
}
QUESTION_WORDS = {
    QuestionOutcome.ANSWERED: "answered",
    QuestionOutcome.SEARCHED_NOT_FOUND: "searched, not found",
    QuestionOutcome.NOT_CHECKED: "not checked",
}
# A question's outcome is drawn like the lookup's that says the same.
SHAPES = {
    QuestionOutcome.ANSWERED: Outcome.FOUND,
    QuestionOutcome.SEARCHED_NOT_FOUND: Outcome.ABSENT,
    QuestionOutcome.NOT_CHECKED: Outcome.UNKNOWN,
}
FACT_TIER_WORDS = {
    FactTier.DECLARED: "declared",
    FactTier.OBSERVED: "observed",
}
CLAIM_TIER_WORDS = {
    ClaimTier.PUBLISHER: "the publisher's word",
    ClaimTier.PROVIDED: "from the documents provided",
}


@dataclass(frozen=True)
class Denominators:
    """How much was looked for, and what came of it, each as one sentence."""

    lookups: str
    questions: str
    quotes: str
    rejected: str


def denominators(evidence: Evidence) -> Denominators:
    lookups = Counter(lookup.outcome for lookup in evidence.lookups)
    questions = Counter(question.outcome for question in evidence.questions)
    rejected = len(evidence.claims) - len(evidence.accepted)
    return Denominators(
        lookups=_parts(lookups, LOOKUP_WORDS, "lookup"),
        questions=_parts(questions, QUESTION_WORDS, "question"),
        quotes=f"{evidence.proven} of {counted(len(evidence.citations), 'quote')}"
        " found again in the archived text.",
        rejected=f"{counted(rejected, 'claim')} rejected, because the quote or its"
        " question did not hold."
        if rejected
        else "",
    )


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def researcher_note(run: Run | None) -> str:
    """Who researched; says so where it was no language model."""
    if run is None:
        return "No run has researched this dossier."
    if run.researcher == EXTRACTIVE:
        return NO_LANGUAGE_MODEL
    return f"Researched by {run.researcher}."


def quote_light(citation: Citation) -> str:
    """Whether the quote is in the source, as one sentence."""
    if citation.grade == Grade.MISSING:
        return "Quote is not in the archived text."
    return f"Quote is in the archived text ({grade_and_place(citation)})."


def adds_words(claim: Claim) -> bool:
    """Whether the statement says more than its quotes, so that it is shown too."""
    statement = claim.statement.split()
    return any(row.quote.split() != statement for row in claim.citations.all())


def grade_and_place(citation: Citation) -> str:
    """How the quote stands in the archived text, and where."""
    if citation.grade == Grade.MISSING:
        return "not in the archived text"
    grade = "exact" if citation.grade == Grade.EXACT else "same but for typography"
    return (
        f"{grade}, characters {citation.start}–{citation.end},"
        f" bytes {citation.byte_start}–{citation.byte_end}"
    )


def run_end(run: Run) -> str:
    """How a run ended, and why where that says more."""
    said = run.stop_reason in {"", run.status}
    stop = "" if said else f" ({run.stop_reason.replace('_', ' ')})"
    return f"{run.status}{stop}, {moment(run.finished_at)}"


def moment(at: datetime | None) -> str:
    """A time with its zone, such as 30 Nov 2026, 14:05:09 UTC."""
    if at is None:
        return "not yet"
    return f"{at.astimezone(UTC):%d %b %Y, %H:%M:%S} UTC".lstrip("0")


def _parts(counts: Counter[str], words: Mapping[Any, str], noun: str) -> str:
    total = counted(counts.total(), noun)
    parts = "; ".join(f"{counts[key]} {word}" for key, word in words.items())
    return f"{total}: {parts}."
