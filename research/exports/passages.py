"""Quotes where they stand: cut from the archived text at the stored offsets."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from research.evidence import Evidence
from research.models import Citation, Grade, Snapshot
from research.services.snapshot_store import EvidenceDamaged, get_blob

AROUND = 300


@dataclass(frozen=True)
class Passage:
    """The archived text at a citation's offsets, or the reason why there is none.

    `before` and `after` have at most AROUND characters; `opens` and `closes` say
    whether the text begins and ends with them.
    """

    before: str = ""
    quote: str = ""
    after: str = ""
    opens: bool = True
    closes: bool = True
    fault: str = ""


def read_passages(evidence: Evidence) -> dict[int, Passage]:
    """By the citations' keys. One archived text is held at a time."""
    by_snapshot: dict[int, list[Citation]] = defaultdict(list)
    for citation in evidence.citations:
        by_snapshot[citation.snapshot_id].append(citation)
    passages: dict[int, Passage] = {}
    for citations in by_snapshot.values():
        passages.update(_of_snapshot(evidence, citations[0].snapshot, citations))
    return passages


def _of_snapshot(
    evidence: Evidence, snapshot: Snapshot, citations: list[Citation]
) -> Mapping[int, Passage]:
    organization = evidence.dossier.case.organization
    try:
        text = get_blob(organization, snapshot.text_sha256).decode()
    except EvidenceDamaged as damage:
        return {citation.pk: Passage(fault=str(damage)) for citation in citations}
    return {citation.pk: _cut(text, citation) for citation in citations}


def _cut(text: str, citation: Citation) -> Passage:
    start, end = citation.start, citation.end
    if start is None or end is None:
        return Passage(fault="The quote was not found in the archived text.")
    quote = text[start:end]
    if citation.grade == Grade.EXACT and quote != citation.quote:
        return Passage(fault="The archived text has other words at these offsets.")
    first, last = max(0, start - AROUND), end + AROUND
    return Passage(
        before=text[first:start],
        quote=quote,
        after=text[end:last],
        opens=first == 0,
        closes=last >= len(text),
    )
