"""The parts of a page, light enough to weigh, and where each stands in the text."""

from collections.abc import Iterator
from typing import Literal

from chat.web.reading.names import NO_NAMES, Names

_MAX_HEADINGS = 5

PageKind = Literal["article", "forum", "other"]


class Block:
    """An element of a page that is more than a part of a line.

    ``start`` and ``end`` are offsets in the visible text, ``linked`` the characters of
    its own that are link text; ``index`` is its place in document order, ``last`` that
    of the last block within it.
    """

    __slots__ = (
        "end", "index", "last", "linked", "linked_within", "mass",
        "names", "own", "parent", "role", "start", "tag",
    )  # fmt: skip

    def __init__(self, tag: str, index: int, parent: int, start: int) -> None:
        self.tag = tag
        self.index = index
        self.parent = parent
        self.start = start
        self.end = start
        self.last = index
        self.own = 0
        self.linked = 0
        self.linked_within = 0
        self.mass = 0.0
        self.role = ""
        self.names: Names = NO_NAMES

    def within(self, blocks: list["Block"]) -> Iterator["Block"]:
        """Yield every block inside this one, in document order."""
        for index in range(self.index + 1, self.last + 1):
            yield blocks[index]


def headings(blocks: list[Block], text: str) -> list[str]:
    """Return what the first h1 elements of a page say, each on one line."""
    spans = [(block.start, block.end) for block in blocks if block.tag == "h1"]
    lines = (" ".join(text[start:end].split()) for start, end in spans[:_MAX_HEADINGS])
    return [line for line in lines if line]
