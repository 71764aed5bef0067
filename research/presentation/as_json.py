"""A dossier as plain values for json.dumps: what the REST API and `--json` answer.

The serializers of the API describe these values for its OpenAPI document.
"""

from datetime import UTC, datetime
from typing import Any

from research.evidence import Evidence
from research.models import (
    Citation,
    Claim,
    Lookup,
    Question,
    Run,
    Snapshot,
    Source,
)
from research.presentation.counts import Tally, tally
from research.presentation.findings import accepted, findings_run, rejected, searches
from research.queries import models_that_answered
from research.services.researchers import is_language_model


def dossier_as_json(evidence: Evidence) -> dict[str, Any]:
    """Facts and findings under keys of their own; times are ISO 8601 in UTC."""
    dossier, case = evidence.dossier, evidence.dossier.case
    counts = tally(evidence)
    return {
        "id": dossier.public_id,
        "case": case.public_id,
        "number": dossier.number,
        "subject": {"kind": case.subject_kind, "key": case.subject_key},
        "subject_version": dossier.subject_version,
        "created_at": _time(dossier.created_at),
        "collected_at": _time(dossier.collected_at),
        "evidence_digest": evidence.digest,
        "sources": [_source(source) for source in evidence.sources],
        "facts": _facts(evidence, counts),
        "findings": _findings(evidence, counts),
    }


def _facts(evidence: Evidence, counts: Tally) -> dict[str, Any]:
    return {
        "lookups": [_lookup(lookup) for lookup in evidence.lookups],
        "lookup_counts": counts.lookups,
        "fact_counts": counts.facts,
    }


def _findings(evidence: Evidence, counts: Tally) -> dict[str, Any]:
    run = findings_run(evidence)
    return {
        "run": _run(run) if run else None,
        "questions": [_question(question) for question in evidence.questions],
        "rejected_claims": [_rejected(claim) for claim in rejected(evidence.claims)],
        "question_counts": counts.questions,
        "claim_counts": counts.claims,
        "citation_counts": counts.citations,
    }


def _lookup(lookup: Lookup) -> dict[str, Any]:
    return {
        "source": lookup.source,
        "uri": lookup.uri,
        "outcome": lookup.outcome,
        "reason": lookup.reason,
        "latency_ms": lookup.latency_ms,
        "at": _time(lookup.at),
        "facts": [
            {
                "name": fact.name,
                "value": fact.value,
                "tier": fact.tier,
                "uri": fact.uri,
            }
            for fact in lookup.facts.all()
        ],
    }


def _run(run: Run) -> dict[str, Any]:
    language_model = is_language_model(run.researcher)
    return {
        "id": run.public_id,
        "researcher": {
            "name": run.researcher,
            "language_model": language_model,
            "models": [] if language_model is False else models_that_answered(run),
        },
        "ended": run.is_terminal,
        "stop_reason": run.stop_reason,
    }


def _question(question: Question) -> dict[str, Any]:
    return {
        "key": question.key,
        "wording": question.wording,
        "outcome": question.outcome,
        "reason": question.reason,
        "searches": searches(question),
        "sources_read": question.sources_read,
        "claims": [_claim(claim) for claim in accepted(question.claims.all())],
    }


def _claim(claim: Claim) -> dict[str, Any]:
    return {
        "id": claim.public_id,
        "statement": claim.statement,
        "tier": claim.tier,
        "citations": [_citation(citation) for citation in claim.citations.all()],
    }


def _rejected(claim: Claim) -> dict[str, Any]:
    return {
        **_claim(claim),
        "question": claim.question.key,
        "rejected_reason": claim.rejected_reason,
    }


def _citation(citation: Citation) -> dict[str, Any]:
    """Half-open offsets into the snapshot's text: characters, and UTF-8 bytes."""
    return {
        "id": citation.public_id,
        "snapshot": citation.snapshot.public_id,
        "uri": citation.snapshot.uri,
        "quote": citation.quote,
        "grade": citation.grade,
        "start": citation.start,
        "end": citation.end,
        "byte_start": citation.byte_start,
        "byte_end": citation.byte_end,
        "crosses_blocks": citation.crosses_blocks,
    }


def _source(source: Source) -> dict[str, Any]:
    return {
        "id": source.public_id,
        "uri": source.uri,
        "origin": source.origin,
        "snapshot": _snapshot(source.snapshot),
    }


def _snapshot(snapshot: Snapshot) -> dict[str, Any]:
    return {
        "id": snapshot.public_id,
        "uri": snapshot.uri,
        "title": snapshot.title,
        "media_type": snapshot.media_type,
        "body_sha256": snapshot.body_sha256,
        "body_bytes": snapshot.body_bytes,
        "text_sha256": snapshot.text_sha256,
        "text_chars": snapshot.text_chars,
        "text_truncated": snapshot.text_truncated,
        "reader_version": snapshot.reader_version,
        "replaced": snapshot.replaced,
        "removed": snapshot.removed,
        "taken_at": _time(snapshot.taken_at),
    }


def _time(at: datetime | None) -> str | None:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z") if at else None
