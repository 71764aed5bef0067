"""Texts that were put aside, each under a ref that its content alone decides."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

REF_DIGITS = 10


@dataclass(frozen=True, slots=True)
class Entry:
    """One text. origin: in a few words, what it was."""

    ref: str
    origin: str
    text: str


class Store:
    """The texts of one run by ref; it only grows.

    It is read by the recall tool in another thread while it grows in this one: every
    look takes one step that no other thread can come between.
    """

    def __init__(self) -> None:
        self._entries: dict[str, Entry] = {}

    def keep(self, text: str, origin: str) -> str:
        """Keep a text and return its ref; the same text has the same ref for good."""
        digest = blake2b(text.encode("utf-8", "surrogatepass")).hexdigest()
        digits = REF_DIGITS
        while True:
            ref = f"r{digest[:digits]}"
            entry = self._entries.setdefault(ref, Entry(ref, origin, text))
            if entry.text == text:
                return ref
            digits += 1

    def get(self, ref: str) -> Entry | None:
        """Return what is kept under `ref`."""
        return self._entries.get(ref)

    @property
    def entries(self) -> Sequence[Entry]:
        """Everything kept, the oldest first."""
        return tuple(self._entries.values())

    def copy(self) -> "Store":
        """Return a store that grows apart from this one."""
        twin = Store()
        twin._entries = self._entries.copy()
        return twin
