"""The shape of a refusal, for the API's document."""

from typing import Any

from rest_framework import serializers


class ProblemOut(serializers.Serializer[Any]):
    """RFC 9457 problem details."""

    type = serializers.CharField(help_text="`/problems/` and the code.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField(help_text="Stable; made for programs.")
    detail = serializers.CharField(help_text="One or two sentences for a person.")
    errors = serializers.DictField(  # type: ignore[assignment]
        child=serializers.ListField(child=serializers.CharField()),
        required=False,
        help_text="Sentences by the name of the field.",
    )
