"""Text as it is seen: white space collapsed, lines and blocks apart, offsets known."""

import re

from chat.web.reading.cleaning import clean
from chat.web.reading.values import Span

_BLANK = " \t\n\r\f"
_BLANKS = re.compile(f"[{_BLANK}]+")
_NEEDS_COLLAPSING = re.compile("[\t\n\r\f]|  ")
# Pieces of these alone hold nothing invisible; the common scripts are in it.
_NOTHING_INVISIBLE = re.compile(
    "[\t\n -~\u00a0-\u00ac\u00ae-\u02ff\u0370-\u058f\u05d0-\u05ea\u0621-\u064a"
    "\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2100-\u22ff\u3001-\u30ff"
    "\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e]*"
)

# Between these are the column lines of tables, the more of them the stronger.
_STRENGTHS = {"": 0, " ": 1, "\n": 1_000, "\n\n": 1_001}


class TextWriter:
    """Collects pieces of text; separators are written only between two of them."""

    def __init__(self) -> None:
        self.length = 0
        self.removed = 0
        self.spelled: list[str] = []
        self._parts: list[str] = []
        self._separator = ""
        self._mark = ""

    def separate(self, separator: str) -> None:
        """Have at least this separator before the next piece."""
        if self._separator != separator and (
            _strength(separator) > _strength(self._separator)
        ):
            self._separator = separator

    def mark(self, mark: str) -> None:
        """Have these words before the next piece, as a list's numbers are."""
        self._mark = mark

    def break_line(self) -> None:
        """Begin a new line; a second break in a row ends the block."""
        self.separate("\n\n" if self._separator == "\n" else "\n")

    def write(self, text: str) -> int:
        """Write running text, each run of white space as one blank; count it."""
        words = text.strip(_BLANK)
        if not words:
            if text:
                self.separate(" ")
            return 0
        before, after = text[0] in _BLANK, text[-1] in _BLANK
        words = self._cleaned(words)
        if _NEEDS_COLLAPSING.search(words):
            words = _BLANKS.sub(" ", words)
        words = words.strip(" ")
        if before:
            self.separate(" ")
        if words:
            self._emit(words)
            if after:
                self.separate(" ")
        return len(words)

    def write_preformatted(self, text: str) -> int:
        """Write text with its white space as it is; count it."""
        cleaned = self._cleaned(text)
        if cleaned:
            self._emit(cleaned)
        return len(cleaned)

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
        return "".join(reversed(parts))[start - length if start > length else 0 :]

    def ends_in_digit(self) -> bool:
        """Say whether a digit would join directly to a number."""
        return (
            not self._separator and bool(self._parts) and self._parts[-1][-1:].isdigit()
        )

    def _cleaned(self, text: str) -> str:
        if _NOTHING_INVISIBLE.fullmatch(text):
            return text
        cleaned = clean(text)
        self.removed += cleaned.removed
        self.spelled += cleaned.spelled
        return cleaned.text

    def _emit(self, text: str) -> None:
        if self._parts and self._separator:
            if self._separator[0] == "\n":
                self._drop_last_newlines()
            self._append(self._separator)
        self._separator = ""
        if self._mark:
            self._append(self._mark)
            self._mark = ""
        self._append(text)

    def _drop_last_newlines(self) -> None:
        """Preformatted text may end in newlines of its own; the separator is enough."""
        last = self._parts[-1]
        if last[-1:] == "\n":
            self._parts[-1] = last.rstrip("\n")
            self.length -= len(last) - len(self._parts[-1])

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self.length += len(text)


def _strength(separator: str) -> int:
    """Of the separators between two pieces of text, the strongest is written."""
    known = _STRENGTHS.get(separator)
    return 10 + len(separator) if known is None else known


def trimmed(span: Span, text: str) -> Span | None:
    """Return the span without white space at its ends, None if nothing is left."""
    start, end = span[0], min(span[1], len(text))
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None
