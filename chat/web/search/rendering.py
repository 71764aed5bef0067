"""How search hits and pages of a document are written for a model, and read back.

A page starts with one line of JSON and the text follows as it stands, so that a quote
can be copied from it; hits are one JSON array. Only the first line is ever parsed of a
page: nothing that a document says can pass for it.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from chat.web.search.documents import snippet
from chat.web.search.values import Document, Passage


@dataclass(frozen=True, slots=True)
class Page:
    """A stretch of a document's text from `offset`, of `total` characters in all."""

    uri: str
    offset: int
    total: int
    text: str

    @property
    def end(self) -> int:
        return self.offset + len(self.text)


@dataclass(frozen=True, slots=True)
class Hit:
    """Where a search found a passage; offsets in characters."""

    uri: str
    start: int
    end: int


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
        return Page(facts["uri"], facts["offset"], facts["total"], text)
    except (ValueError, KeyError):
        return None


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
    try:
        entries = json.loads(content)
        return [Hit(entry["uri"], entry["offset"], entry["end"]) for entry in entries]
    except (ValueError, KeyError, TypeError):
        return []
