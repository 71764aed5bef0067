"""Who did the reading, and whether a language model did."""

from typing import Any

from rest_framework import serializers

from research.models import Run
from research.services.researchers import EXTRACTIVE


class ResearcherOut(serializers.Serializer[Any]):
    """`extractive` picks verbatim passages by rules: it is no language model."""

    name = serializers.CharField(source="researcher")
    language_model = serializers.SerializerMethodField()

    def get_language_model(self, run: Run) -> bool:
        return run.researcher != EXTRACTIVE
