"""Who can be chosen to read."""

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.queries import enabled_features
from research.api.base import TenantView
from research.api.schema import problems
from research.api.serializers.researchers import ResearchersOut
from research.presentation.readers import readers_for

EXAMPLE = OpenApiExample(
    "Two to choose from",
    value={
        "items": [
            {
                "name": "extractive",
                "label": "Extractive: copies passages by fixed rules, no language"
                " model",
                "language_model": False,
                "provider": None,
                "model": None,
                "sends_to": None,
                "web_search": False,
            },
            {
                "name": "anthropic",
                "label": "anthropic: claude-sonnet-5-5, Anthropic",
                "language_model": True,
                "provider": "anthropic",
                "model": "claude-sonnet-5-5",
                "sends_to": "Anthropic",
                "web_search": True,
            },
        ]
    },
    response_only=True,
)


class ResearchersView(TenantView):
    @extend_schema(
        operation_id="list_researchers",
        summary="Researchers",
        responses={200: ResearchersOut, **problems()},
        examples=[EXAMPLE],
    )
    def get(self, request: Request) -> Response:
        """Whom a run can be started with now; the first one is taken by default."""
        organization = self.actor.organization
        readers = readers_for(organization, enabled_features(organization))
        return Response(ResearchersOut({"items": readers}).data)
