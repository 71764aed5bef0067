"""Elements to visible text, its blocks and links, with hidden text apart."""

from collections.abc import Mapping

from selectolax.lexbor import LexborNode

from chat.web.reading.cleaning import SPELLED
from chat.web.reading.elements import (
    CELLS,
    COMPACT,
    LISTS,
    OMITTED,
    PHRASING,
    PREFORMATTED,
    SEPARATORS,
    UNNAMED,
    words,
)
from chat.web.reading.hidden import Hiding
from chat.web.reading.lists import ListNumbers
from chat.web.reading.metadata import absolute
from chat.web.reading.names import judge
from chat.web.reading.tables import TableColumns
from chat.web.reading.tree import Block
from chat.web.reading.unseen import SPOKEN, UNDRAWN, Unseen
from chat.web.reading.values import Hidden, Link
from chat.web.reading.writer import TextWriter

_MAX_LINKS = 5_000
_MAX_HIDDEN = 5_000
# Elements whose start and end mean more than a new block.
_SPECIAL = LISTS | COMPACT | PREFORMATTED | words("a table tr")
_DRAWN_OTHERWISE = words("br rt sup")
_ROLES = words("role itemprop")
_SUPERSCRIPT = str.maketrans("0123456789+-−()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾")

Attributes = Mapping[str, str | None]


class _Open:
    """An element being read: where its text began and what its end undoes."""

    __slots__ = ("block", "hidden_before", "how", "href", "shown_in", "start", "tag")

    def __init__(self, tag: str, start: int) -> None:
        self.tag = tag
        self.start = start
        self.block: Block | None = None
        self.href: str | None = None
        self.how = ""
        self.hidden_before: TextWriter | None = None
        self.shown_in: tuple[TextWriter, list[str]] | None = None


# Stands for every element that is only words of a line.
_WORDS = _Open("", 0)


class VisibleReader:
    """Is told of every text, start and end of a page, in document order."""

    def __init__(self, base_url: str, hiding: Hiding) -> None:
        self.writer = self._shown = TextWriter()
        self.unseen = Unseen()
        self.links: list[Link] = []
        self.hidden: list[Hidden] = []
        self.blocks: list[Block] = [Block("", 0, 0, 0)]
        self.removed = 0
        self._base_url = base_url
        self._hiding = hiding
        self._bare: dict[str, str | None] = {}
        self._open: list[_Open | Block] = []
        self._block = self.blocks[0]
        self._lists = ListNumbers()
        self._tables: list[TableColumns] = []
        self._compact = 0
        self._preformatted = 0
        self._in_link = 0
        self._after_link = 0
        self._in_hidden: list[str] = []
        self._raised = 0

    def text(self, data: str) -> None:
        if self._raised:
            data = data.translate(_SUPERSCRIPT)
        if self._preformatted:
            count = self.writer.write_preformatted(data)
        else:
            count = self.writer.write(data)
        if count and not self._in_hidden:
            self._block.own += count
            if self._in_link:
                self._block.linked += count

    def start(self, node: LexborNode) -> bool:
        """Begin an element; False where nothing of it is to be read."""
        tag = node.tag or ""
        if tag in OMITTED:
            if tag in UNDRAWN:
                self.unseen.element(tag, node)
            return False
        attributes: Attributes = node.attributes
        if attributes:
            if not SPOKEN.isdisjoint(attributes):
                self.unseen.attributes(attributes)
            how = self._hiding.how(tag, attributes)
        else:
            how = self._how_bare(tag)
        is_plain = how is None and not self._in_hidden
        if tag in PHRASING:
            if is_plain and tag not in _DRAWN_OTHERWISE:
                self._open.append(_WORDS)
            else:
                self._start_phrase(tag, attributes, how)
            return True
        self._separate(tag)
        if is_plain and tag not in _SPECIAL:
            self._open.append(self._start_block(tag, attributes))
        else:
            self._start_other(node, tag, attributes, how)
        return True

    def end(self) -> None:
        element = self._open.pop()
        if element is _WORDS:
            return
        if isinstance(element, Block):
            self._end_block(element)
        else:
            self._end_other(element)
        if element.tag not in PHRASING:
            self._separate(element.tag)

    def finish(self) -> None:
        self._count_invisible()
        self.blocks[0].end = self.writer.length
        self.blocks[0].last = len(self.blocks) - 1

    def _how_bare(self, tag: str) -> str | None:
        """Return how an element without attributes is hidden, asked once per tag."""
        if tag not in self._bare:
            self._bare[tag] = self._hiding.how(tag, {})
        return self._bare[tag]

    def _opened(self, tag: str, attributes: Attributes, how: str | None) -> _Open:
        element = _Open(tag, self.writer.length)
        self._open.append(element)
        if how:
            element.how, element.hidden_before = how, self.writer
            element.start = 0
            self.writer = TextWriter()
            self._in_hidden.append(how)
        elif self._in_hidden and self._is_shown_again(tag, attributes):
            element.shown_in = (self.writer, self._in_hidden)
            self.writer, self._in_hidden = self._shown, []
            element.start = self.writer.length
        return element

    def _is_shown_again(self, tag: str, attributes: Attributes) -> bool:
        ways = self._in_hidden
        return all(self._hiding.shows_again(tag, attributes, way) for way in ways)

    def _start_other(
        self, node: LexborNode, tag: str, attributes: Attributes, how: str | None
    ) -> None:
        element = self._opened(tag, attributes, how)
        if tag != "a" and not self._in_hidden:
            element.block = self._start_block(tag, attributes)
        if tag in _SPECIAL:
            self._count(tag, 1)
            self._start_special(node, element, tag, attributes)

    def _end_other(self, element: _Open) -> None:
        tag = element.tag
        if element.block is not None:
            self._end_block(element.block)
        if tag in _SPECIAL:
            self._count(tag, -1)
            self._end_special(element)
        elif tag == "sup" and self._raised:
            self._raised -= 1
        elif tag == "rt":
            self.writer.write(")")
        if element.hidden_before is not None:
            self._keep_hidden(element, element.hidden_before)
        if element.shown_in is not None:
            self.writer, self._in_hidden = element.shown_in

    def _start_phrase(self, tag: str, attributes: Attributes, how: str | None) -> None:
        if tag == "br":
            self.writer.break_line()
        self._opened(tag, attributes, how)
        if tag == "sup" and (self._raised or self.writer.ends_in_digit()):
            self._raised += 1
        elif tag == "rt":
            self.writer.write("(")

    def _start_block(self, tag: str, attributes: Attributes) -> Block:
        block = Block(tag, len(self.blocks), self._block.index, self.writer.length)
        if attributes and tag not in UNNAMED:
            names = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
            if names != " ":
                block.names = judge(names)
        if attributes and not _ROLES.isdisjoint(attributes):
            block.role = attributes.get("role") or ""
            if attributes.get("itemprop") == "articleBody":
                block.role = "articlebody"
        self.blocks.append(block)
        self._block = block
        return block

    def _end_block(self, block: Block) -> None:
        block.end = self.writer.length
        block.last = len(self.blocks) - 1
        self._block = self.blocks[block.parent]

    def _start_special(
        self, node: LexborNode, element: _Open, tag: str, attributes: Attributes
    ) -> None:
        if tag == "a":
            element.href = attributes.get("href")
            self._in_link += element.href is not None
            if self.writer.length == self._after_link:
                # Two links that touch are drawn apart, as the tags of a page are.
                self.writer.separate(" ")
        elif tag in LISTS:
            self._lists.start(node, attributes)
        elif tag == "li":
            self.writer.mark(self._lists.item(attributes))
        elif tag == "table":
            self._tables.append(TableColumns())
        elif self._tables:
            self._start_in_table(tag, attributes)

    def _start_in_table(self, tag: str, attributes: Attributes) -> None:
        table = self._tables[-1]
        if tag == "tr":
            table.row()
        elif tag in CELLS:
            separator, mark = table.cell(tag, attributes, self.writer.length)
            self.writer.separate(separator)
            self.writer.mark(mark)

    def _end_special(self, element: _Open) -> None:
        tag = element.tag
        if tag == "a":
            if element.href is not None:
                self._in_link -= 1
                self._after_link = self.writer.length
                self._add_link(element, element.href)
        elif tag in LISTS:
            self._lists.end()
        elif tag in {"li", "tr"}:
            self.writer.mark("")
        elif tag == "table":
            self._tables.pop()

    def _separate(self, tag: str) -> None:
        separator = SEPARATORS.get(tag)
        if separator is None:
            return
        if separator == "\n\n" and (self._compact or self._preformatted):
            separator = "\n"
        self.writer.separate(separator)

    def _count(self, tag: str, step: int) -> None:
        if tag in COMPACT:
            self._compact += step
        elif tag in PREFORMATTED:
            self._preformatted += step

    def _keep_hidden(self, element: _Open, outer: TextWriter) -> None:
        text = self.writer.text().strip()
        self._count_invisible()
        if text and len(self.hidden) < _MAX_HIDDEN:
            self.hidden.append(Hidden(text, element.how))
        self.writer = outer
        self._in_hidden.pop()

    def _count_invisible(self) -> None:
        self.removed += self.writer.removed
        for spelled in self.writer.spelled:
            self.unseen.keep(spelled, SPELLED)

    def _add_link(self, element: _Open, href: str) -> None:
        if len(self.links) >= _MAX_LINKS or self._in_hidden:
            return
        url = absolute(self._base_url, href)
        text = " ".join(self.writer.text_from(element.start).split())
        if url and text:
            self.links.append(Link(text, url))
