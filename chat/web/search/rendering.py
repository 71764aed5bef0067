"""How search hits and pages of a document are written for a model, and read back.

A page starts with one line of JSON and the text follows as it stands, so that a quote
can be copied from it; hits are one JSON array. Only the first line is ever parsed of a
page: nothing that a document says can pass for it.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from chat.web.search.documents import snippet
from chat.web.search.values import Document, Passage

_UNREADABLE = (ValueError, KeyError, TypeError, OverflowError, RecursionError)
# A fragment of a text by its characters: RFC 5147.
_ADDRESS = re.compile(
    r"(?P<uri>.+)#char=(?P<start>\d{1,15}),(?P<end>\d{1,15})", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Page:
    """A stretch of a document's text from `offset`, of `total` characters in all.

    whole: nothing was cut from it since it was written.
    """

    uri: str
    offset: int
    total: int
    text: str
    title: str = ""
    whole: bool = True

    @property
    def end(self) -> int:
        return self.offset + len(self.text)


@dataclass(frozen=True, slots=True)
class Hit:
    """Where a search found a passage; offsets in characters."""

    uri: str
    start: int
    end: int

    @property
    def address(self) -> str:
        """The passage under one address, as parse_address reads it."""
        return f"{self.uri}#char={self.start},{self.end}"


@dataclass(frozen=True, slots=True)
class ShownHit:
    """A hit as it was shown: with its document's title and a snippet."""

    hit: Hit
    title: str
    snippet: str


def parse_address(address: str) -> Hit | None:
    """The passage that `address` is of, or None if it names no passage."""
    match = _ADDRESS.fullmatch(address)
    return match and Hit(match["uri"], int(match["start"]), int(match["end"]))


def render_page(document: Document, offset: int, limit: int) -> str:
    """The characters of the document from `offset`, under a line that says which."""
    text = document.text[offset : offset + limit]
    head = {
        "uri": document.uri,
        "title": document.title,
        "offset": offset,
        "end": offset + len(text),
        "total": len(document.text),
    }
    return json.dumps(head, ensure_ascii=False) + "\n" + text


def parse_page(content: str) -> Page | None:
    """What render_page wrote, or None if `content` is something else."""
    head, newline, text = content.partition("\n")
    try:
        facts = json.loads(head)
        if not newline or not isinstance(facts, dict):
            return None
        uri, title = str(facts["uri"]), str(facts.get("title", ""))
        offset, total = int(facts["offset"]), int(facts["total"])
        whole = facts.get("end") == offset + len(text)
    except _UNREADABLE:
        return None
    return Page(uri, offset, total, text, title, whole)


def render_hits(passages: Sequence[Passage], titles: dict[str, str]) -> str:
    """The hits as a JSON array, best first."""
    return json.dumps(
        [
            {
                "uri": passage.uri,
                "title": titles.get(passage.uri, ""),
                "offset": passage.start,
                "end": passage.end,
                "snippet": snippet(passage.text),
            }
            for passage in passages
        ],
        ensure_ascii=False,
    )


def parse_hits(content: str) -> list[Hit]:
    """What render_hits wrote; empty if `content` is something else."""
    return [shown.hit for shown in parse_shown_hits(content)]


def parse_shown_hits(content: str) -> list[ShownHit]:
    """What render_hits wrote, with titles and snippets; empty if it is not that."""
    try:
        return [_shown(entry) for entry in json.loads(content)]
    except _UNREADABLE:
        return []


def _shown(entry: dict[str, Any]) -> ShownHit:
    hit = Hit(str(entry["uri"]), int(entry["offset"]), int(entry["end"]))
    return ShownHit(hit, str(entry["title"]), str(entry["snippet"]))
