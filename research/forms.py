"""What people fill in. Services judge it; forms say where a fault belongs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from django import forms
from django.core.files.uploadedfile import UploadedFile

from accounts.errors import ProductError
from research.document_limits import IN_WORDS
from research.models import Verdict
from research.presentation.readers import Reader
from research.presentation.words import KINDS
from research.services.ask import MAX_TEXT
from research.services.bring_documents import Document
from research.services.researchers import EXTRACTIVE
from research.subjects.identity import MAX_QUESTION

if TYPE_CHECKING:  # the stubs' class is generic, Django's own is not
    Upload: TypeAlias = UploadedFile[Any]
else:
    Upload = UploadedFile

WHOLE_DAY = time(23, 59, 59)


class FilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Any number of uploads; none is an empty list."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> list[Upload]:
        uploads = data if isinstance(data, (list, tuple)) else [data]
        one = super().clean
        return [one(upload, initial) for upload in uploads if upload]


def _documents_field() -> FilesField:
    return FilesField(
        required=False,
        # A document of no bytes is refused by name, like every other bad one.
        allow_empty_file=True,
        label="Documents",
        help_text="What the run may read beside what is collected: text, Markdown,"
        f" HTML or PDF. Up to {IN_WORDS}.",
    )


def _prose(label: str, help_text: str, *, rows: int, required: bool = True) -> Any:
    return forms.CharField(
        label=label,
        help_text=help_text,
        max_length=MAX_TEXT,
        required=required,
        widget=forms.Textarea(attrs={"rows": rows}),
    )


class RefusableForm(forms.Form):
    """Takes what a service refused to the field that it is about."""

    # A service's name of a field, where the form has another.
    named_here: Mapping[str, str] = {}

    def refuse(self, refused: ProductError) -> None:
        name = self.named_here.get(refused.field, refused.field)
        self.add_error(name if name in self.fields else None, refused.message)


class RunForm(RefusableForm):
    """What a new run may read, and who reads it: one of those offered."""

    named_here = {"document": "documents"}

    researcher = forms.ChoiceField(
        label="Who reads",
        required=False,
        widget=forms.RadioSelect,
        error_messages={
            "invalid_choice": "%(value)s is not offered here; choose another reader."
        },
    )
    documents = _documents_field()

    def __init__(
        self, *args: Any, readers: Sequence[Reader] = (), **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        choices = [(reader.name, reader) for reader in readers]
        field = cast("forms.ChoiceField", self.fields["researcher"])
        field.choices, field.initial = choices, EXTRACTIVE

    def clean_researcher(self) -> str:
        """Whoever chose nobody, as where nobody else is offered, sends nothing out."""
        return self.cleaned_data["researcher"] or EXTRACTIVE


class AskForm(RunForm):
    """Asks for something to be let in; a reviewer may start research with it."""

    field_order = ("subject", "kind", "justification", "start_now")

    subject = forms.CharField(
        label="What should be let in?",
        help_text="A package such as pkg:pypi/bleach, the https address of an MCP"
        " server, its launch command, a vendor’s domain, or a question.",
        max_length=MAX_QUESTION,
        widget=forms.Textarea(attrs={"rows": 2, "autocapitalize": "none"}),
    )
    kind = forms.ChoiceField(
        label="What kind of thing is it?",
        required=False,
        choices=[("", "Tell from what I wrote"), *KINDS.items()],
    )
    justification = _prose(
        "Why do you need it?",
        "Reviewers read this. Say who will use it and for what.",
        rows=4,
    )
    start_now = forms.BooleanField(
        label="Start research now",
        required=False,
        help_text="Collects the facts and reads the documents at once.",
    )

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data["start_now"]:
            return data
        if data.get("documents"):
            self.add_error("start_now", "Documents are read by a run: start one now.")
        elif data.get("researcher", EXTRACTIVE) != EXTRACTIVE:
            self.add_error("start_now", "A reader is chosen for a run: start one now.")
        return data


class DecideForm(RefusableForm):
    """A verdict on exactly the evidence whose digest the page carries."""

    named_here = {"expires_at": "expires_on"}

    verdict = forms.ChoiceField(
        label="Your decision",
        choices=[(Verdict.APPROVED, "Approve"), (Verdict.DENIED, "Deny")],
        widget=forms.RadioSelect,
    )
    rationale = _prose(
        "Rationale",
        "Why, in your own words. It is kept with the evidence and cannot be changed.",
        rows=5,
    )
    conditions = _prose(
        "Conditions",
        "What must hold for the decision to stand.",
        rows=2,
        required=False,
    )
    expires_on = forms.DateField(
        label="Expires",
        required=False,
        help_text="The last day on which it stands, until midnight UTC.",
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    evidence_digest = forms.CharField(max_length=64, widget=forms.HiddenInput)

    def expires_at(self) -> datetime | None:
        day = self.cleaned_data["expires_on"]
        return datetime.combine(day, WHOLE_DAY, UTC) if day else None


@dataclass(frozen=True)
class UploadBody:
    """An upload where Django keeps it, read when its turn comes."""

    upload: Upload

    def __len__(self) -> int:
        return self.upload.size or 0

    def __bytes__(self) -> bytes:
        self.upload.seek(0)
        return bytes(self.upload.read())


def documents_of(uploads: Sequence[Upload]) -> list[Document]:
    """The uploads by their names, none of them read yet."""
    return [Document(upload.name or "", UploadBody(upload)) for upload in uploads]
