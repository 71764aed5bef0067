"""An archived text cut around a quote, as a page shows it."""

from dataclasses import dataclass

from research.models import Citation, Snapshot
from research.services.archive_snapshot import snapshot_text
from research.services.snapshot_store import EvidenceDamaged

# Longer texts are cut to a window around the quote, each side of this many characters.
WHOLE_CHARS = 200_000
SIDE_CHARS = 20_000


@dataclass(frozen=True)
class Passage:
    """`cut_before` and `cut_after` count the characters that are left out.

    `fault` says in one sentence why there is no text; all else is empty then.
    """

    before: str = ""
    quote: str = ""
    after: str = ""
    cut_before: int = 0
    cut_after: int = 0
    fault: str = ""


def passage_of(
    snapshot: Snapshot, citation: Citation | None, *, whole: bool = False
) -> Passage:
    """The whole text where it is short enough or asked for, with the quote apart."""
    try:
        text = snapshot_text(snapshot)
    except EvidenceDamaged as damaged:
        return Passage(fault=str(damaged))
    start, end = quote_span(citation)
    first, last = (0, len(text)) if whole else _window(len(text), start, end)
    return Passage(
        before=text[first:start],
        quote=text[start:end],
        after=text[end:last],
        cut_before=first,
        cut_after=len(text) - last,
    )


def quote_span(citation: Citation | None) -> tuple[int, int]:
    """The stored offsets; an empty span at the start where there is no proven quote."""
    if citation is None or citation.start is None or citation.end is None:
        return 0, 0
    return citation.start, citation.end


def _window(length: int, start: int, end: int) -> tuple[int, int]:
    if length <= WHOLE_CHARS:
        return 0, length
    side = SIDE_CHARS if end else WHOLE_CHARS
    return max(0, start - side), min(length, end + side)
