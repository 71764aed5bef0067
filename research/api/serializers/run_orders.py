"""What starts a run."""

from typing import Any

from rest_framework import serializers

from research.api.serializers.subjects import SubjectOrQuestionIn
from research.document_limits import IN_WORDS

UPLOAD_ONLY = "Documents are uploaded as files; a path or a text is not taken for one."


class RunIn(SubjectOrQuestionIn):
    """As JSON: a run without documents."""

    def _fault(self, data: Any, name: str) -> str:
        return UPLOAD_ONLY if name == "document" else super()._fault(data, name)


class RunFormIn(SubjectOrQuestionIn):
    """As a form: the same, and documents."""

    document = serializers.ListField(
        child=serializers.FileField(
            allow_empty_file=True, error_messages={"invalid": UPLOAD_ONLY}
        ),
        required=False,
        help_text=f"Repeat the field, up to {IN_WORDS}; the name of each file is kept.",
    )
