"""The recall tool: any character of anything that was put aside."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from chat.engine.context.store import Entry, Store
from chat.engine.context.tokens import CHARS_PER_TOKEN, chars_within, text_tokens
from chat.engine.tools import Tool, ToolResult

RECALL = "recall"
DESCRIPTION = (
    "Read again what was put aside to save room. With a ref: the text from `offset` "
    "on, at most `limit` characters, or with `search` the places of those words. "
    "Without a ref: `search` looks through everything, and nothing at all lists what "
    "there is."
)
AROUND_CHARS = 80
QUOTED_CHARS = 40
KNOWN_REFS = 5

_PAGE = re.compile(r"\[(r[0-9a-f]+), characters (\d+) to (\d+) of (\d+)[^\]\n]*\]\n")


class Page(NamedTuple):
    """A part of a kept text as the tool shows it. start, end, total: in characters."""

    ref: str
    start: int
    end: int
    total: int

    @property
    def span(self) -> str:
        """In words, which part it is."""
        return f"{self.ref}, characters {self.start} to {self.end} of {self.total}"

    @property
    def head(self) -> str:
        """The line above its text."""
        ended = self.end >= self.total
        more = "this is its end" if ended else f"go on with offset {self.end}"
        return f"[{self.span}; {more}]\n"


def page_of(content: str) -> tuple[Page, str] | None:
    """Read a result of the tool: the page and its text, None if it shows no page."""
    found = _PAGE.match(content)
    if found is None:
        return None
    ref, *places = found.groups()
    page, text = Page(ref, *map(int, places)), content[found.end() :]
    return (page, text) if len(text) == page.end - page.start else None


def recall_tool(store: Store, *, page_chars: int) -> Tool:
    """Return the tool over `store`; a page has at most `page_chars` characters.

    Where nobody asks for a length, a page in another script than Latin has fewer, so
    that it takes no more tokens.
    """

    def call(arguments: dict[str, Any]) -> ToolResult:
        return _Recall(store, page_chars, arguments).result()

    counted = {"type": "integer", "minimum": 0}
    schema = {
        "type": "object",
        "properties": {
            "ref": {"type": "string"},
            "offset": {**counted, "description": "Characters, or lines of a list."},
            "limit": {**counted, "minimum": 1, "maximum": page_chars},
            "search": {"type": "string", "minLength": 1},
        },
        "additionalProperties": False,
    }
    return Tool(RECALL, DESCRIPTION, schema, call, "context", idempotent=True)


class _Recall:
    """One call."""

    def __init__(
        self, store: Store, page_chars: int, arguments: dict[str, Any]
    ) -> None:
        self._store = store
        self._page = page_chars
        self._offset: int = arguments.get("offset", 0)
        self._limit: int | None = arguments.get("limit")
        self._ref: str | None = arguments.get("ref")
        self._words: str | None = arguments.get("search")

    def result(self) -> ToolResult:
        if self._ref is None:
            entries = self._store.entries
            return self._matches(entries) if self._words else self._list(entries)
        entry = self._store.get(self._ref.strip())
        if entry is None:
            return self._unknown(self._ref)
        return self._matches((entry,)) if self._words else self._span(entry)

    def _span(self, entry: Entry) -> ToolResult:
        total, start = len(entry.text), self._offset
        if start > total or (start == total and total):
            msg = f"{entry.ref} has {total} characters; {start} is beyond its end."
            return ToolResult(msg, is_error=True)
        text = entry.text[start : start + min(self._limit or self._page, self._page)]
        if self._limit is None:
            text = text[: max(1, chars_within(text, self._page // CHARS_PER_TOKEN))]
        page = Page(entry.ref, start, start + len(text), total)
        return ToolResult(page.head + text)

    def _list(self, entries: Sequence[Entry]) -> ToolResult:
        lines = (
            f"{each.ref} {each.origin}, {len(each.text)} characters"
            for each in entries[self._offset :]
        )
        return self._paged(lines, len(entries), "texts were put aside")

    def _matches(self, entries: Sequence[Entry]) -> ToolResult:
        words = _uncased(self._words or "")
        count = sum(_uncased(entry.text).count(words) for entry in entries)
        places = (
            (entry, place)
            for entry in entries
            for place in _places(_uncased(entry.text), words)
        )
        lines = (
            f"{entry.ref} at {place}: {_around(entry.text, place, len(words))}"
            for entry, place in islice(places, self._offset, None)
        )
        quoted = (self._words or "")[:QUOTED_CHARS]
        return self._paged(lines, count, f"places with {quoted!r}")

    def _paged(self, lines: Iterable[str], count: int, title: str) -> ToolResult:
        """Show of the lines from `offset` on what a page holds, and at least one."""
        shown: list[str] = []
        room = min(self._limit or self._page, self._page) // CHARS_PER_TOKEN
        for line in lines:
            room -= text_tokens(line) + 1
            if shown and room < 0:
                break
            shown.append(line)
        end = self._offset + len(shown)
        more = f"; go on with offset {end}" if shown and end < count else ""
        span = f", {self._offset + 1} to {end}" if shown else ""
        return ToolResult("\n".join([f"[{count} {title}{span}{more}]", *shown]))

    def _unknown(self, ref: str) -> ToolResult:
        known = [entry.ref for entry in self._store.entries[-KNOWN_REFS:]]
        there = f"Refs are {', '.join(known)}" if known else "Nothing was put aside"
        msg = f"Nothing is kept under {ref[:QUOTED_CHARS]!r}. {there}."
        return ToolResult(msg, is_error=True)


def _places(text: str, words: str) -> Iterator[int]:
    """Every place of the words that does not overlap the last."""
    place = text.find(words)
    while place >= 0:
        yield place
        place = text.find(words, place + len(words))


def _around(text: str, place: int, length: int) -> str:
    start = max(0, place - AROUND_CHARS)
    stop = place + min(length, AROUND_CHARS) + AROUND_CHARS
    return " ".join(text[start:stop].split())


def _uncased(text: str) -> str:
    """Return the text without case, every character in its place.

    İ alone becomes longer in lower case, and Σ alone has two forms there. A search for
    a pattern without case could take the product of both lengths instead.
    """
    return text.replace("İ", "i").lower().replace("ς", "σ")
