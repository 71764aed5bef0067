"""Which part of a page's text is its main content."""

from chat.web.reading.furniture import left_out
from chat.web.reading.metadata import PageKind
from chat.web.reading.tree import Block
from chat.web.reading.values import Span
from chat.web.reading.writer import trimmed

_HINTS = ("articlebody", "main", "article")
_HINT_SHARE = 0.5
_DESCEND_SHARE = {"article": 0.8, "forum": 0.92, "other": 0.92}


def main_spans(blocks: list[Block], text: str, kind: PageKind) -> list[Span]:
    """Return the spans of the main content, ordered and apart; all text if unclear."""
    flags = left_out(blocks, with_comments=kind == "forum")
    if blocks[0].mass <= 0:
        return [(0, len(text))]
    root = _root(blocks, flags, kind)
    gaps = [
        (block.start, block.end)
        for block in root.within(blocks)
        if flags[block.index] and not flags[block.parent]
    ]
    return _between(root, gaps, text) or [(0, len(text))]


def _root(blocks: list[Block], flags: bytearray, kind: PageKind) -> Block:
    """Begin where the page says its content is, and go down while one child has it."""
    root = _hinted(blocks, flags)
    share = _DESCEND_SHARE[kind]
    heaviest = _heaviest_children(blocks, flags)
    while heaviest[root.index]:
        child = blocks[heaviest[root.index]]
        if child.last == child.index or child.mass < share * root.mass:
            break
        root = child
    return root


def _heaviest_children(blocks: list[Block], flags: bytearray) -> list[int]:
    heaviest = [0] * len(blocks)
    for block in blocks[1:]:
        best = heaviest[block.parent]
        if not flags[block.index] and (not best or block.mass > blocks[best].mass):
            heaviest[block.parent] = block.index
    return heaviest


def _hinted(blocks: list[Block], flags: bytearray) -> Block:
    for hint in _HINTS:
        named = [
            block
            for block in blocks
            if not flags[block.index] and hint in (block.tag, block.role)
        ]
        best = max(named, key=lambda block: block.mass, default=None)
        if best and best.mass >= _HINT_SHARE * blocks[0].mass:
            return best
    return blocks[0]


def _between(root: Block, gaps: list[Span], text: str) -> list[Span]:
    """Return what of the root is not in a gap; pieces that touch are one."""
    spans, start = [], root.start
    for gap_start, gap_end in [*gaps, (root.end, root.end)]:
        if gap_end <= gap_start and gap_start != root.end:
            continue
        span = trimmed((start, gap_start), text)
        if span:
            spans.append(span)
        start = max(start, gap_end)
    return spans
