"""Dossiers: one version of a case's evidence."""

from django.utils.http import parse_etags
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from research.api.base import TenantView
from research.api.schema import problems
from research.api.serializers.dossiers import DossierOut
from research.evidence import load_evidence
from research.presentation.as_json import dossier_as_json
from research.queries import dossier_by_id

ETAG = OpenApiParameter(
    "ETag",
    str,
    OpenApiParameter.HEADER,
    response=[200],
    description="The evidence digest in quotes; send it as If-Match to decide.",
)


class DossierView(TenantView):
    @extend_schema(
        operation_id="get_dossier",
        summary="A dossier",
        parameters=[ETAG],
        responses={200: DossierOut, 304: None, **problems(404)},
    )
    def get(self, request: Request, dossier_id: str) -> Response:
        """Facts and findings, kept apart: every claim with its verbatim quotes."""
        evidence = load_evidence(dossier_by_id(self.actor.organization, dossier_id))
        etag = f'"{evidence.digest}"'
        if _known(request, etag):
            return Response(status=304, headers={"ETag": etag})
        return Response(dossier_as_json(evidence), headers={"ETag": etag})


def _known(request: Request, etag: str) -> bool:
    tags = parse_etags(request.headers.get("If-None-Match", ""))
    return "*" in tags or etag in {tag.removeprefix("W/") for tag in tags}
