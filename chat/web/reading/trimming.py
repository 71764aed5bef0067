"""What stands between the pieces of the main content without being part of it."""

from chat.web.reading.elements import BLOCKS, CELLS, HEADINGS, LINES
from chat.web.reading.phrases import is_byline, is_elsewhere, is_nothing
from chat.web.reading.tree import Block, PageKind

_NEVER = frozenset({"label", "fieldset", "legend"})
_DRAWN = BLOCKS | LINES | CELLS
_LINK_DENSITY = 0.6
_SMALL_SHARE = 0.1
_SECTION_SHARE = 0.25
_SHORT = 90
_NEAR_HEADING = 600


class Trimmer:
    """Flags blocks inside the root of the main content that are left out of it."""

    def __init__(
        self,
        blocks: list[Block],
        text: str,
        out: bytearray,
        root: Block,
        kind: PageKind,
    ) -> None:
        self._blocks = blocks
        self._text = text
        self._out = out
        self._root = root
        self._kind = kind
        self._length = max(1, root.end - root.start)

    def trim(self, *, keep_links: bool) -> None:
        for block in self._root.within(self._blocks):
            if not self._out[block.index] and self._is_left_out(block, keep_links):
                self._leave_out(block)
        if self._kind != "article":
            return
        for block in self._root.within(self._blocks):
            if block.tag in HEADINGS and not self._out[block.index]:
                self._leave_out_section(block)
        self._leave_out_title()

    def _is_left_out(self, block: Block, keep_links: bool) -> bool:
        if block.tag in _NEVER:
            return True
        if block.tag == "figcaption" and self._kind == "article":
            return True
        if block.tag not in _DRAWN:
            return False
        length = block.end - block.start
        if length <= _SHORT and is_nothing(self._said(block)):
            return True
        if keep_links or length > _SMALL_SHARE * self._length:
            return False
        return block.linked_within > _LINK_DENSITY * length

    def _leave_out_section(self, heading: Block) -> None:
        """Leave out a heading that names other pages, with what it stands over."""
        if not is_elsewhere(self._said(heading)):
            return
        section = self._section(heading)
        length = sum(block.end - block.start for block in section)
        if length <= _SECTION_SHARE * self._length:
            for block in section:
                self._leave_out(block)

    def _section(self, heading: Block) -> list[Block]:
        """Return the heading and its siblings up to the next heading as high."""
        section = [heading]
        index, end = heading.last + 1, self._blocks[heading.parent].last
        while index <= end:
            block = self._blocks[index]
            if block.tag in HEADINGS and block.tag <= heading.tag:
                break
            section.append(block)
            index = block.last + 1
        return section

    def _leave_out_title(self) -> None:
        """Leave out the title and what precedes it, and who wrote it when."""
        inside = list(self._root.within(self._blocks))
        title = next(
            (b for b in inside if b.tag == "h1" and not self._out[b.index]), None
        )
        if title is None or title.start - self._root.start > _NEAR_HEADING:
            near = self._root.start + _NEAR_HEADING
        else:
            near = title.end + _NEAR_HEADING
            for block in inside:
                before = block.end <= title.end and block.last <= title.index
                if before and block.mass <= _SMALL_SHARE * self._root.mass:
                    self._leave_out(block)
        for block in inside:
            if block.start > near:
                break
            if block.end - block.start <= _SHORT and is_byline(self._said(block)):
                self._leave_out(block)

    def _leave_out(self, block: Block) -> None:
        # All within a block that is left out is left out: nothing is flagged twice.
        if self._out[block.index]:
            return
        for index in range(block.index, block.last + 1):
            self._out[index] = 1

    def _said(self, block: Block) -> str:
        return self._text[block.start : block.end].strip()
