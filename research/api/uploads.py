"""Uploaded documents, in one temporary file a request however many there are."""

from tempfile import SpooledTemporaryFile
from typing import IO, Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler

from accounts.errors import TooLarge
from research.services.bring_documents import (
    MAX_FILE_BYTES,
    MAX_TOTAL_BYTES,
    Document,
)

# What the boundaries and headers of that many parts may add.
MAX_FORM_BYTES = MAX_TOTAL_BYTES + 4 * 1024 * 1024


class UploadedDocument(UploadedFile):  # type: ignore[type-arg]
    """A stretch of the request's spool; keeps the whole name, folders included."""

    def __init__(self, spool: IO[bytes], name: str, start: int, size: int) -> None:
        super().__init__(spool, name, size=size)
        self.given_name = name
        self.start = start
        self.length = size

    def document(self) -> Document:
        """The file's bytes under the name its owner gave it."""
        spool: IO[bytes] = self.file  # type: ignore[assignment]
        spool.seek(self.start)
        return Document(self.given_name, spool.read(self.length))


class DocumentHandler(FileUploadHandler):
    """Weighs while the form is read; raises TooLarge at the first excess."""

    def __init__(self) -> None:
        super().__init__()
        # Closed with the documents that it backs, by Django at the request's end.
        self.spool = SpooledTemporaryFile(  # noqa: SIM115
            settings.FILE_UPLOAD_MAX_MEMORY_SIZE
        )
        self.start = self.end = 0

    def handle_raw_input(
        self,
        input_data: Any,
        META: Any,  # noqa: N803
        content_length: int,
        *args: Any,
        **kwargs: Any,
    ) -> None:
        if content_length > MAX_FORM_BYTES:
            raise _too_large("documents_too_large", "200 MiB together")

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self.start = self.end

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        self.end += len(raw_data)
        if self.end - self.start > MAX_FILE_BYTES:
            raise _too_large("document_too_large", "10 MiB in one of them")
        if self.end > MAX_TOTAL_BYTES:
            raise _too_large("documents_too_large", "200 MiB together")
        self.spool.write(raw_data)

    def file_complete(self, file_size: int) -> UploadedDocument:
        name = self.file_name or ""
        return UploadedDocument(self.spool, name, self.start, self.end - self.start)

    def close(self) -> None:
        self.spool.close()


def _too_large(code: str, limit: str) -> TooLarge:
    message = f"The documents are too large: over {limit}."
    return TooLarge(message, code=code, field="document")
