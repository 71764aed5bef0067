"""A dossier's evidence read once, in a handful of queries, and its digest.

Every page, API field, export and decision reads this one value, so that what a
reviewer saw is what the decision freezes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Prefetch

from research.canonical import canonical_json, sha256_hex
from research.models import (
    Citation,
    Claim,
    Dossier,
    Grade,
    Lookup,
    Question,
    Run,
    Source,
)
from research.states import TERMINAL_RUN_STATUSES, RunStatus

DIGEST_VERSION = 1


@dataclass(frozen=True)
class Evidence:
    """Facts and findings, kept apart. Rows are prefetched: reading them is free."""

    dossier: Dossier
    sources: Sequence[Source]
    lookups: Sequence[Lookup]
    runs: Sequence[Run]

    @property
    def run(self) -> Run | None:
        """The newest run on this dossier."""
        return self.runs[0] if self.runs else None

    @property
    def reviewable(self) -> bool:
        """Whether a run on it was completed: only then can it be decided on."""
        return any(run.status == RunStatus.COMPLETED for run in self.runs)

    @cached_property
    def questions(self) -> list[Question]:
        """The ledger of the newest run that has one."""
        ledgers = (list(run.questions.all()) for run in self.runs)
        return next((ledger for ledger in ledgers if ledger), [])

    @cached_property
    def claims(self) -> list[Claim]:
        return [claim for item in self.questions for claim in item.claims.all()]

    @property
    def accepted(self) -> list[Claim]:
        return [claim for claim in self.claims if not claim.rejected_reason]

    @cached_property
    def citations(self) -> list[Citation]:
        return [row for claim in self.accepted for row in claim.citations.all()]

    @property
    def proven(self) -> int:
        """How many of `citations` stand in their snapshot."""
        return sum(row.grade != Grade.MISSING for row in self.citations)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over all that is shown, without times and without ids."""
        return sha256_hex(canonical_json(_digestible(self)))


def load_evidence(dossier: Dossier) -> Evidence:
    """Eight queries, however many citations there are."""
    citations = Citation.objects.select_related("snapshot")
    claims = Claim.objects.prefetch_related(Prefetch("citations", citations))
    questions = Question.objects.prefetch_related(Prefetch("claims", claims))
    runs = (
        dossier.runs.select_related("requested_by")
        .defer("report")
        .prefetch_related(Prefetch("questions", questions))
    )
    return Evidence(
        dossier=dossier,
        sources=list(dossier.sources.select_related("snapshot")),
        lookups=list(dossier.lookups.prefetch_related("facts")),
        runs=list(runs),
    )


def _digestible(evidence: Evidence) -> dict[str, Any]:
    case = evidence.dossier.case
    return {
        "version": DIGEST_VERSION,
        "subject": [case.subject_kind, case.subject_key],
        "subject_version": evidence.dossier.subject_version,
        "sources": [_source(source) for source in evidence.sources],
        "lookups": [_lookup(lookup) for lookup in evidence.lookups],
        "runs": [
            [
                run.researcher,
                run.status,
                run.stop_reason,
                [_question(question) for question in run.questions.all()],
            ]
            for run in evidence.runs
            if run.status in TERMINAL_RUN_STATUSES
        ],
    }


def _source(source: Source) -> list[Any]:
    snapshot = source.snapshot
    return [
        source.uri,
        source.origin,
        snapshot.title,
        snapshot.media_type,
        snapshot.body_sha256,
        snapshot.text_sha256,
        snapshot.reader_version,
        [snapshot.text_truncated, snapshot.replaced, snapshot.removed],
    ]


def _lookup(lookup: Lookup) -> list[Any]:
    facts = [
        [fact.name, fact.value, fact.tier, fact.uri] for fact in lookup.facts.all()
    ]
    return [lookup.source, lookup.uri, lookup.outcome, lookup.reason, facts]


def _question(question: Question) -> list[Any]:
    claims = [
        [
            claim.statement,
            claim.tier,
            claim.rejected_reason,
            [_citation(citation) for citation in claim.citations.all()],
        ]
        for claim in question.claims.all()
    ]
    return [
        question.key,
        question.wording,
        question.outcome,
        question.reason,
        question.searches,
        question.sources_read,
        claims,
    ]


def _citation(citation: Citation) -> list[Any]:
    return [
        citation.snapshot.uri,
        citation.snapshot.text_sha256,
        citation.quote,
        citation.grade,
        [citation.start, citation.end, citation.byte_start, citation.byte_end],
        citation.crosses_blocks,
    ]
