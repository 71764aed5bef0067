"""What a failed request says, and which kind of failure that is.

Errors come with a status, in the body of a 200, in a choice or in a frame of a stream,
and OpenRouter wraps those of its providers once more.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from chat.engine import ErrorHead, ErrorKind, ModelError
from chat.providers.openai_compatible.overflow import is_overflow, overflow_facts
from chat.providers.openai_compatible.parts import a_list, a_text, an_object
from chat.providers.openai_compatible.waiting import seconds_to_wait

_SPENT = re.compile(
    r"insufficient_quota|insufficient (credits|funds|balance)|billing_hard_limit"
    r"|exceeded your current quota|credit balance is too low|key limit exceeded"
    r"|(spend|spending|budget) (limit|cap)\b.{0,30}(reached|exceeded|hit)"
    r"|requires more credits|billing_error|payment_required",
    re.IGNORECASE,
)
_MODERATED = re.compile(r"moderat|flagged|content.?polic|safety", re.IGNORECASE)
_STATUS_KINDS: Mapping[int, ErrorKind] = {
    401: ErrorKind.AUTHENTICATION,
    402: ErrorKind.SPEND_CAP,
    403: ErrorKind.AUTHENTICATION,
    408: ErrorKind.TIMEOUT,
    409: ErrorKind.UNAVAILABLE,
    413: ErrorKind.CONTEXT_OVERFLOW,
    425: ErrorKind.UNAVAILABLE,
    429: ErrorKind.RATE_LIMITED,
    503: ErrorKind.OVERLOADED,
    529: ErrorKind.OVERLOADED,
}
# These are what they say, whatever the body adds.
_PLAIN = frozenset((401, 402, 408, 429))
_WORD_KINDS: tuple[tuple[str, ErrorKind], ...] = (
    ("overload", ErrorKind.OVERLOADED),
    ("capacity", ErrorKind.OVERLOADED),
    ("rate_limit", ErrorKind.RATE_LIMITED),
    ("too_many_requests", ErrorKind.RATE_LIMITED),
    ("timeout", ErrorKind.TIMEOUT),
    ("invalid_api_key", ErrorKind.AUTHENTICATION),
    ("authentication", ErrorKind.AUTHENTICATION),
    ("permission", ErrorKind.AUTHENTICATION),
    ("unavailable", ErrorKind.OVERLOADED),
    ("invalid_request", ErrorKind.INVALID_REQUEST),
    ("badrequest", ErrorKind.INVALID_REQUEST),
)


@dataclass(frozen=True, slots=True)
class Failure:
    """An error as far as it could be read.

    status: the error's own code where it is a status, else that of the answer; None
    where neither says anything. type, code: its words for itself; codes: all of them.
    fields: its JSON.
    """

    status: int | None
    message: str
    type: str
    code: str
    codes: str
    fields: Mapping[str, Any]


def error_in(body: Mapping[str, Any]) -> object:
    """Return the error that stands in a body, a choice or a frame; None without one.

    Some put the id of the request beside it.
    """
    if body.get("error"):
        return _with_request_id(body["error"], body)
    if body.get("object") == "error":
        return body
    for choice in a_list(body.get("choices")):
        if an_object(choice).get("error"):
            return choice["error"]
        if an_object(choice).get("finish_reason") == "error":
            native = a_text(choice.get("native_finish_reason"))
            return {"message": "The provider broke the reply off.", "type": native}
    return None


def failed(
    error: object, status: int | None = None, headers: Mapping[str, str] | None = None
) -> ModelError:
    """Return what to raise for an error, as it came with this status and headers."""
    failure = _read(error, status)
    headers = headers or {}
    kind = ErrorKind.SPEND_CAP if status == 402 else _kind(failure)
    facts: dict[str, Any] = {}
    if kind is ErrorKind.CONTEXT_OVERFLOW:
        facts |= overflow_facts(failure.message, failure.fields)
    wait = seconds_to_wait(headers, failure.fields)
    if wait is not None:
        facts["retry_after_s"] = wait
    request_id = request_id_in(headers) or a_text(failure.fields.get("request_id"))
    head = ErrorHead(failure.status, failure.type, failure.code, request_id)
    return ModelError(kind, _told(failure, request_id), facts, head=head)


def request_id_in(headers: Mapping[str, str]) -> str:
    """Return the server's id of the request; names in lower case, "" without one."""
    return headers.get("x-request-id") or headers.get("request-id") or ""


def body_error(body: str) -> object:
    """Return the error in the body of an answer whose status says that it failed."""
    read = _json(body)
    if isinstance(read, list) and read:
        read = read[0]
    if not isinstance(read, dict):
        return plain_words(body)
    error = error_in(read)
    if error is not None:
        return error
    detail = read.get("detail")
    if isinstance(detail, list):
        return {"message": "; ".join(_complaints(detail))}
    return {"message": a_text(detail)} if detail else read


def plain_words(body: str) -> str:
    """Return what a body that is no JSON says: of a page, its title."""
    if "<html" not in body[:2000].lower() and "<!doctype" not in body[:200].lower():
        return body
    title = re.search(r"<title[^>]*>([^<]*)", body, re.IGNORECASE)
    named = f" titled {title.group(1).strip()!r}" if title else ""
    return f"The answer is an HTML page{named} and no JSON; check the base URL."


def _read(error: object, status: int | None) -> Failure:
    fields = an_object(error)
    message = a_text(error) or a_text(fields.get("message"))
    own = _as_status(fields.get("code"))
    code, named, word = (a_text(fields.get(n)) for n in ("code", "type", "status"))
    codes = [code, named, word]
    inner = an_object(fields.get("metadata"))
    if inner.get("raw"):
        wrapped = _read(body_error(_raw_text(inner["raw"])), None)
        codes.append(wrapped.codes)
        named, word = named or wrapped.type, word or wrapped.code
        provider = a_text(inner.get("provider_name"))
        message = ": ".join(filter(None, (provider, wrapped.message or message)))
        fields = {**wrapped.fields, **fields}
    elif inner.get("reasons"):
        reasons = ", ".join(map(a_text, a_list(inner["reasons"])))
        message = f"{message} ({reasons})"
    told = " ".join(filter(None, codes))
    return Failure(own or status, message, named, code or word, told, fields)


def _with_request_id(error: object, body: Mapping[str, Any]) -> object:
    beside = a_text(body.get("request_id"))
    if not beside:
        return error
    fields = error if isinstance(error, dict) else {"message": a_text(error)}
    return {"request_id": beside, **fields}


def _raw_text(raw: object) -> str:
    return raw if isinstance(raw, str) else json.dumps(raw, default=str)


def _as_status(code: object) -> int | None:
    if isinstance(code, str) and code.isdecimal():
        code = int(code[:4])
    return code if isinstance(code, int) and 400 <= code <= 599 else None


def _kind(failure: Failure) -> ErrorKind:
    status, words = failure.status, f"{failure.codes} {failure.message}"
    if _SPENT.search(words):
        return ErrorKind.SPEND_CAP
    if status == 403 and _is_moderated(failure):
        return ErrorKind.INVALID_REQUEST
    if status in _PLAIN:
        return _STATUS_KINDS[status]
    if is_overflow(words):
        return ErrorKind.CONTEXT_OVERFLOW
    return _named_kind(failure.codes.lower()) or _status_kind(status)


def _named_kind(codes: str) -> ErrorKind | None:
    return next((kind for word, kind in _WORD_KINDS if word in codes), None)


def _status_kind(status: int | None) -> ErrorKind:
    if status is None or status >= 500:
        return _STATUS_KINDS.get(status or 0, ErrorKind.UNAVAILABLE)
    return _STATUS_KINDS.get(status, ErrorKind.INVALID_REQUEST)


def _is_moderated(failure: Failure) -> bool:
    metadata = an_object(failure.fields.get("metadata"))
    words = f"{failure.codes} {failure.message}"
    return bool(metadata.get("reasons")) or _MODERATED.search(words) is not None


def _told(failure: Failure, request_id: str) -> str:
    where = f"HTTP {failure.status}" if failure.status else "The provider failed"
    redirected = failure.status is not None and 300 <= failure.status < 400
    unsaid = "a redirect, which is not followed" if redirected else "no reason given"
    message = failure.message.strip() or unsaid
    named = filter(None, (failure.codes, f"request {request_id}" if request_id else ""))
    aside = "; ".join(named)
    return f"{where}: {message} ({aside})" if aside else f"{where}: {message}"


def _complaints(details: list[Any]) -> Iterator[str]:
    """What a validator says, without the input that it quotes."""
    for detail in details[:5]:
        place = ".".join(str(key) for key in a_list(an_object(detail).get("loc")))
        yield f"{place}: {a_text(an_object(detail).get('msg'))}"


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
