"""Where sentences end, without a word of any of them being changed."""

import re
from collections.abc import Iterator

# Runs are bounded, so that a line of dots costs no more than a line of words.
_END = re.compile(
    r"(?:(?<![.!?…])[.!?…]{1,6}[\"'”’)\]*_`]{0,6}(?=\s)|[。！？]{1,6})\s{0,40}"
)
_LETTER = re.compile(r"[^\W_]")
_NEAR_CHARS = 40
_ABBREVIATION = re.compile(
    r"(?i)(?:\b(?:e\.g|i\.e|etc|vs|cf|mr|mrs|ms|dr|st|no|inc|ltd|co|corp|approx|fig|"
    r"sec|vol|al|resp|incl|jr|sr|dept)|\b[a-z])\.\Z"
)


def sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The (start, end) of each sentence of text[start:end]; none is empty."""
    first = start
    for match in _END.finditer(text, start, end):
        if _ends_here(text, first, match, end):
            yield from _trimmed(text, first, match.end())
            first = match.end()
    yield from _trimmed(text, first, end)


def _ends_here(text: str, first: int, match: re.Match[str], end: int) -> bool:
    near = min(end, match.end() + _NEAR_CHARS)
    following = _LETTER.search(text, match.end(), near)
    if not following or following[0].islower():
        return False
    before = text[max(first, match.start() - _NEAR_CHARS) : match.start() + 1]
    return not _ABBREVIATION.search(before)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end].rstrip()
    if piece:
        right = start + len(piece)
        yield right - len(piece.lstrip()), right
