"""Runs and their journals."""

import json
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from research.api.fields import StrictSerializer
from research.api.serializers.people import PersonOut
from research.api.serializers.researchers import ResearcherOut
from research.models import Run, RunEvent
from research.states import RunStatus

MAX_SEQ = 2_147_483_647


class RunOut(serializers.Serializer[Any]):
    """`stop_reason` says why the loop ended, apart from the status."""

    id = serializers.CharField(source="public_id")
    case = serializers.CharField(source="case.public_id")
    dossier = serializers.CharField(source="dossier.public_id")
    status = serializers.ChoiceField(choices=RunStatus.choices)
    stop_reason = serializers.CharField()
    error = serializers.CharField()
    researcher = ResearcherOut(source="*")
    attempts = serializers.IntegerField()
    requested_by = PersonOut()
    cancel_requested_at = serializers.DateTimeField(allow_null=True)
    queued_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    report = serializers.SerializerMethodField(
        help_text="Counters of the loop; null until the run has ended."
    )

    @extend_schema_field({"type": "object", "nullable": True})
    def get_report(self, run: Run) -> Any:
        return json.loads(run.report) if run.report else None


class EventsIn(StrictSerializer):
    after = serializers.IntegerField(
        default=-1,
        min_value=-1,
        max_value=MAX_SEQ,
        help_text="The seq of the last event you have; -1 begins at the start.",
    )


class EventOut(serializers.Serializer[Any]):
    """`hash` is SHA-256 over the canonical JSON of
    [prev_hash, seq, kind, canonical JSON of payload, at]."""

    seq = serializers.IntegerField()
    kind = serializers.CharField()
    # Exactly as hashed: DRF would write Z for +00:00.
    at = serializers.SerializerMethodField()
    payload = serializers.SerializerMethodField()
    prev_hash = serializers.CharField()
    hash = serializers.CharField()

    @extend_schema_field({"type": "string", "format": "date-time"})
    def get_at(self, event: RunEvent) -> str:
        return event.at.isoformat()

    @extend_schema_field({})
    def get_payload(self, event: RunEvent) -> Any:
        return json.loads(event.payload)


class EventsOut(serializers.Serializer[Any]):
    items = EventOut(many=True)
    next = serializers.CharField(
        allow_null=True, help_text="Where to go on; null at the end for now."
    )
