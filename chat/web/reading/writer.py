"""Text as it is seen: white space collapsed, lines and blocks apart, offsets known."""

import re

from chat.web.reading.cleaning import clean
from chat.web.reading.values import Span

_BLANKS = re.compile(r"[ \t\n\r\f]+")
# Weakest first: of the separators between two pieces of text, the strongest is written.
_STRENGTH = {"": 0, " ": 1, "\t": 2, "\n": 3, "\n\n": 4}


class TextWriter:
    """Collects pieces of text; separators are written only between two of them."""

    def __init__(self) -> None:
        self.length = 0
        self.removed = 0
        self._parts: list[str] = []
        self._separator = ""

    def separate(self, separator: str) -> None:
        """Have at least this separator before the next piece."""
        if _STRENGTH[separator] > _STRENGTH[self._separator]:
            self._separator = separator

    def break_line(self) -> None:
        """Begin a new line; a second break in a row ends the block."""
        self.separate("\n\n" if self._separator == "\n" else "\n")

    def write(self, text: str) -> None:
        """Write running text; each run of white space becomes one blank."""
        collapsed = _BLANKS.sub(" ", self._cleaned(text))
        words = collapsed.strip(" ")
        if collapsed.startswith(" "):
            self.separate(" ")
        if words:
            self._emit(words)
            if collapsed.endswith(" "):
                self.separate(" ")

    def write_preformatted(self, text: str) -> None:
        """Write text with its white space as it is."""
        cleaned = self._cleaned(text)
        if cleaned:
            self._emit(cleaned)

    def text(self) -> str:
        return "".join(self._parts).rstrip()

    def text_from(self, start: int) -> str:
        """Return what was written from this offset on."""
        parts, length = [], self.length
        for part in reversed(self._parts):
            if length <= start:
                break
            length -= len(part)
            parts.append(part)
        return "".join(reversed(parts))

    def _cleaned(self, text: str) -> str:
        cleaned = clean(text)
        self.removed += cleaned.removed
        return cleaned.text

    def _emit(self, text: str) -> None:
        if self._parts and self._separator:
            if self._separator.startswith("\n"):
                self._drop_last_newlines()
            self._append(self._separator)
        self._separator = ""
        self._append(text)

    def _drop_last_newlines(self) -> None:
        """Preformatted text may end in newlines of its own; the separator is enough."""
        last = self._parts[-1]
        self._parts[-1] = last.rstrip("\n")
        self.length -= len(last) - len(self._parts[-1])

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self.length += len(text)


def trimmed(span: Span, text: str) -> Span | None:
    """Return the span without white space at its ends, None if nothing is left."""
    start, end = span[0], min(span[1], len(text))
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None
