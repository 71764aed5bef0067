"""Cases: list them, read one, ask for something, decide."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.http import parse_etags
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.errors import BadInput
from research.api.base import TenantView
from research.api.problems import PreconditionRequired
from research.api.schema import problems
from research.api.serializers.cases import (
    AskedOut,
    AskIn,
    CaseFileOut,
    CaseLineOut,
    CasesIn,
    CasesOut,
    DecisionIn,
    DecisionOut,
)
from research.api.serializers.subjects import subject_of
from research.models import Case
from research.queries import CaseHistory, case_by_id, cases_of
from research.services.ask import ask_for
from research.services.decide import Ruling, decide
from research.subjects.identity import parse_subject

CASES_PAGE = 100
UNSEEN = (
    "Say which evidence you decide on: send the dossier's ETag in If-Match, or its"
    " evidence_digest."
)


class CasesView(TenantView):
    @extend_schema(
        operation_id="list_cases",
        summary="Cases",
        parameters=[CasesIn],
        responses={200: CasesOut, **problems(400)},
    )
    def get(self, request: Request) -> Response:
        """Pages of 100 cases, the newest first."""
        asked = CasesIn(data=request.query_params)
        asked.is_valid(raise_exception=True)
        wanted = asked.validated_data
        rows = list(self._rows(wanted)[: CASES_PAGE + 1])
        page = rows[:CASES_PAGE]
        body: dict[str, Any] = {"items": CaseLineOut(page, many=True).data}
        body["next"] = _next(wanted, page[-1]) if len(rows) > len(page) else None
        return Response(body)

    def _rows(self, wanted: Mapping[str, str]) -> QuerySet[Case]:
        # Public ids sort by time of creation, and that order never changes.
        rows = cases_of(self.actor.organization).order_by("-public_id")
        if "status" in wanted:
            rows = rows.filter(status=wanted["status"])
        if "subject" in wanted:
            subject = parse_subject(wanted["subject"])
            rows = rows.filter(subject_kind=subject.kind, subject_key=subject.key)
        if "after" in wanted:
            rows = rows.filter(public_id__lt=wanted["after"])
        return rows

    @extend_schema(
        operation_id="ask",
        summary="Ask for something",
        request=AskIn,
        responses={201: AskedOut, **problems(400, 413, 415)},
    )
    def post(self, request: Request) -> Response:
        """Ask that a subject be let in; opens its case where there is none."""
        asked = AskIn(data=request.data)
        asked.is_valid(raise_exception=True)
        fields = asked.validated_data
        ask = ask_for(
            by=self.actor,
            subject=subject_of(fields),
            justification=fields["justification"],
        )
        ask.case.refresh_from_db()
        where = reverse("api:case", args=[ask.case.public_id])
        return Response(AskedOut(ask).data, status=201, headers={"Location": where})


class CaseView(TenantView):
    @extend_schema(
        operation_id="get_case",
        summary="A case",
        responses={200: CaseFileOut, **problems(404)},
    )
    def get(self, request: Request, case_id: str) -> Response:
        """A case with its asks, dossiers, runs and decisions."""
        case = case_by_id(self.actor.organization, case_id)
        return Response(CaseFileOut(CaseHistory(case)).data)


class DecisionsView(TenantView):
    @extend_schema(
        operation_id="decide",
        summary="Decide",
        parameters=[
            OpenApiParameter(
                "If-Match",
                str,
                OpenApiParameter.HEADER,
                description="The ETag of the dossier that was read.",
            )
        ],
        request=DecisionIn,
        responses={201: DecisionOut, **problems(400, 404, 409, 412, 413, 415, 428)},
    )
    def post(self, request: Request, case_id: str) -> Response:
        """Approve or deny, on exactly the evidence that was read."""
        case = case_by_id(self.actor.organization, case_id)
        asked = DecisionIn(data=request.data)
        asked.is_valid(raise_exception=True)
        fields = dict(asked.validated_data)
        fields["evidence_digest"] = _digest(request, fields.get("evidence_digest"))
        decision = decide(by=self.actor, case=case, ruling=Ruling(**fields))
        return Response(DecisionOut(decision).data, status=201)


def _next(wanted: Mapping[str, str], last: Case) -> str:
    query = urlencode({**wanted, "after": last.public_id})
    return f"{reverse('api:cases')}?{query}"


def _digest(request: Request, named: str | None) -> str:
    """The one digest that the header, or the body, or both alike name."""
    header = request.headers.get("If-Match")
    found = {named} if named else set()
    if header is not None:
        tags = parse_etags(header)
        if len(tags) != 1 or not tags[0].startswith('"'):
            raise BadInput(
                "If-Match takes one ETag as the dossier gave it, in quotes.",
                code="if_match",
            )
        found.add(tags[0].strip('"'))
    if not found:
        raise PreconditionRequired(UNSEEN)
    if len(found) > 1:
        message = "If-Match and evidence_digest name different evidence."
        raise BadInput(message, code="if_match", field="evidence_digest")
    return found.pop()
