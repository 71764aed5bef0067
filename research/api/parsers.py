"""Request bodies, read with their limits enforced while reading."""

import json
from collections.abc import Mapping
from typing import IO, Any

from django.http import HttpRequest
from django.http.multipartparser import MultiPartParser as DjangoMultiPartParser
from django.http.multipartparser import MultiPartParserError
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser, DataAndFiles

from accounts.errors import TooLarge
from research.api.uploads import DocumentHandler

MAX_JSON_BYTES = 1024 * 1024


class JSONBodyParser(BaseParser):
    """At most 1 MiB of strict JSON in UTF-8: no name twice, no NaN."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        body = stream.read(MAX_JSON_BYTES + 1)
        if len(body) > MAX_JSON_BYTES:
            message = "The JSON body has over 1 MiB; upload documents as files instead."
            raise TooLarge(message, code="body_too_large")
        try:
            return json.loads(
                body.decode("utf-8-sig"),
                object_pairs_hook=_without_repeats,
                parse_constant=_no_constant,
            )
        except RecursionError:
            raise ParseError("The JSON is nested too deeply.") from None
        except ValueError as error:
            raise ParseError(f"The body is no JSON: {error}.") from None


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice in one object")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


class DocumentFormParser(BaseParser):
    """multipart/form-data whose files are documents, kept in one spool."""

    media_type = "multipart/form-data"

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> "DataAndFiles[Any, Any]":
        request: HttpRequest = (parser_context or {})["request"]
        meta = {**request.META, "CONTENT_TYPE": media_type or ""}
        handler = DocumentHandler()
        try:
            fields, files = _read_form(meta, stream, handler)
        except BaseException:
            handler.close()
            raise
        if not files:
            handler.close()
        return DataAndFiles(fields, files)


def _read_form(meta: Mapping[str, Any], stream: Any, handler: DocumentHandler) -> Any:
    body: Any = _WithTail(stream)
    try:
        form = _NamedPartsParser(meta, body, [handler], "utf-8")
        found = form.parse()
    except MultiPartParserError as error:
        raise ParseError(f"The form cannot be read: {error}.") from None
    if not body.tail.rstrip().endswith(form.closing_line):
        raise ParseError("The form ends before its closing boundary.")
    return found


class _WithTail:
    """Keeps a body's last bytes: Django takes a form that was cut short as whole."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.tail = b""

    def read(self, size: int = -1) -> bytes:
        block: bytes = self.stream.read(size)
        self.tail = (self.tail + block[-300:])[-300:]
        return block


class _NamedPartsParser(DjangoMultiPartParser):
    @property
    def closing_line(self) -> bytes:
        boundary: bytes = self._boundary  # type: ignore[attr-defined]
        return b"--" + boundary + b"--"

    def sanitize_file_name(self, file_name: str) -> str:
        """Folders in a name are kept: it is shown, and no path is ever opened by it."""
        return file_name
