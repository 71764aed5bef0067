"""Refuses a request body over the limit before Django has spooled it to disk.

Django reads the whole body of an ASGI request before any view or sign-in runs, so
without this an anonymous caller could fill the disk.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from research.document_limits import MAX_BODY_BYTES, MAX_BODY_MIB

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[Any]]

PROBLEM = (
    '{"type":"/problems/too_large","title":"Too large","status":413,'
    f'"code":"too_large","detail":"A request may have {MAX_BODY_MIB} MiB at most."}}'
).encode()


class BodyTooLarge(Exception):
    """The body grew over the limit while it was read."""


def limit_body(application: Application, most: int = MAX_BODY_BYTES) -> Application:
    """The application, which never sees more than `most` bytes of a request."""

    async def limited(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await application(scope, receive, send)
        elif _declared(scope) > most:
            await _refuse(send)
        else:
            await _serve(application, scope, _counting(receive, most), send)

    return limited


async def _serve(
    application: Application, scope: Scope, receive: Receive, send: Send
) -> None:
    try:
        await application(scope, receive, send)
    except BodyTooLarge:
        # Django reads the body first, so no response has been started.
        await _refuse(send)


def _counting(receive: Receive, most: int) -> Receive:
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most:
            raise BodyTooLarge
        return message

    return counted


def _declared(scope: Scope) -> int:
    """The Content-Length; what is no number is left to the server's own parser."""
    for name, value in scope.get("headers", ()):
        if name.lower() == b"content-length" and value.isdigit():
            return int(value)
    return 0


async def _refuse(send: Send) -> None:
    headers = [
        (b"content-type", b"application/problem+json"),
        (b"content-length", str(len(PROBLEM)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": PROBLEM})
