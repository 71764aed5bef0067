"""Every refusal under /api/ as RFC 9457 problem details, decided here once.

`type` is a relative reference that ends in the code; the code is stable, the detail
is a sentence for a person. Unexpected faults pass through to Django, which logs them
and calls `server_error` below: no traceback and no HTML reach the caller.
"""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import (
    BadRequest,
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.http import (
    Http404,
    HttpRequest,
    HttpResponseBadRequest,
    HttpResponseBase,
    JsonResponse,
)
from django.http.request import UnreadablePostError
from django.template.loader import render_to_string
from django.views import defaults
from rest_framework.exceptions import APIException, ErrorDetail, ValidationError

from accounts.errors import ProductError
from research.document_limits import IN_WORDS
from research.services.bring_documents import too_many_documents
from research.services.snapshot_store import EvidenceDamaged

MEDIA_TYPE = "application/problem+json"
TOO_BIG = (RequestDataTooBig, TooManyFieldsSent)

logger = logging.getLogger(__name__)


class PreconditionRequired(APIException):
    """A decision came without the digest of the evidence that it was made on."""

    status_code = 428
    default_code = "precondition_required"


class LengthRequired(APIException):
    """A body came in chunks, without saying how long it is."""

    status_code = 411
    default_code = "length_required"
    default_detail = "Say how long the body is: send a Content-Length."


@dataclass(frozen=True)
class Problem:
    """What the caller is told; `errors` holds sentences by the name of the field."""

    status: int
    code: str
    detail: str
    errors: Mapping[str, list[str]] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def response(self) -> JsonResponse:
        body = {
            "type": f"/problems/{self.code}",
            "title": self.code.replace("_", " ").capitalize(),
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
        }
        if self.errors:
            body["errors"] = dict(self.errors)
        return JsonResponse(
            body, status=self.status, content_type=MEDIA_TYPE, headers=self.headers
        )


def problem_response(exc: Exception, context: Any) -> HttpResponseBase | None:
    """DRF's exception handler; None leaves an unexpected fault to `server_error`."""
    problem = problem_of(exc)
    return problem.response() if problem else None


def problem_of(exc: Exception) -> Problem | None:
    """The problem that an exception stands for, or None for a fault of ours."""
    if isinstance(exc, ProductError):
        errors = {exc.field: [exc.message]} if exc.field else {}
        return Problem(exc.status, exc.code, exc.message, errors)
    if isinstance(exc, ValidationError):
        return _invalid(exc)
    if isinstance(exc, APIException):
        return _refused(exc)
    if isinstance(exc, EvidenceDamaged):
        logger.error("%s", exc)
        message = "The archived bytes are gone or changed, so they are not shown."
        return Problem(500, "evidence_damaged", message)
    return _django(exc)


def _invalid(exc: ValidationError) -> Problem:
    errors: dict[str, list[str]] = {}
    for name, sentence in _sentences(exc.detail):
        errors.setdefault(name or "body", []).append(sentence)
    detail = " ".join(f"{name}: {' '.join(them)}" for name, them in errors.items())
    return Problem(400, "bad_input", detail, errors)


def _sentences(detail: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """The leaves of DRF's nested errors, each with its dotted name."""
    if isinstance(detail, Mapping):
        for key, value in detail.items():
            inner = "" if key == "non_field_errors" else str(key)
            yield from _sentences(value, ".".join(filter(None, (name, inner))))
    elif isinstance(detail, list):
        for value in detail:
            yield from _sentences(value, name)
    else:
        yield name, str(detail)


def _refused(exc: APIException) -> Problem:
    headers = {}
    if challenge := getattr(exc, "auth_header", None):
        headers["WWW-Authenticate"] = str(challenge)
    if wait := getattr(exc, "wait", None):
        headers["Retry-After"] = str(int(wait))
    detail = exc.detail
    code = detail.code if isinstance(detail, ErrorDetail) else exc.default_code
    return Problem(exc.status_code, str(code), str(detail), headers=headers)


def _django(exc: Exception) -> Problem | None:
    if isinstance(exc, Http404):
        return NO_ADDRESS
    if isinstance(exc, PermissionDenied):
        return NOT_ALLOWED
    if isinstance(exc, TooManyFilesSent):
        return problem_of(too_many_documents())
    if isinstance(exc, TOO_BIG):
        message = "The form has more fields, or longer ones, than are taken."
        return Problem(413, "too_large", message)
    if isinstance(exc, SuspiciousOperation | BadRequest | UnreadablePostError):
        return BAD_REQUEST
    return None


BAD_REQUEST = Problem(400, "bad_request", "The request cannot be read.")
NOT_ALLOWED = Problem(403, "not_allowed", "This is not allowed.")
NO_ADDRESS = Problem(404, "not_found", "There is no such address in this API.")
FAULT = Problem(500, "fault", "Something went wrong here; it has been logged.")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """handler400: what Django refuses before any view is reached."""
    if _under_api(request):
        return BAD_REQUEST.response()
    many = isinstance(exception, TooManyFilesSent)
    page = render_to_string("400.html", {"limits": IN_WORDS if many else ""})
    return HttpResponseBadRequest(page)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """handler403."""
    if _under_api(request):
        return NOT_ALLOWED.response()
    return defaults.permission_denied(request, exception)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """handler404."""
    if _under_api(request):
        return NO_ADDRESS.response()
    return defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponseBase:
    """handler500; Django has logged the fault and its traceback."""
    if _under_api(request):
        return FAULT.response()
    return defaults.server_error(request)


def _under_api(request: HttpRequest) -> bool:
    return request.path_info.startswith("/api/")
