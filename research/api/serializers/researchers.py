"""Who did the reading, or can be chosen to, and whether that is a language model."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from chat.models import Provider
from research.models import Run
from research.presentation.readers import Reader
from research.services.researchers import is_language_model


class ResearcherOut(serializers.Serializer[Any]):
    """`extractive` picks verbatim passages by rules: it is no language model."""

    name = serializers.CharField(source="researcher")
    language_model = serializers.SerializerMethodField(
        help_text="Null where the researcher is no longer installed: nobody can tell."
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # One serializer writes all runs of a list, most of them by the same researcher.
        self._known: dict[str, bool | None] = {}

    @extend_schema_field(serializers.BooleanField(allow_null=True))
    def get_language_model(self, run: Run) -> bool | None:
        name = run.researcher
        if name not in self._known:
            self._known[name] = is_language_model(name)
        return self._known[name]


class AnsweringOut(ResearcherOut):
    """The same, and the models that answered."""

    models = serializers.ListField(
        child=serializers.CharField(),
        help_text="Their ids as the providers gave them; none without one.",
    )


class ChoiceOut(serializers.Serializer[Any]):
    """A researcher that a run can be started with. Null is: without a model."""

    name = serializers.CharField(help_text="What `researcher` of a new run takes.")
    label = serializers.CharField()  # type: ignore[assignment]
    language_model = serializers.BooleanField()
    provider = serializers.SerializerMethodField()
    model = serializers.SerializerMethodField(help_text="The provider's id of it.")
    sends_to = serializers.SerializerMethodField(
        help_text="Where the documents and facts of a run are sent; null: nowhere."
    )
    web_search = serializers.BooleanField(
        help_text="Whether the provider's own web search is attached."
    )

    @extend_schema_field(
        serializers.ChoiceField(choices=Provider.choices, allow_null=True)
    )
    def get_provider(self, reader: Reader) -> str | None:
        return reader.provider or None

    def get_model(self, reader: Reader) -> str | None:
        return reader.model or None

    def get_sends_to(self, reader: Reader) -> str | None:
        return reader.place or None


class ResearchersOut(serializers.Serializer[Any]):
    items = ChoiceOut(many=True)
