"""Stored values in plain words; one table each, and an unknown value as it is."""

from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum

from research.models import ClaimTier, Outcome, QuestionOutcome
from research.states import CaseStatus
from research.subjects.values import SubjectKind


class Sentence(StrEnum):
    """What is said in the same words wherever a dossier is shown."""

    PEOPLE_DECIDE = "This dossier gathers and cites. It gives no score: people decide."
    # The second light, which no code switches on yet.
    CLAIM_LIGHT = (
        "Whether a quote carries its claim has not been checked by code; read it."
    )
    NO_RUN = "No run has researched this dossier."
    NO_FINDINGS = "No run has left findings on this dossier."
    NO_LOOKUPS = (
        "No collector looks at this kind of subject yet, so there are no facts. The"
        " findings stand on the documents alone."
    )
    NO_DOCUMENTS = "No document was archived, so there was nothing to read."


KINDS: Mapping[str, str] = {
    SubjectKind.MCP_SERVER: "MCP server",
    SubjectKind.MCP_COMMAND: "MCP launch command",
    SubjectKind.PACKAGE: "Package",
    SubjectKind.VENDOR: "Vendor",
    SubjectKind.QUESTION: "Question",
}
CASE_STATUSES: Mapping[str, str] = {
    CaseStatus.UNREVIEWED: "Not reviewed",
    CaseStatus.REQUESTED: "Requested, not decided",
    CaseStatus.APPROVED: "Approved",
    CaseStatus.DENIED: "Denied",
    CaseStatus.SUPERSEDED: "Decided on older evidence",
}
LOOKUPS: Mapping[str, str] = {
    Outcome.FOUND: "found",
    Outcome.ABSENT: "checked, none",
    Outcome.UNKNOWN: "could not check",
}
QUESTIONS: Mapping[str, str] = {
    QuestionOutcome.ANSWERED: "Answered",
    QuestionOutcome.SEARCHED_NOT_FOUND: "Searched, not found",
    QuestionOutcome.NOT_CHECKED: "Not checked",
}
# Three answers, three shapes: a question's outcome has that of the like lookup.
SHAPES: Mapping[str, str] = {
    QuestionOutcome.ANSWERED: Outcome.FOUND,
    QuestionOutcome.SEARCHED_NOT_FOUND: Outcome.ABSENT,
    QuestionOutcome.NOT_CHECKED: Outcome.UNKNOWN,
}
TIERS: Mapping[str, str] = {
    ClaimTier.PUBLISHER: "the publisher’s word",
    ClaimTier.OBSERVED: "observed in what is installed",
    ClaimTier.PROVIDED: "from the documents provided",
}
REJECTIONS: Mapping[str, str] = {
    "quote_missing": "its quote is not in the archived text",
}


def kind_words(value: str) -> str:
    return KINDS.get(value, value)


def case_status_words(value: str) -> str:
    return CASE_STATUSES.get(value, value)


def lookup_words(outcome: str) -> str:
    return LOOKUPS.get(outcome, outcome)


def question_words(outcome: str) -> str:
    return QUESTIONS.get(outcome, outcome)


def shape(outcome: str) -> str:
    """`found`, `absent` or `unknown`, of a lookup's or a question's outcome."""
    return SHAPES.get(outcome, outcome)


def tier_words(claim_tier: str) -> str:
    return TIERS.get(claim_tier, claim_tier)


def rejection_words(value: str) -> str:
    return REJECTIONS.get(value, value.replace("_", " "))


def moment(at: datetime | None) -> str:
    """A time with its zone, such as 30 Nov 2026, 14:05:09 UTC."""
    if at is None:
        return "not yet"
    return f"{at.astimezone(UTC):%d %b %Y, %H:%M:%S} UTC".lstrip("0")


def minute(at: datetime) -> str:
    """The same without seconds, where a page has little room."""
    return f"{at.astimezone(UTC):%d %b %Y, %H:%M} UTC".lstrip("0")
