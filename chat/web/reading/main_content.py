"""Which part of a page's text is its main content."""

from chat.web.reading.furniture import left_out
from chat.web.reading.tree import Block, PageKind
from chat.web.reading.trimming import Trimmer
from chat.web.reading.values import Span
from chat.web.reading.writer import trimmed

_HINT_SHARE = 0.5
_BODY_SHARE = 0.3
_DESCEND_SHARE = {"article": 0.8, "forum": 0.92, "other": 0.92}
# Below this share of mass in its characters a page is mostly links and short lines.
_PROSE = 0.6
_TEXT_SHARE = 0.1
_SOME_PROSE = 0.15
_LINK_LOSS_IN_LISTINGS = 0.3


def main_spans(blocks: list[Block], text: str, kind: PageKind) -> list[Span]:
    """Return the spans of the main content, ordered and apart; all text if unclear."""
    flags = left_out(blocks, kind)
    root = _root(blocks, flags, kind)
    if root.mass < _PROSE * _characters(root, blocks, flags) or blocks[
        0
    ].mass < _SOME_PROSE * _characters(blocks[0], blocks, flags):
        kind = "forum" if kind == "forum" else "other"
        flags = left_out(blocks, kind, _LINK_LOSS_IN_LISTINGS)
        root = _root(blocks, flags, kind)
    if root.mass <= 0:
        return [(0, len(text))]
    Trimmer(blocks, text, flags, root, kind).trim(keep_links=kind != "article")
    gaps = [
        (block.start, block.end)
        for block in root.within(blocks)
        if flags[block.index] and not flags[block.parent]
    ]
    return _between(root, gaps, text) or [(0, len(text))]


def _characters(root: Block, blocks: list[Block], flags: bytearray) -> int:
    """Count the characters in a block that are not left out."""
    inside = (block.own for block in root.within(blocks) if not flags[block.index])
    return root.own + sum(inside)


def _root(blocks: list[Block], flags: bytearray, kind: PageKind) -> Block:
    """Begin where the page says its content is, and go down while one child has it."""
    root = _hinted(blocks, flags, kind)
    heaviest, paragraphs = _children(blocks, flags)
    while heaviest[root.index] and paragraphs[root.index] < _TEXT_SHARE * root.mass:
        child = blocks[heaviest[root.index]]
        is_line = child.last == child.index
        if is_line or child.mass < _DESCEND_SHARE[kind] * root.mass:
            break
        root = child
    return root


def _children(blocks: list[Block], flags: bytearray) -> tuple[list[int], list[float]]:
    """Return for every block its heaviest child, and the mass of its paragraphs."""
    heaviest = [0] * len(blocks)
    paragraphs = [0.0] * len(blocks)
    for block in blocks[1:]:
        if flags[block.index]:
            continue
        best = heaviest[block.parent]
        if not best or block.mass > blocks[best].mass:
            heaviest[block.parent] = block.index
        if block.tag == "p":
            paragraphs[block.parent] += block.mass
    return heaviest, paragraphs


def _hinted(blocks: list[Block], flags: bytearray, kind: PageKind) -> Block:
    whole = blocks[0].mass
    for is_hint, share in _HINTS[kind]:
        named = [b for b in blocks if not flags[b.index] and is_hint(b)]
        best = max(named, key=lambda block: block.mass, default=None)
        if best and best.mass >= share * whole:
            return best
    return blocks[0]


def _is_declared_body(block: Block) -> bool:
    return block.role == "articlebody"


def _is_named_body(block: Block) -> bool:
    return block.names.body and block.tag != "p"


def _is_main(block: Block) -> bool:
    return block.tag == "main" or block.role == "main"


def _is_article(block: Block) -> bool:
    return block.tag == "article"


_ANY_PAGE = (
    (_is_declared_body, _HINT_SHARE),
    (_is_main, _HINT_SHARE),
    (_is_article, _HINT_SHARE),
)
_HINTS = {
    "article": (
        (_is_declared_body, _BODY_SHARE),
        (_is_named_body, _HINT_SHARE),
        *_ANY_PAGE,
    ),
    "forum": _ANY_PAGE,
    "other": _ANY_PAGE,
}


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
