"""An archived text cut around a quote, at the stored offsets, for a person to read."""

from collections import defaultdict
from dataclasses import dataclass

from chat.web.reading import fold
from research.evidence import Evidence
from research.models import Citation, Grade, Snapshot
from research.services.archive_snapshot import snapshot_text
from research.services.snapshot_store import EvidenceDamaged

# A page shows the whole of a text up to this length, else a window around the quote.
WHOLE_CHARS = 200_000
SIDE_CHARS = 20_000
# What an export shows on either side of a quote.
AROUND_CHARS = 300


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


def whole_text(snapshot: Snapshot, citation: Citation | None) -> Passage:
    """All of the text, with the quote apart where there is one."""
    try:
        text = snapshot_text(snapshot)
    except EvidenceDamaged as damaged:
        return Passage(fault=str(damaged))
    return _cut(text, citation, len(text))


def page_of(citation: Citation) -> Passage:
    """The text around a quote: whole where it is short enough, else a window."""
    try:
        text = snapshot_text(citation.snapshot)
    except EvidenceDamaged as damaged:
        return Passage(fault=str(damaged))
    side = len(text) if len(text) <= WHOLE_CHARS else SIDE_CHARS
    return _cut(text, citation, side)


def passages_around(evidence: Evidence) -> dict[int, Passage]:
    """Every quote with AROUND_CHARS on either side, by the citations' keys.

    One archived text is held at a time.
    """
    by_snapshot: dict[int, list[Citation]] = defaultdict(list)
    for citation in evidence.citations:
        by_snapshot[citation.snapshot_id].append(citation)
    passages: dict[int, Passage] = {}
    for citations in by_snapshot.values():
        snapshot = citations[0].snapshot
        # The row is at hand; asking the database for it again would be waste.
        snapshot.organization = evidence.dossier.case.organization
        passages.update(_around(snapshot, citations))
    return passages


def _around(snapshot: Snapshot, citations: list[Citation]) -> dict[int, Passage]:
    try:
        text = snapshot_text(snapshot)
    except EvidenceDamaged as damaged:
        return {citation.pk: Passage(fault=str(damaged)) for citation in citations}
    return {citation.pk: _cut(text, citation, AROUND_CHARS) for citation in citations}


def _stands(citation: Citation, found: str) -> bool:
    """Whether what stands at the offsets is the quote, as its grade says."""
    if citation.grade == Grade.EXACT:
        return found == citation.quote
    return fold(found).text == fold(citation.quote).text


def _cut(text: str, citation: Citation | None, side: int) -> Passage:
    start = citation.start if citation else 0
    end = citation.end if citation else 0
    if start is None or end is None:
        return Passage(fault="The quote was not found in the archived text.")
    quote = text[start:end]
    if citation and not _stands(citation, quote):
        return Passage(fault="The archived text has other words at these offsets.")
    first, last = max(0, start - side), min(len(text), end + side)
    return Passage(
        before=text[first:start],
        quote=quote,
        after=text[end:last],
        cut_before=first,
        cut_after=len(text) - last,
    )
