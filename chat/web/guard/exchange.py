"""One request and its answer over a pool of one connection."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import httpcore

from chat.web.guard.refusal import FetchRefused, Reason
from chat.web.guard.urls import CheckedUrl

Header = tuple[str, str]

_METHODS = frozenset(("GET", "POST"))
_OWN_HEADERS = frozenset(
    ("host", "connection", "accept-encoding", "content-length", "transfer-encoding")
)
_FIELD = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a host, beside the address."""

    method: str
    headers: tuple[Header, ...]
    body: bytes | None
    user_agent: str


@contextmanager
def answer(
    pool: httpcore.ConnectionPool, url: CheckedUrl, request: Request
) -> Iterator[httpcore.Response]:
    """Send a request; the answer is closed at the end, whatever happened to it."""
    try:
        response = pool.handle_request(_prepared(url, request))
    except (httpcore.ProtocolError, httpcore.NetworkError) as error:
        # h11 has a cap of its own on one head, a little lower than ours on all heads.
        is_size = "Receive buffer too long" in str(error)
        reason = Reason.HEADERS if is_size else Reason.PROTOCOL
        raise FetchRefused(reason, str(error)) from error
    try:
        yield response
    finally:
        response.close()


def _prepared(checked: CheckedUrl, request: Request) -> httpcore.Request:
    url = httpcore.URL(
        scheme=b"https",
        host=checked.host.encode("ascii"),
        port=checked.port,
        target=checked.target.encode("ascii"),
    )
    own = [("Host", checked.authority), ("Accept-Encoding", "gzip, deflate")]
    given = {name.lower() for name, _ in request.headers}
    if "user-agent" not in given:
        own.append(("User-Agent", request.user_agent))
    if "accept" not in given:
        own.append(("Accept", "text/html, text/plain;q=0.9, */*;q=0.5"))
    if request.body is not None:
        own.append(("Content-Length", str(len(request.body))))
    own.append(("Connection", "close"))
    headers = [*own, *request.headers]
    return httpcore.Request(request.method, url, headers=headers, content=request.body)


def pieces(response: httpcore.Response) -> Iterator[bytes]:
    """Yield a body as it comes in; raises WireLimit where the cap on bytes ends it."""
    try:
        yield from response.iter_stream()
    except (httpcore.ProtocolError, httpcore.NetworkError) as error:
        raise FetchRefused(Reason.PROTOCOL, str(error)) from error


def checked_headers(method: str, headers: Iterable[Header]) -> tuple[Header, ...]:
    """Return the headers given; a caller's mistake is a ValueError, not a refusal."""
    if method not in _METHODS:
        raise ValueError(f"Only {' and '.join(sorted(_METHODS))} are sent.")
    given = tuple(headers)
    for name, value in given:
        is_own = name.lower() in _OWN_HEADERS
        if is_own or not _FIELD.fullmatch(name) or not value.isprintable():
            raise ValueError(f"The header {name!r} cannot be given.")
    return given


def location(response: httpcore.Response) -> str:
    """Return where a redirect leads, refused unless there is exactly one place."""
    found = {v for name, v in response.headers if name.lower() == b"location" and v}
    if not found:
        raise FetchRefused(Reason.REDIRECT_MISSING)
    if len(found) > 1:
        raise FetchRefused(Reason.REDIRECT_LOCATION, "Two places are named.")
    try:
        return found.pop().decode("utf-8")
    except UnicodeDecodeError:
        raise FetchRefused(Reason.REDIRECT_LOCATION) from None


def values(response: httpcore.Response, name: bytes) -> list[str]:
    """Return all values of a header, given by its name in lower case."""
    return [v.decode("latin-1") for n, v in response.headers if n.lower() == name]


def kept_headers(response: httpcore.Response) -> dict[str, str]:
    """Return the headers of an answer without its cookies."""
    kept: dict[str, str] = {}
    for raw_name, raw_value in response.headers:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        if name not in {"set-cookie", "set-cookie2"}:
            kept[name] = f"{kept[name]}, {value}" if name in kept else value
    return kept
