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
            form = _NamedPartsParser(meta, stream, [handler], "utf-8")
            return DataAndFiles(*form.parse())
        except MultiPartParserError as error:
            handler.close()
            raise ParseError(f"The form cannot be read: {error}.") from None
        except BaseException:
            handler.close()
            raise


class _NamedPartsParser(DjangoMultiPartParser):
    def sanitize_file_name(self, file_name: str) -> str:
        """Folders in a name are kept: it is shown, and no path is ever opened by it."""
        return file_name
