"""What a dossier looks like, for the OpenAPI document and for nothing else.

The values are those of research.presentation.as_json.
"""

from collections.abc import Iterable
from typing import Any

from drf_spectacular.utils import inline_serializer
from rest_framework import serializers

from research.api.serializers.researchers import AnsweringOut
from research.api.serializers.snapshots import SnapshotOut
from research.api.serializers.subjects import SubjectOut
from research.models import ClaimTier, FactTier, Grade, Outcome, QuestionOutcome


def _counts(name: str, of: Iterable[str]) -> Any:
    """How many of each, noughts included, and their denominator."""
    fields: dict[str, serializers.Field[Any, Any, Any, Any]] = {
        key: serializers.IntegerField() for key in ("total", *of)
    }
    return inline_serializer(name, fields)


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
    facts = FactOut(many=True)


class FactsPart(serializers.Serializer[Any]):
    lookups = LookupOut(many=True)
    lookup_counts = _counts("LookupCounts", Outcome.values)
    fact_counts = _counts("FactCounts", FactTier.values)


class CitationOut(serializers.Serializer[Any]):
    """Half-open offsets into the snapshot's text: characters, and UTF-8 bytes."""

    id = serializers.CharField()
    snapshot = serializers.CharField()
    uri = serializers.CharField()
    quote = serializers.CharField()
    grade = serializers.ChoiceField(choices=Grade.choices)
    start = serializers.IntegerField(allow_null=True)
    end = serializers.IntegerField(allow_null=True)
    byte_start = serializers.IntegerField(allow_null=True)
    byte_end = serializers.IntegerField(allow_null=True)
    crosses_blocks = serializers.BooleanField()


class ClaimOut(serializers.Serializer[Any]):
    id = serializers.CharField()
    statement = serializers.CharField()
    tier = serializers.ChoiceField(choices=ClaimTier.choices)
    citations = CitationOut(many=True)


class RejectedClaimOut(ClaimOut):
    """Kept and counted, never evidence."""

    question = serializers.CharField()
    rejected_reason = serializers.CharField()


class QuestionOut(serializers.Serializer[Any]):
    """One line of the ledger. `not_checked` always has a reason."""

    key = serializers.CharField()
    wording = serializers.CharField()
    outcome = serializers.ChoiceField(choices=QuestionOutcome.choices)
    reason = serializers.CharField()
    searches = serializers.ListField(child=serializers.CharField())
    sources_read = serializers.IntegerField()
    claims = ClaimOut(many=True)


class FindingsRunOut(serializers.Serializer[Any]):
    """The run whose ledger this is."""

    id = serializers.CharField()
    researcher = AnsweringOut()
    ended = serializers.BooleanField()
    stop_reason = serializers.CharField()


class FindingsPart(serializers.Serializer[Any]):
    """Citations are counted of the accepted claims."""

    run = FindingsRunOut(allow_null=True)
    questions = QuestionOut(many=True)
    rejected_claims = RejectedClaimOut(many=True)
    question_counts = _counts("QuestionCounts", QuestionOutcome.values)
    claim_counts = _counts("ClaimCounts", ("accepted", "rejected"))
    citation_counts = _counts("CitationCounts", Grade.values)


class SourceOut(serializers.Serializer[Any]):
    id = serializers.CharField()
    uri = serializers.CharField()
    origin = serializers.CharField()
    snapshot = SnapshotOut()


class DossierOut(serializers.Serializer[Any]):
    """The agent's findings stand beside the facts and never among them."""

    id = serializers.CharField()
    case = serializers.CharField()
    number = serializers.IntegerField()
    subject = SubjectOut()
    subject_version = serializers.CharField()
    created_at = serializers.DateTimeField()
    collected_at = serializers.DateTimeField(allow_null=True)
    evidence_digest = serializers.CharField(
        help_text="The same as the ETag; a decision names it."
    )
    sources = SourceOut(many=True)
    facts = FactsPart()
    findings = FindingsPart()
