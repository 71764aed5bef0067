"""What starts a run."""

from typing import Any

from rest_framework import serializers

from research.api.fields import Text
from research.api.serializers.subjects import SubjectOrQuestionIn
from research.document_limits import IN_WORDS
from research.services.researchers import EXTRACTIVE

UPLOAD_ONLY = "Documents are uploaded as files; a path or a text is not taken for one."
MAX_NAME = 100


class OrderIn(SubjectOrQuestionIn):
    """What is to be researched, and who reads."""

    researcher = Text(
        default=EXTRACTIVE,
        max_length=MAX_NAME,
        help_text="A name from /api/v1/researchers. A language model is sent the"
        " documents and facts of the run; extractive sends nothing out.",
    )


class RunIn(OrderIn):
    """As JSON: a run without documents."""

    def _fault(self, data: Any, name: str) -> str:
        return UPLOAD_ONLY if name == "document" else super()._fault(data, name)


class RunFormIn(OrderIn):
    """As a form: the same, and documents."""

    document = serializers.ListField(
        child=serializers.FileField(
            allow_empty_file=True, error_messages={"invalid": UPLOAD_ONLY}
        ),
        required=False,
        help_text=f"Repeat the field, up to {IN_WORDS}; the name of each file is kept.",
    )
