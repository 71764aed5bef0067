"""Runs and their journals."""

import json
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from research.api.fields import StrictSerializer
from research.api.serializers.people import PersonOut
from research.api.serializers.researchers import ResearcherOut
from research.models import Run
from research.presentation.answers import answer_of
from research.presentation.journal import ShownEvent, api_errors
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


class AnswerCitationOut(serializers.Serializer[Any]):
    """Named by the model's provider, checked by nobody; `start` and `end` are of the
    answer's `text`."""

    number = serializers.IntegerField(help_text="Of the source, from 1.")
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    kind = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]
    url = serializers.CharField(help_text="http(s); empty for a document of the run.")
    title = serializers.CharField()
    cited = serializers.CharField()


class AnswerOut(serializers.Serializer[Any]):
    """The researcher's closing words. They are no evidence: show `note` with them."""

    text = serializers.CharField(help_text="Plain text; escape it like any other.")
    html = serializers.CharField(
        help_text="The same laid out: safe, no style, no script, links to http(s)."
    )
    labels = serializers.ListField(
        child=serializers.CharField(),
        help_text="Why it is no whole answer; empty for one that is.",
    )
    citations = AnswerCitationOut(many=True)
    citations_refused = serializers.DictField(
        child=serializers.IntegerField(), help_text="How many, by reason."
    )
    note = serializers.CharField()


class ApiErrorOut(serializers.Serializer[Any]):
    """One failed request to the model, in the words of its API."""

    at = serializers.DateTimeField()
    kind = serializers.CharField()
    status = serializers.IntegerField(allow_null=True)
    type = serializers.CharField()
    code = serializers.CharField()
    request_id = serializers.CharField()
    message = serializers.CharField()


class RunInFullOut(RunOut):
    """The run with what its researcher said last, and what its API refused."""

    answer = serializers.SerializerMethodField(
        help_text="Null until the run has ended."
    )
    api_errors = serializers.SerializerMethodField(help_text="Oldest first.")

    @extend_schema_field(AnswerOut(allow_null=True))
    def get_answer(self, run: Run) -> Any:
        answer = answer_of(run)
        return AnswerOut(answer.to_json()).data if answer else None

    @extend_schema_field(ApiErrorOut(many=True))
    def get_api_errors(self, run: Run) -> Any:
        return ApiErrorOut(api_errors(run), many=True).data


class EventsIn(StrictSerializer):
    after = serializers.IntegerField(
        default=-1,
        min_value=-1,
        max_value=MAX_SEQ,
        help_text="The seq of the last event you have; -1 begins at the start.",
    )


class EventOut(serializers.Serializer[Any]):
    """`hash` is SHA-256 over the canonical JSON of
    [prev_hash, seq, kind, payload_sha256, at], and `payload_sha256` that of the payload
    as it is kept. What a model wrote is shown as it may be shown, with labels, so that
    `payload` is not always what was hashed."""

    seq = serializers.IntegerField()
    kind = serializers.CharField()
    # Exactly as hashed: DRF would write Z for +00:00.
    at = serializers.SerializerMethodField()
    payload = serializers.JSONField()
    payload_sha256 = serializers.CharField()
    prev_hash = serializers.CharField()
    hash = serializers.CharField()

    @extend_schema_field({"type": "string", "format": "date-time"})
    def get_at(self, event: ShownEvent) -> str:
        return event.at.isoformat()


class EventsOut(serializers.Serializer[Any]):
    items = EventOut(many=True)
    next = serializers.CharField(
        allow_null=True, help_text="Where to go on; null at the end for now."
    )
