"""The limited process: one request on standard input, one JSON object as the answer."""

import json
import resource
import sys
from typing import Any

from chat.web.reading.errors import ReadingRefused
from chat.web.reading.values import Readable

_MAX_FILE_BYTES = 64 * 1024 * 1024


def main() -> None:
    """Read one document under limits; an exit code other than 0 means none was read."""
    request = json.loads(sys.stdin.buffer.readline())
    body = sys.stdin.buffer.read()
    _limit(request["limits"])
    sys.stdout.write(json.dumps(_answer(request, body), default=_fields))


def _limit(limits: dict[str, int]) -> None:
    _set(resource.RLIMIT_CPU, limits["cpu_s"])
    _set(resource.RLIMIT_AS, limits["memory_bytes"])
    _set(resource.RLIMIT_FSIZE, _MAX_FILE_BYTES)
    _set(resource.RLIMIT_CORE, 0)


def _set(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
    try:
        resource.setrlimit(kind, (bound, bound))
    except (ValueError, OSError):
        # macOS knows no limit of address space; the others still hold there.
        if kind != resource.RLIMIT_AS:
            raise


def _fields(value: Any) -> dict[str, Any]:
    """Return the fields of one of our values; asdict would copy each of them deeply."""
    return {name: getattr(value, name) for name in value.__slots__}


def _answer(request: dict[str, Any], body: bytes) -> dict[str, Any] | Readable:
    try:
        return _read(request["kind"], body, request["url"])
    except ReadingRefused as refusal:
        return {"refused": refusal.reason, "detail": refusal.detail}


def _read(kind: str, body: bytes, url: str) -> Readable:
    """Each library is loaded only where it is needed, after the limits are set."""
    if kind == "pdf":
        from chat.web.reading.pdf import read_pdf

        return read_pdf(body)
    from chat.web.reading.html import read_html

    return read_html(body.decode("utf-8"), url)
