"""A dossier: facts and findings, kept apart, each with its denominators."""

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from research.api.serializers.researchers import ResearcherOut
from research.api.serializers.snapshots import SnapshotOut
from research.api.serializers.subjects import SubjectOut
from research.evidence import Evidence
from research.models import (
    ClaimTier,
    FactTier,
    Grade,
    Outcome,
    Question,
    QuestionOutcome,
)


class FactOut(serializers.Serializer[Any]):
    name = serializers.CharField()
    value = serializers.CharField()
    tier = serializers.ChoiceField(choices=FactTier.choices)
    uri = serializers.CharField(help_text="The document that shows it.")


class LookupOut(serializers.Serializer[Any]):
    """`unknown` always has a reason: a failed lookup is a named gap."""

    source = serializers.CharField()  # type: ignore[assignment]
    uri = serializers.CharField()
    outcome = serializers.ChoiceField(choices=Outcome.choices)
    reason = serializers.CharField()
    latency_ms = serializers.IntegerField()
    at = serializers.DateTimeField()
    facts = FactOut(many=True, source="facts.all")


class LookupCounts(serializers.Serializer[Any]):
    total = serializers.IntegerField()
    found = serializers.IntegerField()
    absent = serializers.IntegerField()
    unknown = serializers.IntegerField()


class FactCounts(serializers.Serializer[Any]):
    total = serializers.IntegerField()
    declared = serializers.IntegerField()
    observed = serializers.IntegerField()


class FactsPart(serializers.Serializer[Any]):
    lookups = LookupOut(many=True)
    lookup_counts = LookupCounts()
    fact_counts = FactCounts()


class CitationOut(serializers.Serializer[Any]):
    """Half-open offsets into the snapshot's text: characters, and UTF-8 bytes."""

    id = serializers.CharField(source="public_id")
    snapshot = serializers.CharField(source="snapshot.public_id")
    uri = serializers.CharField(source="snapshot.uri")
    quote = serializers.CharField()
    grade = serializers.ChoiceField(choices=Grade.choices)
    start = serializers.IntegerField(allow_null=True)
    end = serializers.IntegerField(allow_null=True)
    byte_start = serializers.IntegerField(allow_null=True)
    byte_end = serializers.IntegerField(allow_null=True)
    crosses_blocks = serializers.BooleanField()


class ClaimOut(serializers.Serializer[Any]):
    id = serializers.CharField(source="public_id")
    statement = serializers.CharField()
    tier = serializers.ChoiceField(choices=ClaimTier.choices)
    citations = CitationOut(many=True, source="citations.all")


class RejectedClaimOut(ClaimOut):
    """Kept and counted, never evidence."""

    question = serializers.CharField(source="question.key")
    rejected_reason = serializers.CharField()


class QuestionOut(serializers.Serializer[Any]):
    """One line of the ledger. `not_checked` always has a reason."""

    key = serializers.CharField()
    wording = serializers.CharField()
    outcome = serializers.ChoiceField(choices=QuestionOutcome.choices)
    reason = serializers.CharField()
    searches = serializers.SerializerMethodField()
    sources_read = serializers.IntegerField()
    claims = serializers.SerializerMethodField()

    def get_searches(self, question: Question) -> list[str]:
        return [str(search) for search in json.loads(question.searches)]

    @extend_schema_field(ClaimOut(many=True))
    def get_claims(self, question: Question) -> Any:
        accepted = [row for row in question.claims.all() if not row.rejected_reason]
        return ClaimOut(accepted, many=True).data


class QuestionCounts(serializers.Serializer[Any]):
    total = serializers.IntegerField()
    answered = serializers.IntegerField()
    searched_not_found = serializers.IntegerField()
    not_checked = serializers.IntegerField()


class ClaimCounts(serializers.Serializer[Any]):
    total = serializers.IntegerField()
    accepted = serializers.IntegerField()
    rejected = serializers.IntegerField()


class CitationCounts(serializers.Serializer[Any]):
    """Of the accepted claims."""

    total = serializers.IntegerField()
    exact = serializers.IntegerField()
    typographic = serializers.IntegerField()
    missing = serializers.IntegerField()


class FindingsRunOut(serializers.Serializer[Any]):
    """The run whose ledger this is."""

    id = serializers.CharField(source="public_id")
    researcher = ResearcherOut(source="*")
    ended = serializers.BooleanField(source="is_terminal")
    stop_reason = serializers.CharField()


class FindingsPart(serializers.Serializer[Any]):
    run = FindingsRunOut(allow_null=True)
    questions = QuestionOut(many=True)
    rejected_claims = RejectedClaimOut(many=True)
    question_counts = QuestionCounts()
    claim_counts = ClaimCounts()
    citation_counts = CitationCounts()


class SourceOut(serializers.Serializer[Any]):
    id = serializers.CharField(source="public_id")
    uri = serializers.CharField()
    origin = serializers.CharField()
    snapshot = SnapshotOut()


class DossierOut(serializers.Serializer[Any]):
    """The agent's findings stand beside the facts and never among them."""

    id = serializers.CharField(source="dossier.public_id")
    case = serializers.CharField(source="dossier.case.public_id")
    number = serializers.IntegerField(source="dossier.number")
    subject = SubjectOut(source="dossier.case")
    subject_version = serializers.CharField(source="dossier.subject_version")
    created_at = serializers.DateTimeField(source="dossier.created_at")
    collected_at = serializers.DateTimeField(
        source="dossier.collected_at", allow_null=True
    )
    evidence_digest = serializers.CharField(
        source="digest", help_text="The same as the ETag; a decision names it."
    )
    sources = SourceOut(many=True)
    facts = serializers.SerializerMethodField()
    findings = serializers.SerializerMethodField()

    @extend_schema_field(FactsPart)
    def get_facts(self, evidence: Evidence) -> Any:
        lookups = evidence.lookups
        facts = [fact for row in lookups for fact in row.facts.all()]
        part = {
            "lookups": lookups,
            "lookup_counts": _counts(Outcome, (row.outcome for row in lookups)),
            "fact_counts": _counts(FactTier, (fact.tier for fact in facts)),
        }
        return FactsPart(part).data

    @extend_schema_field(FindingsPart)
    def get_findings(self, evidence: Evidence) -> Any:
        questions = evidence.questions
        outcomes = (question.outcome for question in questions)
        grades = (citation.grade for citation in evidence.citations)
        accepted = len(evidence.accepted)
        part = {
            "run": questions[0].run if questions else evidence.run,
            "questions": questions,
            "rejected_claims": [row for row in evidence.claims if row.rejected_reason],
            "question_counts": _counts(QuestionOutcome, outcomes),
            "claim_counts": {
                "total": len(evidence.claims),
                "accepted": accepted,
                "rejected": len(evidence.claims) - accepted,
            },
            "citation_counts": _counts(Grade, grades),
        }
        return FindingsPart(part).data


def _counts(names: Iterable[str], values: Iterable[str]) -> dict[str, int]:
    """How many of each, noughts included, and their denominator."""
    counted = Counter(values)
    return {"total": counted.total(), **{str(name): counted[name] for name in names}}
