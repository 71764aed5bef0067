"""Every noun of the product, one file each."""

from research.models.case import Ask, Case
from research.models.claim import (
    Citation,
    Claim,
    ClaimTier,
    Grade,
    Question,
    QuestionOutcome,
)
from research.models.decision import Decision, Verdict
from research.models.dossier import Dossier, Fact, FactTier, Lookup, Outcome
from research.models.permit import RetentionPermit
from research.models.run import Run, RunEvent
from research.models.source import Snapshot, Source
from research.models.worker import WorkerBeat

__all__ = [
    "Ask",
    "Case",
    "Citation",
    "Claim",
    "ClaimTier",
    "Decision",
    "Dossier",
    "Fact",
    "FactTier",
    "Grade",
    "Lookup",
    "Outcome",
    "Question",
    "QuestionOutcome",
    "RetentionPermit",
    "Run",
    "RunEvent",
    "Snapshot",
    "Source",
    "Verdict",
    "WorkerBeat",
]
