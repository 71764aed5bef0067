"""The lines of a text with their offsets, a window of them at a time."""

from collections.abc import Iterator

# (start, end, text): without the white space at its end, offsets in characters.
Line = tuple[int, int, str]

_CHUNK_CHARS = 64 * 1024
_LOOK_AHEAD = 3


class LineWindow:
    """The line at `at` in `held` is the current one; two more are there if they exist.

    A text of ten million characters is never held as millions of lines.
    """

    def __init__(self, text: str) -> None:
        self.held: list[Line] = []
        self.at = 0
        self._chunks = _chunks(text)

    def current(self) -> Line | None:
        """The current line, or None at the end of the text."""
        if self.at + _LOOK_AHEAD > len(self.held):
            self._fill()
        return self.held[self.at] if self.at < len(self.held) else None

    def following(self, places: int) -> str | None:
        """The text of the first or second line after the current one, or None."""
        at = self.at + places
        return self.held[at][2] if at < len(self.held) else None

    def _fill(self) -> None:
        del self.held[: self.at]
        self.at = 0
        while len(self.held) < _LOOK_AHEAD:
            chunk = next(self._chunks, None)
            if chunk is None:
                return
            self.held += chunk


def indent(text: str) -> int:
    """How many characters of a line stand before its words."""
    return len(text) - len(text.lstrip("> \t"))


def _chunks(text: str) -> Iterator[list[Line]]:
    """Lists of lines; only a line feed ends a list, so that no line end is cut."""
    start = 0
    while start < len(text):
        end = text.find("\n", start + _CHUNK_CHARS) + 1 or len(text)
        yield _lines(text[start:end], start)
        start = end


def _lines(chunk: str, start: int) -> list[Line]:
    lines = []
    for piece in chunk.splitlines(keepends=True):
        bare = piece.rstrip()
        lines.append((start, start + len(bare), bare))
        start += len(piece)
    return lines
