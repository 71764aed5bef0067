"""Snapshots: what was archived, so that a program can check quotes itself."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from research.api.base import TenantView
from research.api.schema import problems
from research.api.serializers.snapshots import SnapshotOut
from research.queries import snapshot_by_id
from research.services.archive_snapshot import snapshot_text


class SnapshotView(TenantView):
    @extend_schema(
        operation_id="get_snapshot",
        summary="A snapshot",
        responses={200: SnapshotOut, **problems(404)},
    )
    def get(self, request: Request, snapshot_id: str) -> Response:
        """What is known of an archived source; its text is one level below."""
        snapshot = snapshot_by_id(self.actor.organization, snapshot_id)
        return Response(SnapshotOut(snapshot).data)


class PlainTextRenderer(BaseRenderer):
    """Names the media type; the view writes the bytes itself."""

    media_type = "text/plain"
    format = "txt"

    def render(self, data: Any, *args: Any, **kwargs: Any) -> Any:
        return data


class SnapshotTextView(TenantView):
    renderer_classes = [PlainTextRenderer]

    @extend_schema(
        operation_id="get_snapshot_text",
        summary="A snapshot's text",
        responses={(200, "text/plain"): OpenApiTypes.STR, **problems(404, 500)},
    )
    def get(self, request: Request, snapshot_id: str) -> HttpResponse:
        """The text in UTF-8, byte for byte as citations' offsets address it."""
        snapshot = snapshot_by_id(self.actor.organization, snapshot_id)
        return HttpResponse(
            snapshot_text(snapshot).encode(),
            content_type="text/plain; charset=utf-8",
            # Strangers wrote it: it is shown as text, whatever it looks like.
            headers={
                "X-Content-Type-Options": "nosniff",
                "ETag": f'"{snapshot.text_sha256}"',
            },
        )
