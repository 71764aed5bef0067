"""A dossier as plain values that json.dumps takes; the REST dossier has this shape."""

import json
from collections import Counter
from datetime import datetime
from typing import Any

from research.evidence import Evidence
from research.exports.wording import researcher_note
from research.models import (
    Citation,
    Claim,
    Lookup,
    Outcome,
    Question,
    QuestionOutcome,
    Run,
    Source,
)

FORMAT = "weighhouse-dossier/1"


def dossier_as_json(evidence: Evidence) -> dict[str, Any]:
    """Facts and findings under keys of their own; times as ISO 8601 in UTC."""
    dossier, case = evidence.dossier, evidence.dossier.case
    return {
        "format": FORMAT,
        "id": dossier.public_id,
        "number": dossier.number,
        "subject": {
            "kind": case.subject_kind,
            "key": case.subject_key,
            "title": case.title,
            "version": dossier.subject_version or None,
        },
        "case": {"id": case.public_id, "status": case.status},
        "organization": {
            "id": case.organization.public_id,
            "slug": case.organization.slug,
        },
        "created_at": _time(dossier.created_at),
        "collected_at": _time(dossier.collected_at),
        "evidence_digest": evidence.digest,
        "researcher": _researcher(evidence.run),
        "counts": _counts(evidence),
        "facts": [_lookup(lookup) for lookup in evidence.lookups],
        "findings": [_question(question) for question in evidence.questions],
        "sources": [_source(source) for source in evidence.sources],
        "runs": [_run(run) for run in evidence.runs],
    }


def _researcher(run: Run | None) -> dict[str, Any]:
    return {
        "name": run.researcher if run else None,
        "language_model": None if run is None else run.researcher != "extractive",
        "note": researcher_note(run),
    }


def _counts(evidence: Evidence) -> dict[str, Any]:
    """Every figure with its denominator."""
    lookups = Counter(lookup.outcome for lookup in evidence.lookups)
    questions = Counter(question.outcome for question in evidence.questions)
    return {
        "lookups": {
            **{outcome: lookups[outcome] for outcome in Outcome.values},
            "total": lookups.total(),
        },
        "questions": {
            **{outcome: questions[outcome] for outcome in QuestionOutcome.values},
            "total": questions.total(),
        },
        "claims": {
            "accepted": len(evidence.accepted),
            "rejected": len(evidence.claims) - len(evidence.accepted),
            "total": len(evidence.claims),
        },
        "citations": {"proven": evidence.proven, "total": len(evidence.citations)},
    }


def _lookup(lookup: Lookup) -> dict[str, Any]:
    return {
        "source": lookup.source,
        "uri": lookup.uri or None,
        "outcome": lookup.outcome,
        "reason": lookup.reason or None,
        "latency_ms": lookup.latency_ms,
        "at": _time(lookup.at),
        "facts": [
            {
                "name": fact.name,
                "value": fact.value,
                "tier": fact.tier,
                "uri": fact.uri or None,
            }
            for fact in lookup.facts.all()
        ],
    }


def _question(question: Question) -> dict[str, Any]:
    claims = list(question.claims.all())
    return {
        "key": question.key,
        "wording": question.wording,
        "outcome": question.outcome,
        "reason": question.reason or None,
        "searches": json.loads(question.searches),
        "sources_read": question.sources_read,
        "claims": [_claim(claim) for claim in claims if not claim.rejected_reason],
        "rejected_claims": sum(bool(claim.rejected_reason) for claim in claims),
    }


def _claim(claim: Claim) -> dict[str, Any]:
    return {
        "id": claim.public_id,
        "statement": claim.statement,
        "tier": claim.tier,
        "citations": [_citation(citation) for citation in claim.citations.all()],
    }


def _citation(citation: Citation) -> dict[str, Any]:
    return {
        "id": citation.public_id,
        "quote": citation.quote,
        "grade": citation.grade,
        "source": citation.snapshot.uri,
        "snapshot": citation.snapshot.public_id,
        "text_sha256": citation.snapshot.text_sha256,
        "characters": _span(citation.start, citation.end),
        "bytes": _span(citation.byte_start, citation.byte_end),
        "crosses_blocks": citation.crosses_blocks,
    }


def _span(start: int | None, end: int | None) -> list[int] | None:
    """Half-open, in the archived text."""
    return None if start is None or end is None else [start, end]


def _source(source: Source) -> dict[str, Any]:
    snapshot = source.snapshot
    return {
        "id": source.public_id,
        "uri": source.uri,
        "title": snapshot.title,
        "origin": source.origin,
        "snapshot": snapshot.public_id,
        "media_type": snapshot.media_type,
        "body_sha256": snapshot.body_sha256,
        "body_bytes": snapshot.body_bytes,
        "text_sha256": snapshot.text_sha256,
        "text_chars": snapshot.text_chars,
        "text_truncated": snapshot.text_truncated,
        "characters_replaced": snapshot.replaced,
        "characters_removed": snapshot.removed,
        "reader_version": snapshot.reader_version,
        "taken_at": _time(snapshot.taken_at),
    }


def _run(run: Run) -> dict[str, Any]:
    return {
        "id": run.public_id,
        "status": run.status,
        "stop_reason": run.stop_reason or None,
        "error": run.error or None,
        "researcher": run.researcher,
        "attempts": run.attempts,
        "requested_by": run.requested_by.email,
        "queued_at": _time(run.queued_at),
        "started_at": _time(run.started_at),
        "finished_at": _time(run.finished_at),
    }


def _time(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()
