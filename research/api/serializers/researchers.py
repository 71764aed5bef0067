"""Who did the reading, and whether a language model did."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from research.models import Run
from research.services.researchers import is_language_model


class ResearcherOut(serializers.Serializer[Any]):
    """`extractive` picks verbatim passages by rules: it is no language model."""

    name = serializers.CharField(source="researcher")
    language_model = serializers.SerializerMethodField(
        help_text="Null where the researcher is no longer installed: nobody can tell."
    )

    @extend_schema_field(serializers.BooleanField(allow_null=True))
    def get_language_model(self, run: Run) -> bool | None:
        return is_language_model(run.researcher)
