"""Texts that were put aside, each under a ref that its content alone decides."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Optional

REF_DIGITS = 10
# As long as a ref is, for sizes before there is one; no text has it.
USUAL_REF = "r" + "-" * REF_DIGITS


@dataclass(frozen=True, slots=True)
class Entry:
    """One text. origin: in a few words, what it was."""

    ref: str
    origin: str
    text: str


class Store:
    """The texts of one run by ref; it only grows.

    The recall tool reads it in another thread while it grows in this one: a text is in
    the index before it is in the order, and no step of a reader sees half of a change.
    """

    def __init__(self, below: Optional["Store"] = None) -> None:
        self._below = below
        self._index: dict[str, Entry] = {}
        self._order: list[Entry] = []
        # A text is hashed when a compaction is tried out, and known when it is done.
        self._digests: dict[str, str] = below._digests if below else {}

    def keep(self, text: str, origin: str) -> str:
        """Keep a text and return its ref; the same text has the same ref for good."""
        digest = self._digest(text)
        digits = REF_DIGITS
        while entry := self.get(f"r{digest[:digits]}"):
            if entry.text == text:
                return entry.ref
            digits += 1
        entry = Entry(f"r{digest[:digits]}", origin, text)
        self._index[entry.ref] = entry
        self._order.append(entry)
        return entry.ref

    def _digest(self, text: str) -> str:
        known = self._digests.get(text)
        if known is None:
            known = blake2b(text.encode("utf-8", "surrogatepass")).hexdigest()
            self._digests[text] = known
        return known

    def get(self, ref: str) -> Entry | None:
        """Return what is kept under `ref`."""
        own = self._index.get(ref)
        return self._below.get(ref) if own is None and self._below else own

    @property
    def entries(self) -> Sequence[Entry]:
        """Everything kept, the oldest first."""
        return [*(self._below.entries if self._below else ()), *self._order]

    def copy(self) -> "Store":
        """Return a store over this one, at no cost; what it keeps is not kept here."""
        return Store(self)
