"""Research runs: start one, follow it, read its journal, cancel it."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.actor import require
from accounts.permissions import Action
from research.api.base import TenantView
from research.api.parsers import DocumentFormParser, JSONBodyParser
from research.api.schema import problems
from research.api.serializers.run_orders import RunFormIn, RunIn
from research.api.serializers.runs import (
    EventOut,
    EventsIn,
    EventsOut,
    RunInFullOut,
)
from research.api.serializers.subjects import subject_of
from research.presentation.journal import shown_events
from research.queries import events_after, run_by_id
from research.services.cancel_run import cancel_run
from research.services.start_run import require_features, start_run

EVENTS_PAGE = 200

EXAMPLES = [
    OpenApiExample(
        "A package",
        value={"subject": "pkg:pypi/bleach"},
        request_only=True,
        media_type="application/json",
    ),
    OpenApiExample(
        "A language model reads",
        summary="A name from /api/v1/researchers",
        value={"subject": "pkg:pypi/bleach", "researcher": "claude"},
        request_only=True,
        media_type="application/json",
    ),
    OpenApiExample(
        "A question",
        value={"question": "Does the vendor keep logs of tool calls, and how long?"},
        request_only=True,
        media_type="application/json",
    ),
]


class RunsView(TenantView):
    parser_classes = [JSONBodyParser, DocumentFormParser]

    @extend_schema(
        operation_id="start_run",
        summary="Start a run",
        request={"application/json": RunIn, "multipart/form-data": RunFormIn},
        responses={202: RunInFullOut, **problems(400, 409, 413, 415)},
        examples=EXAMPLES,
    )
    def post(self, request: Request) -> Response:
        """Queue a run on a subject or a question. `Location` is where to follow it."""
        # Asked before the body is read: it may be large.
        require(self.actor, Action.START_RUN, self.actor.organization)
        require_features(self.actor.organization)
        form = request.content_type.startswith("multipart/")
        checked = (RunFormIn if form else RunIn)(data=request.data)
        checked.is_valid(raise_exception=True)
        fields = checked.validated_data
        run = start_run(
            by=self.actor,
            subject=subject_of(fields),
            documents=[upload.document for upload in fields.get("document", [])],
            researcher=fields["researcher"],
        )
        where = reverse("api:run", args=[run.public_id])
        return Response(RunInFullOut(run).data, status=202, headers={"Location": where})


class RunView(TenantView):
    @extend_schema(
        operation_id="get_run",
        summary="A run",
        responses={200: RunInFullOut, **problems(404)},
    )
    def get(self, request: Request, run_id: str) -> Response:
        """Where a run stands. It has ended when `finished_at` is set."""
        return Response(RunInFullOut(run_by_id(self.actor.organization, run_id)).data)


class AsciiJSONRenderer(JSONRenderer):
    """A journal may hold half a surrogate pair, which UTF-8 cannot carry."""

    ensure_ascii = True


class EventsView(TenantView):
    renderer_classes = [AsciiJSONRenderer]

    @extend_schema(
        operation_id="list_events",
        summary="A run's journal",
        parameters=[EventsIn],
        responses={200: EventsOut, **problems(400, 404)},
    )
    def get(self, request: Request, run_id: str) -> Response:
        """Pages of 200 events, oldest first. Ask again with the last `seq`."""
        run = run_by_id(self.actor.organization, run_id)
        asked = EventsIn(data=request.query_params)
        asked.is_valid(raise_exception=True)
        rows = list(events_after(run, asked.validated_data["after"], EVENTS_PAGE + 1))
        page = rows[:EVENTS_PAGE]
        items = EventOut(shown_events(run, page), many=True).data
        body: dict[str, Any] = {"items": items, "next": None}
        if len(rows) > len(page):
            here = reverse("api:events", args=[run.public_id])
            body["next"] = f"{here}?after={page[-1].seq}"
        return Response(body)


class CancelView(TenantView):
    @extend_schema(
        operation_id="cancel_run",
        summary="Cancel a run",
        request=None,
        responses={202: RunInFullOut, **problems(404, 409)},
    )
    def post(self, request: Request, run_id: str) -> Response:
        """Ask a run to stop: a queued one ends at once, a running one soon."""
        cancel_run(by=self.actor, run=run_by_id(self.actor.organization, run_id))
        run = run_by_id(self.actor.organization, run_id)
        return Response(RunInFullOut(run).data, status=202)
