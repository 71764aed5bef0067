"""Archived documents in words: where they came from, and what their text lacks."""

from research.models import Snapshot
from research.presentation.counts import counted


def origin_words(origin: str) -> str:
    """How a document came into the dossier."""
    return "brought with the run" if origin == "document" else "collected"


def reading_faults(snapshot: Snapshot) -> list[tuple[str, str]]:
    """What the archived text lacks of its document: a heading and a sentence each."""
    faults = []
    if snapshot.text_truncated:
        cut = "The text was longer than the reader keeps; its end is missing."
        faults.append(("Cut", cut))
    if snapshot.replaced:
        characters = counted(snapshot.replaced, "character")
        faults.append(
            ("Undecodable", f"{characters} could not be decoded, shown as �.")
        )
    if snapshot.removed:
        characters = counted(snapshot.removed, "invisible character")
        faults.append(("Invisible", f"{characters} taken out."))
    return faults
