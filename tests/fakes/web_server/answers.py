"""Whole answers, written by hand in a test."""

import gzip


def answer(
    body: str | bytes = b"",
    *headers: str,
    status: int = 200,
    media_type: str | None = "text/plain; charset=utf-8",
) -> bytes:
    """A whole answer with its length; ``headers`` are further lines."""
    content = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status} Said", *headers, f"Content-Length: {len(content)}"]
    if media_type is not None:
        lines.append(f"Content-Type: {media_type}")
    return "\r\n".join([*lines, "", ""]).encode() + content


def packed(body: bytes) -> bytes:
    """An answer whose body is gzip."""
    return answer(gzip.compress(body, mtime=0), "Content-Encoding: gzip")


def redirect(location: str, status: int = 302) -> bytes:
    """An answer that leads elsewhere."""
    return answer("elsewhere", f"Location: {location}", status=status)
