"""How much was looked for and what came of it: figures with their denominators."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from research.evidence import Evidence
from research.models import FactTier, Grade, Outcome, QuestionOutcome

Counts = Mapping[str, int]


@dataclass(frozen=True)
class Tally:
    """How many of each, noughts included, beside their `total`."""

    lookups: Counts
    facts: Counts
    questions: Counts
    claims: Counts
    # Of the accepted claims.
    citations: Counts


@dataclass(frozen=True)
class Denominators:
    """The same as one sentence each."""

    lookups: str
    questions: str
    quotes: str
    rejected: str


def tally(evidence: Evidence) -> Tally:
    facts = [fact.tier for row in evidence.lookups for fact in row.facts.all()]
    verdicts = [
        "rejected" if claim.rejected_reason else "accepted" for claim in evidence.claims
    ]
    return Tally(
        lookups=_counts(Outcome.values, (row.outcome for row in evidence.lookups)),
        facts=_counts(FactTier.values, facts),
        questions=_counts(
            QuestionOutcome.values, (row.outcome for row in evidence.questions)
        ),
        claims=_counts(("accepted", "rejected"), verdicts),
        citations=_counts(Grade.values, (row.grade for row in evidence.citations)),
    )


def denominators(evidence: Evidence) -> Denominators:
    counts = tally(evidence)
    return Denominators(
        lookups=_lookups(counts.lookups),
        questions=_questions(counts.questions),
        quotes=_quotes(counts.citations),
        rejected=_rejected(counts.claims),
    )


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _counts(names: Iterable[str], values: Iterable[str]) -> Counts:
    counter = Counter(values)
    return {"total": counter.total(), **{name: counter[name] for name in names}}


def _lookups(counts: Counts) -> str:
    return (
        f"{_share(counts, Outcome.FOUND, 'lookup')} found something,"
        f" {counts[Outcome.ABSENT]} found none,"
        f" {counts[Outcome.UNKNOWN]} could not be checked."
    )


def _questions(counts: Counts) -> str:
    return (
        f"{_share(counts, QuestionOutcome.ANSWERED, 'question')} answered,"
        f" {counts[QuestionOutcome.SEARCHED_NOT_FOUND]} searched and not found,"
        f" {counts[QuestionOutcome.NOT_CHECKED]} not checked."
    )


def _quotes(counts: Counts) -> str:
    if not counts["total"]:
        return "No quotes."
    proven = counts["total"] - counts[Grade.MISSING]
    where = "its snapshot" if counts["total"] == 1 else "their snapshots"
    return f"{proven} of {counted(counts['total'], 'quote')} found in {where}."


def _rejected(counts: Counts) -> str:
    apart = "; no evidence" if counts["rejected"] else ""
    return f"{_share(counts, 'rejected', 'claim')} rejected by code{apart}."


def _share(counts: Counts, name: str, noun: str) -> str:
    return f"{counts[name]} of {counted(counts['total'], noun)}"
