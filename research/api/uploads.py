"""Uploaded documents, in one temporary file a request however many there are."""

from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler

from accounts.errors import TooLarge
from research.document_limits import MAX_BODY_BYTES, MAX_TOTAL_MIB
from research.services.bring_documents import Document, refuse_excess


@dataclass(frozen=True)
class SpooledBody:
    """A stretch of the request's spool, read when its turn comes."""

    spool: IO[bytes]
    start: int
    size: int

    def __len__(self) -> int:
        return self.size

    def __bytes__(self) -> bytes:
        self.spool.seek(self.start)
        return self.spool.read(self.size)


class UploadedDocument(UploadedFile):  # type: ignore[type-arg]
    """Keeps the whole name, folders included."""

    def __init__(self, name: str, body: SpooledBody) -> None:
        super().__init__(body.spool, name, size=body.size)
        self.document = Document(name, body)


class DocumentHandler(FileUploadHandler):
    """Weighs while the form is read; raises TooLarge at the first excess."""

    def __init__(self) -> None:
        super().__init__()
        # Closed with the documents that it backs, by Django at the request's end.
        self.spool = SpooledTemporaryFile(  # noqa: SIM115
            settings.FILE_UPLOAD_MAX_MEMORY_SIZE
        )
        self.start = self.end = 0
        self.complete: list[tuple[str, int]] = []

    def handle_raw_input(
        self,
        input_data: Any,
        META: Any,  # noqa: N803
        content_length: int,
        *args: Any,
        **kwargs: Any,
    ) -> None:
        if content_length > MAX_BODY_BYTES:
            message = f"The form is over {MAX_TOTAL_MIB} MiB of documents; bring fewer."
            raise TooLarge(message, code="documents_too_large", field="document")

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self.start = self.end

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        self.end += len(raw_data)
        size = self.end - self.start
        refuse_excess([*self.complete, (self.file_name or "", size)])
        self.spool.write(raw_data)

    def file_complete(self, file_size: int) -> UploadedDocument:
        name, size = self.file_name or "", self.end - self.start
        self.complete.append((name, size))
        return UploadedDocument(name, SpooledBody(self.spool, self.start, size))

    def close(self) -> None:
        self.spool.close()
