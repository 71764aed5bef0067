"""The recall tool: any character of anything that was put aside."""

import re
from collections.abc import Iterator
from typing import Any

from chat.engine.context.store import Entry, Store
from chat.engine.tools import Tool, ToolResult

RECALL = "recall"
DESCRIPTION = (
    "Read again what was put aside to save room. With a ref: the text from `offset` "
    "on, at most `limit` characters, or with `search` the places of those words. "
    "Without a ref: `search` looks through everything, and nothing at all lists what "
    "there is."
)
AROUND_CHARS = 80
LINE_CHARS = 200
KNOWN_REFS = 5

_PAGE = re.compile(r"\[(r[0-9a-f]+), characters (\d+) to (\d+) of (\d+)")


def recall_tool(store: Store, *, page_chars: int) -> Tool:
    """Return the tool over `store`; a page has at most `page_chars` characters."""

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


def page_of(content: str) -> str | None:
    """Say which part of which ref a result of the tool shows, None if it shows none."""
    found = _PAGE.match(content)
    return "{}, characters {} to {} of {}".format(*found.groups()) if found else None


class _Recall:
    """One call."""

    def __init__(
        self, store: Store, page_chars: int, arguments: dict[str, Any]
    ) -> None:
        self._store = store
        self._page = page_chars
        self._offset: int = arguments.get("offset", 0)
        self._limit: int = min(arguments.get("limit", page_chars), page_chars)
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
        end = min(total, start + self._limit)
        more = f"; go on with offset {end}" if end < total else "; this is its end"
        head = f"[{entry.ref}, characters {start} to {end} of {total}{more}]"
        return ToolResult(f"{head}\n{entry.text[start:end]}")

    def _list(self, entries: Any) -> ToolResult:
        lines = [f"{each.ref} {each.origin}, {len(each.text)} characters"
                 for each in entries]  # fmt: skip
        return self._paged(lines, f"{len(lines)} texts were put aside")

    def _matches(self, entries: Any) -> ToolResult:
        words = self._words or ""
        lines = [line for entry in entries for line in _places(entry, words)]
        return self._paged(lines, f"{len(lines)} places with {words[:LINE_CHARS]!r}")

    def _paged(self, lines: list[str], title: str) -> ToolResult:
        """Show lines from `offset` on, as many as a page holds and at least one."""
        shown: list[str] = []
        room = self._limit
        for line in lines[self._offset :]:
            if shown and len(line) + 1 > room:
                break
            shown.append(line)
            room -= len(line) + 1
        end = self._offset + len(shown)
        more = f"; go on with offset {end}" if end < len(lines) else ""
        span = f", {self._offset + 1} to {end}" if shown else ""
        return ToolResult("\n".join([f"[{title}{span}{more}]", *shown]))

    def _unknown(self, ref: str) -> ToolResult:
        known = [entry.ref for entry in self._store.entries[-KNOWN_REFS:]]
        there = f"There are {', '.join(known)}" if known else "Nothing was put aside"
        msg = f"Nothing is kept under {ref[:40]!r}. {there}."
        return ToolResult(msg, is_error=True)


def _places(entry: Entry, words: str) -> Iterator[str]:
    """Every place of the words, whatever their case, that does not overlap the last."""
    text, needle = _lowered(entry.text), _lowered(words)
    place = text.find(needle)
    while place >= 0:
        end = place + len(needle)
        start = max(0, place - AROUND_CHARS)
        stop = min(end, place + AROUND_CHARS) + AROUND_CHARS
        around = " ".join(entry.text[start:stop].split())
        yield f"{entry.ref} at {place}: {around}"
        place = text.find(needle, end)


def _lowered(text: str) -> str:
    """Return the text in lower case with every character in its place.

    Looking for a pattern without case could take the product of both lengths.
    """
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := each.lower()) == 1 else each for each in text)
