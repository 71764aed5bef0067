"""Cases, asks and decisions."""

from typing import Any

from rest_framework import serializers

from research.api.fields import AwareTime, StrictSerializer, Text
from research.api.serializers.people import PersonOut
from research.api.serializers.runs import RunOut
from research.api.serializers.subjects import MAX_SUBJECT, SubjectIn, SubjectOut
from research.models import Verdict
from research.queries import CaseHistory
from research.services.ask import MAX_TEXT
from research.states import CaseStatus, RunStatus

PUBLIC_ID = r"\A[a-z]+_[0-9a-z]{26}\Z"
DIGEST = r"\A[0-9a-f]{64}\Z"


class CasesIn(StrictSerializer):
    after = serializers.RegexField(
        PUBLIC_ID, required=False, help_text="The id of the last case you have."
    )
    status = serializers.ChoiceField(choices=CaseStatus.choices, required=False)
    subject = Text(
        required=False,
        max_length=MAX_SUBJECT,
        help_text="Only the case of this subject, in any version.",
    )


class AskIn(SubjectIn):
    justification = Text(max_length=MAX_TEXT)


class DecisionIn(StrictSerializer):
    verdict = serializers.ChoiceField(choices=Verdict.choices)
    rationale = Text(max_length=MAX_TEXT)
    conditions = Text(max_length=MAX_TEXT, required=False, allow_blank=True)
    expires_at = AwareTime(required=False, allow_null=True)
    evidence_digest = serializers.RegexField(
        DIGEST,
        required=False,
        help_text="What the dossier's ETag said; or send it as If-Match.",
    )


class CaseOut(serializers.Serializer[Any]):
    id = serializers.CharField(source="public_id")
    subject = SubjectOut(source="*")
    title = serializers.CharField()
    status = serializers.ChoiceField(choices=CaseStatus.choices)
    created_by = PersonOut()
    created_at = serializers.DateTimeField()
    changed_at = serializers.DateTimeField()


class CaseLineOut(CaseOut):
    newest_run_status = serializers.ChoiceField(
        choices=RunStatus.choices, source="run_status", allow_null=True
    )
    asks = serializers.IntegerField(source="asks_count")


class CasesOut(serializers.Serializer[Any]):
    items = CaseLineOut(many=True)
    next = serializers.CharField(allow_null=True)


class AskOut(serializers.Serializer[Any]):
    id = serializers.CharField(source="public_id")
    asked_by = PersonOut()
    justification = serializers.CharField()
    at = serializers.DateTimeField()


class DossierLineOut(serializers.Serializer[Any]):
    id = serializers.CharField(source="public_id")
    number = serializers.IntegerField()
    subject_version = serializers.CharField()
    created_at = serializers.DateTimeField()
    collected_at = serializers.DateTimeField(allow_null=True)


class DecisionOut(serializers.Serializer[Any]):
    """`evidence_digest` is frozen: what the decision was made on."""

    id = serializers.CharField(source="public_id")
    case = serializers.CharField(source="case.public_id")
    dossier = serializers.CharField(source="dossier.public_id")
    verdict = serializers.ChoiceField(choices=Verdict.choices)
    rationale = serializers.CharField()
    conditions = serializers.CharField()
    expires_at = serializers.DateTimeField(allow_null=True)
    evidence_digest = serializers.CharField()
    decided_by = PersonOut()
    at = serializers.DateTimeField()


class AsksPart(serializers.Serializer[Any]):
    total = serializers.IntegerField()
    newest = AskOut(many=True)


class DossiersPart(serializers.Serializer[Any]):
    total = serializers.IntegerField()
    newest = DossierLineOut(many=True)


class RunsPart(serializers.Serializer[Any]):
    total = serializers.IntegerField()
    newest = RunOut(many=True)


class DecisionsPart(serializers.Serializer[Any]):
    total = serializers.IntegerField()
    newest = DecisionOut(many=True)


class CaseFileOut(CaseOut):
    """A case with the newest 100 of each thing, and how many there are."""

    current_dossier = serializers.CharField(
        allow_null=True, help_text="The one that decisions are made on."
    )
    asks = AsksPart()
    dossiers = DossiersPart()
    runs = RunsPart()
    decisions = DecisionsPart()

    def to_representation(self, history: CaseHistory) -> dict[str, Any]:
        current = history.current_dossier
        return {
            **CaseOut(history.case).data,
            "current_dossier": current.public_id if current else None,
            "asks": AsksPart(history.asks).data,
            "dossiers": DossiersPart(history.dossiers).data,
            "runs": RunsPart(history.runs).data,
            "decisions": DecisionsPart(history.decisions).data,
        }


class AskedOut(serializers.Serializer[Any]):
    ask = AskOut(source="*")
    case = CaseOut()
