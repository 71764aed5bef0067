"""The text that a model is shown of a page: its main content, with what is left out
marked, and a way back to the offsets of the whole text.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from chat.web.reading.values import Readable, Span

MAX_CHARS = 40_000
_GAP = "\n\n[… left out here …]\n\n"
_CUT = "\n\n[… cut here …]"


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the shown text and where it stands in the whole."""

    shown: int
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown; ``truncated`` says that the main content goes on after it."""

    text: str
    pieces: list[Piece]
    truncated: bool

    def span(self, start: int, end: int) -> Span | None:
        """Return where a stretch of the shown text stands in the whole text.

        None where it holds a mark of ours, so that a mark is never taken for a quote.
        """
        index = bisect_right(self.pieces, start, key=lambda piece: piece.shown) - 1
        if index < 0 or start >= end:
            return None
        piece = self.pieces[index]
        if end > piece.shown + piece.length:
            return None
        offset = piece.start - piece.shown
        return start + offset, end + offset


def shown(readable: Readable, max_chars: int = MAX_CHARS) -> Shown:
    """Return the main content and its marks, in at most ``max_chars`` characters.

    Raises ValueError where there is not even room for the mark of the cut.
    """
    if max_chars < len(_CUT):
        raise ValueError(f"At least {len(_CUT)} characters are needed.")
    marked = list(_marked(readable))
    length = sum(len(mark) + end - start for mark, (start, end) in marked)
    truncated = length > max_chars or readable.text_truncated
    room = max_chars - len(_CUT) * truncated
    parts: list[str] = []
    pieces: list[Piece] = []
    at = 0
    for mark, (start, end) in marked:
        at += len(mark)
        taken = min(end - start, room - at)
        if taken <= 0:
            break
        parts += (mark, readable.text[start : start + taken])
        pieces.append(Piece(at, start, taken))
        at += taken
    return Shown("".join(parts) + _CUT * truncated, pieces, truncated)


def _marked(readable: Readable) -> Iterator[tuple[str, Span]]:
    """Yield the spans of the main content, each with what is shown before it.

    A gap that holds nothing but white space is shown as it is: a new block.
    """
    before = 0
    for start, end in readable.main:
        if readable.text[before:start].strip():
            yield (_GAP if before else _GAP.lstrip()), (start, end)
        else:
            yield "\n\n" * bool(before), (start, end)
        before = end
