"""Groups units into the passages that are indexed: about a paragraph each."""

from collections.abc import Iterator

from chat.web.search.units import UnitKind, split_units

PASSAGE_CHARS = 600
LONGEST_CHARS = 2_000


def split_passages(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of each passage in characters; a heading starts a new one."""
    first = last = -1
    for start, end, kind, _, _ in split_units(text):
        if first >= 0 and end - first <= PASSAGE_CHARS and kind is not UnitKind.HEADING:
            last = end
            continue
        yield from _pieces(first, last)
        first, last = start, end
    yield from _pieces(first, last)


def _pieces(start: int, end: int) -> Iterator[tuple[int, int]]:
    """A passage that is one endless line is cut, so that no result is unbounded."""
    while 0 <= start < end:
        yield start, min(end, start + LONGEST_CHARS)
        start += LONGEST_CHARS
