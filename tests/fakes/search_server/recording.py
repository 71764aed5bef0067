"""What is recorded of a backend, and the failures that any server can have."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from chat.web.search import (
    SearchError,
    SearchLimited,
    SearchUnavailable,
)
from tests.fakes.web_server import answer, redirect

KEY = "key-of-nobody-0123456789"
FIRST = "https://www.python.org/"
SECOND = "https://docs.python.org/3/?a=1&b=2"


@dataclass(frozen=True, slots=True)
class Failure:
    """An answer that is none: what the error says of it, and when to ask again."""

    said: bytes
    error: type[SearchError]
    words: str
    retry_after_s: float | None = None


@dataclass(frozen=True, slots=True)
class Recorded:
    """One backend: where it is, how it is made, what it answers.

    results: (title, url, snippet) of the good answer.
    """

    where: str
    options: Mapping[str, Any]
    good: bytes
    nothing: bytes
    results: list[tuple[str, str, str]]
    failures: Mapping[str, Failure] = field(default_factory=dict)


def said(body: Any, *headers: str, status: int = 200) -> bytes:
    """An answer in JSON."""
    content = json.dumps(body)
    return answer(content, *headers, status=status, media_type="application/json")


def page(body: str, *, status: int = 200) -> bytes:
    """An answer for people."""
    html = f"<!DOCTYPE html><html><body>{body}</body></html>"
    return answer(html, status=status, media_type="text/html; charset=utf-8")


EVERYWHERE = {
    "outage": Failure(answer(status=503), SearchUnavailable, "answered 503"),
    "proxy": Failure(page("<h1>Bad gateway</h1>", status=502), SearchUnavailable, ""),
    "other page": Failure(page("<h1>Welcome</h1>"), SearchUnavailable, "cannot be"),
    "moved": Failure(redirect("https://elsewhere.org/"), SearchUnavailable, "asked"),
    "later": Failure(
        answer("slow down", "Retry-After: 7", status=429), SearchLimited, "429", 7.0
    ),
}
LIST_EXPECTED = Failure(said({"results": 3}), SearchUnavailable, "cannot be read")
