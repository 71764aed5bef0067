"""How a request names what is reviewed, and how an answer does."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from accounts.errors import BadInput
from research.api.fields import StrictSerializer, Text
from research.models.case import SUBJECT_KIND_CHOICES
from research.subjects.identity import (
    MAX_QUESTION,
    Subject,
    SubjectKind,
    parse_subject,
    question_subject,
)

# Longer than any key may be, and short enough for the patterns that read it.
MAX_SUBJECT = 4000


class SubjectIn(StrictSerializer):
    subject = Text(
        max_length=MAX_SUBJECT,
        help_text="A purl, an https URL, a domain, a launch command or a question.",
    )
    kind = serializers.ChoiceField(
        choices=SUBJECT_KIND_CHOICES,
        required=False,
        help_text="Guessed from the subject where it is left out.",
    )


class SubjectOrQuestionIn(SubjectIn):
    """Either `subject`, with its kind or without, or `question`."""

    subject = Text(
        required=False,
        max_length=MAX_SUBJECT,
        help_text="A purl, an https URL, a domain or a launch command.",
    )
    question = Text(
        required=False, max_length=MAX_QUESTION, help_text="A free question."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("subject" in attrs) == ("question" in attrs):
            raise serializers.ValidationError(
                {"subject": "Name either a subject or a question."}
            )
        kind = attrs.get("kind", SubjectKind.QUESTION)
        if "question" in attrs and kind != SubjectKind.QUESTION:
            raise serializers.ValidationError(
                {"kind": "A question is of the kind question; leave the kind out."}
            )
        return attrs


class SubjectOut(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=SUBJECT_KIND_CHOICES, source="subject_kind")
    key = serializers.CharField(source="subject_key", help_text="Without the version.")


def subject_of(fields: Mapping[str, Any]) -> Subject:
    """The subject that checked input names; raises BadInput."""
    if "question" not in fields:
        return parse_subject(fields["subject"], fields.get("kind"))
    try:
        return question_subject(fields["question"])
    except BadInput as error:
        raise BadInput(error.message, code=error.code, field="question") from error
