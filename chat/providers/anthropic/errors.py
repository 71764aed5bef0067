"""Errors of the API and of the way to it, as the kinds of the engine.

The stable codes and types of the API decide. Its texts are read only for what has no
code: a prompt that is too long, and limits that the customer has set.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Any

import anthropic
import httpx2

from chat.engine import ConfigurationError, ErrorHead, ErrorKind, ModelError
from chat.providers.price_usage import additive_usage

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
    "billing_error": ErrorKind.SPEND_CAP,
    "rate_limit_error": ErrorKind.RATE_LIMITED,
    "overloaded_error": ErrorKind.OVERLOADED,
    "api_error": ErrorKind.UNAVAILABLE,
    "timeout_error": ErrorKind.UNAVAILABLE,
    "conflict_error": ErrorKind.UNAVAILABLE,
    "request_too_large": ErrorKind.CONTEXT_OVERFLOW,
}
_OWN_FAULTS = frozenset({"invalid_request_error", "not_found_error"})
_STATUSES: Mapping[int, ErrorKind] = {
    401: ErrorKind.AUTHENTICATION,
    402: ErrorKind.SPEND_CAP,
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


def no_message(answer: object, request_id: str = "") -> ModelError:
    """Return the error for an answer with status 200 that is no message."""
    body = answer if isinstance(answer, dict) else {}
    head, told = _body_head(body, request_id), _object(body.get("error"))
    kind, msg = _kind(head, str(told.get("message"))), _named(head)
    if told:
        msg = f"{msg}: {told.get('message')}"
    else:
        kind = ErrorKind.UNAVAILABLE
        msg = f"The API answered with status 200 and no message: {_described(answer)}."
    usage = additive_usage(body.get("usage"))
    return ModelError(kind, msg[:HEAD_CHARS], head=head, usage=usage)


def api_text(error: anthropic.APIStatusError) -> str:
    """Return the API's own words, "" where the answer is not one of its errors."""
    return str(error.api_message or "")


def _refused(error: anthropic.APIStatusError, now: datetime) -> ModelError:
    text = api_text(error)
    head = _body_head(_object(error.body), error.request_id or "", error.status_code)
    facts: dict[str, Any] = {}
    counts = _counts(text)
    if counts is not None:
        facts |= counts
    seconds = _retry_after(error.response.headers, now)
    if seconds is not None:
        facts["retry_after_s"] = seconds
    kind = ErrorKind.CONTEXT_OVERFLOW if counts is not None else _kind(head, text)
    msg = f"{_named(head)}: {_told(error, text)}"
    return ModelError(kind, msg[:HEAD_CHARS], facts, head=head)


def _body_head(
    body: Mapping[str, Any], request_id: str, status: int = 200
) -> ErrorHead:
    told = _object(body.get("error"))
    return ErrorHead(
        status,
        _text(told.get("type")),
        _text(_object(told.get("details")).get("error_code")),
        request_id or _text(body.get("request_id")),
    )


def _kind(head: ErrorHead, text: str) -> ErrorKind:
    named = _CODES.get(head.code)
    if named is None and (head.status == 402 or _SPENT.search(text)):
        named = ErrorKind.SPEND_CAP
    status = head.status or 0
    named = named or _TYPES.get(head.type) or _STATUSES.get(status)
    if named is not None:
        return named
    broken = status >= 500 or (status == 200 and head.type not in _OWN_FAULTS)
    return ErrorKind.UNAVAILABLE if broken else ErrorKind.INVALID_REQUEST


def _counts(text: str) -> dict[str, int] | None:
    """Return the sizes in the text of an overflow, None where it is none."""
    found = _TOO_LONG.search(text) or _OVER_WINDOW.search(text)
    if found is None:
        return None
    if found[1] is None:
        return {}
    return {"prompt_tokens": int(found[1]), "limit": int(found[2])}


def _named(head: ErrorHead) -> str:
    named = " ".join(filter(None, (str(head.status), head.type, head.code)))
    return f"{named} (request {head.request_id})" if head.request_id else named


def _told(error: anthropic.APIStatusError, text: str) -> str:
    """Return the API's words without the input that they quote, and of a page its
    title."""
    text = text or f"no error of the API{_title(error.body)}"
    return _QUOTED_INPUT.sub("...", text)


def _described(answer: object) -> str:
    if isinstance(answer, str):
        return f"a text of {len(answer)} characters{_title(answer)}"
    return f"a {type(answer).__name__}"


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
    # "-0000" is UTC too, of which the parser makes a date without a zone.
    date = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (date - now).total_seconds())


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
