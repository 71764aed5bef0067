"""A body over the limit is refused before it is spooled, declared or not."""

import asyncio
from typing import Any

from research.body_limit import Message, Receive, Scope, Send, limit_body
from research.document_limits import MAX_BODY_BYTES, MAX_TOTAL_BYTES


async def reads_all(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that answers with the number of bytes it was sent."""
    size, more = 0, True
    while more:
        message = await receive()
        size += len(message.get("body", b""))
        more = message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(size).encode()})


def ask(
    chunks: list[bytes], headers: list[tuple[bytes, bytes]], most: int | None = 10
) -> list[Message]:
    """What a caller gets who sends these chunks; None keeps the product's own limit."""
    sent: list[Message] = []
    waiting = [
        {"type": "http.request", "body": chunk, "more_body": number < len(chunks)}
        for number, chunk in enumerate(chunks, start=1)
    ]

    async def receive() -> Any:
        return waiting.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "headers": headers}
    limited = limit_body(reads_all, most=most) if most else limit_body(reads_all)
    asyncio.run(limited(scope, receive, send))
    return sent


def test_a_body_within_the_limit_passes_unchanged() -> None:
    start, body = ask([b"12345", b"67890"], [(b"content-length", b"10")])
    assert (start["status"], body["body"]) == (200, b"10")


def test_a_declared_length_over_the_limit_is_refused_unread() -> None:
    start, body = ask([], [(b"content-length", b"11")])
    assert start["status"] == 413
    assert b'"code":"too_large"' in body["body"]


def test_a_body_that_grows_over_the_limit_is_cut_off() -> None:
    start, _ = ask([b"12345", b"67890", b"1"], [])
    assert start["status"] == 413


def test_the_served_limit_has_room_for_all_documents_and_is_named() -> None:
    sent = ask([], [(b"content-length", b"%d" % (MAX_BODY_BYTES + 1))], most=None)
    assert MAX_BODY_BYTES > MAX_TOTAL_BYTES
    assert b'"detail":"A request may have 204 MiB at most."' in sent[1]["body"]
