"""Errors of the API and of the way to it, as the kinds of the engine.

The stable codes and types of the API decide. Its texts are read only for what has no
code: a prompt that is too long, and limits that the customer has set.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Any

import anthropic
import httpx2

from chat.engine import ConfigurationError, ErrorKind, ModelError

HEAD_CHARS = 500

_CODES: Mapping[str, ErrorKind] = {
    "enforced_spend_limit_reached": ErrorKind.SPEND_CAP,
    "contract_spend_limit_reached": ErrorKind.SPEND_CAP,
    "linked_organization_spend_limit_reached": ErrorKind.SPEND_CAP,
    "linked_organization_billing_unavailable": ErrorKind.SPEND_CAP,
    "organization_on_hold": ErrorKind.AUTHENTICATION,
    "request_body_too_large_after_decoding": ErrorKind.CONTEXT_OVERFLOW,
}
_TYPES: Mapping[str, ErrorKind] = {
    "authentication_error": ErrorKind.AUTHENTICATION,
    "permission_error": ErrorKind.AUTHENTICATION,
    "billing_error": ErrorKind.AUTHENTICATION,
    "rate_limit_error": ErrorKind.RATE_LIMITED,
    "overloaded_error": ErrorKind.OVERLOADED,
    "api_error": ErrorKind.UNAVAILABLE,
    "timeout_error": ErrorKind.UNAVAILABLE,
    "conflict_error": ErrorKind.UNAVAILABLE,
    "request_too_large": ErrorKind.CONTEXT_OVERFLOW,
}
_STATUSES: Mapping[int, ErrorKind] = {
    401: ErrorKind.AUTHENTICATION,
    402: ErrorKind.AUTHENTICATION,
    403: ErrorKind.AUTHENTICATION,
    408: ErrorKind.UNAVAILABLE,
    409: ErrorKind.UNAVAILABLE,
    413: ErrorKind.CONTEXT_OVERFLOW,
    429: ErrorKind.RATE_LIMITED,
    529: ErrorKind.OVERLOADED,
}
_SPENT = re.compile(r"specified API usage limits|credit balance is too low")
_TOO_LONG = re.compile(r"prompt is too long(?:: (\d+) tokens > (\d+))?")
_OVER_WINDOW = re.compile(r"exceed context limit(?:: (\d+) \+ \d+ > (\d+))?")
_PAGE_TITLE = re.compile(r"<title[^>]*>([^<]{1,100})", re.IGNORECASE)
_QUOTED_INPUT = re.compile(r"input_value=.*", re.DOTALL)


def read_error(error: Exception, now: datetime) -> ModelError:
    """Return what went wrong as a ModelError; its message is the error's head."""
    if isinstance(error, ModelError):
        return error
    if isinstance(error, ConfigurationError):
        return ModelError(ErrorKind.INVALID_REQUEST, str(error))
    if isinstance(error, anthropic.APIStatusError):
        return _refused(error, now)
    if isinstance(error, anthropic.APITimeoutError | httpx2.TimeoutException):
        return ModelError(ErrorKind.TIMEOUT, "The API did not answer in time.")
    cause = error.__cause__ or error
    msg = f"The connection failed: {type(cause).__name__}: {cause}"
    return ModelError(ErrorKind.UNAVAILABLE, msg[:HEAD_CHARS])


def no_message(answer: object) -> ModelError:
    """Return the error for an answer with status 200 that is no message."""
    kind = f"a {type(answer).__name__}"
    if isinstance(answer, dict) and isinstance(answer.get("error"), dict):
        error = answer["error"]
        named = _TYPES.get(str(error.get("type")), ErrorKind.UNAVAILABLE)
        return ModelError(named, f"200 {error.get('type')}: {error.get('message')}")
    if isinstance(answer, str):
        kind = f"a text of {len(answer)} characters{_title(answer)}"
    msg = f"The API answered with status 200 and no message: {kind}."
    return ModelError(ErrorKind.UNAVAILABLE, msg)


def api_text(error: anthropic.APIStatusError) -> str:
    """Return the API's own words, "" where the answer is not one of its errors."""
    return str(error.api_message or "")


def _refused(error: anthropic.APIStatusError, now: datetime) -> ModelError:
    text = api_text(error)
    facts: dict[str, Any] = {}
    counts = _counts(text)
    if counts is not None:
        facts |= counts
    seconds = _retry_after(error.response.headers, now)
    if seconds is not None:
        facts["retry_after_s"] = seconds
    kind = ErrorKind.CONTEXT_OVERFLOW if counts is not None else _kind(error, text)
    return ModelError(kind, _head(error, text), facts)


def _kind(error: anthropic.APIStatusError, text: str) -> ErrorKind:
    status = error.status_code
    named = _CODES.get(error.error_code or "")
    if named is None and _SPENT.search(text):
        named = ErrorKind.SPEND_CAP
    named = named or _TYPES.get(error.type or "") or _STATUSES.get(status)
    if named is not None:
        return named
    broken = status >= 500 or (status == 200 and error.type is None)
    return ErrorKind.UNAVAILABLE if broken else ErrorKind.INVALID_REQUEST


def _counts(text: str) -> dict[str, int] | None:
    """Return the sizes in the text of an overflow, None where it is none."""
    found = _TOO_LONG.search(text) or _OVER_WINDOW.search(text)
    if found is None:
        return None
    if found[1] is None:
        return {}
    return {"prompt_tokens": int(found[1]), "limit": int(found[2])}


def _head(error: anthropic.APIStatusError, text: str) -> str:
    """Return status, type, code, request id and message, and nothing of the body."""
    names = [str(error.status_code), error.type or "", error.error_code or ""]
    named = " ".join(name for name in names if name)
    if not text:
        text = f"no error of the API{_title(error.body)}"
    text = _QUOTED_INPUT.sub("...", text)
    asked = f" (request {error.request_id})" if error.request_id else ""
    return f"{named}{asked}: {text}"[:HEAD_CHARS]


def _title(body: object) -> str:
    found = _PAGE_TITLE.search(body[:5000]) if isinstance(body, str) else None
    return f", a page titled {found[1].strip()!r}" if found else ""


def _retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the seconds that the API asks to wait, from a number or a date."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        if isfinite(seconds):
            return max(0.0, seconds)
    try:
        date = parsedate_to_datetime(headers.get("retry-after", ""))
    except ValueError:
        return None
    return max(0.0, (date.astimezone(now.tzinfo) - now).total_seconds())
