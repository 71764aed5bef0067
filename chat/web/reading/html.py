"""HTML to all the text that is seen, with hidden text and links apart.

lexbor's time grows with the square of the nesting depth and of a tag's attributes, so
only short pages are parsed in this process; see process.py. The walk is iterative.
"""

from dataclasses import dataclass

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from chat.web.reading.elements import (
    BLOCKS,
    CELLS,
    COMPACT,
    LINES,
    OMITTED,
    PREFORMATTED,
)
from chat.web.reading.hidden import how_hidden
from chat.web.reading.metadata import absolute, base_url, language, published, title
from chat.web.reading.values import Hidden, Link, Readable, Span
from chat.web.reading.writer import TextWriter, trimmed

_MAX_LINKS = 5_000
_MAIN_SHARE = 0.5


def read_html(html: str, url: str = "") -> Readable:
    """Return the readable form of a decoded page; counts of bytes are the caller's."""
    # Events make select elements quadratic. With scripting on, noscript stays raw text;
    # off, its content is hoisted out of a head and would look visible.
    parser = LexborHTMLParser(
        html, options=LexborDocumentOptions.WO_EVENTS, scripting=True
    )
    reader = _Reader(base_url(parser, url))
    if parser.root is not None:
        _walk(parser.root, reader)
    text = reader.writer.text()
    return Readable(
        text=text,
        main=_main(reader.main, text),
        title=title(parser),
        links=reader.links,
        hidden=reader.hidden,
        language=language(parser),
        published=published(parser),
        removed=reader.removed,
    )


@dataclass(slots=True)
class _Open:
    """An element being read: where its text began and what its end undoes."""

    tag: str
    start: int
    href: str | None
    outer_writer: TextWriter | None
    how: str


class _Reader:
    """Turns the start and end of elements into text, links and hidden text."""

    def __init__(self, base_url: str) -> None:
        self.writer = TextWriter()
        self.links: list[Link] = []
        self.hidden: list[Hidden] = []
        self.main: list[Span] = []
        self.removed = 0
        self._base_url = base_url
        self._open: list[_Open] = []
        self._compact = 0
        self._preformatted = 0

    def text(self, data: str) -> None:
        if self._preformatted:
            self.writer.write_preformatted(data)
        else:
            self.writer.write(data)

    def start(self, node: LexborNode) -> bool:
        """Begin an element; False where nothing of it is to be read."""
        tag = node.tag or ""
        if tag in OMITTED:
            return False
        attributes = node.attributes
        if tag == "dialog" and "open" not in attributes:
            return False
        if tag == "br":
            self.writer.break_line()
        self._separate(tag)
        how = how_hidden(attributes)
        outer = self.writer if how else None
        if how:
            self.writer = TextWriter()
        self._count(tag, 1)
        href = attributes.get("href") if tag == "a" else None
        is_main = tag in {"main", "article"} or attributes.get("role") == "main"
        marked = "main" if is_main else tag
        self._open.append(_Open(marked, self.writer.length, href, outer, how or ""))
        return True

    def end(self, node: LexborNode) -> None:
        element = self._open.pop()
        tag = node.tag or ""
        self._count(tag, -1)
        if element.href:
            self._add_link(element)
        if element.outer_writer is not None:
            self._keep_hidden(element)
        elif element.tag == "main":
            self.main.append((element.start, self.writer.length))
        self._separate(tag)

    def finish(self) -> None:
        self.removed += self.writer.removed

    def _separate(self, tag: str) -> None:
        if tag in BLOCKS:
            within = self._compact or self._preformatted
            self.writer.separate("\n" if within else "\n\n")
        elif tag in LINES:
            self.writer.separate("\n")
        elif tag in CELLS:
            self.writer.separate("\t")

    def _count(self, tag: str, step: int) -> None:
        self._compact += step * (tag in COMPACT)
        self._preformatted += step * (tag in PREFORMATTED)

    def _keep_hidden(self, element: _Open) -> None:
        text = self.writer.text().strip()
        self.removed += self.writer.removed
        if text:
            self.hidden.append(Hidden(text, element.how))
        if element.outer_writer is not None:
            self.writer = element.outer_writer

    def _add_link(self, element: _Open) -> None:
        if len(self.links) >= _MAX_LINKS:
            return
        url = absolute(self._base_url, element.href or "")
        text = " ".join(self.writer.text_from(element.start).split())
        if url and text:
            self.links.append(Link(text, url))


def _walk(root: LexborNode, reader: _Reader) -> None:
    """Read a tree in document order without recursion."""
    node, depth = root, 0
    while True:
        child = _enter(node, reader)
        if child is not None:
            node, depth = child, depth + 1
            continue
        while node.next is None and depth:
            parent = node.parent
            if parent is None:
                break
            node, depth = parent, depth - 1
            reader.end(node)
        if not depth or node.next is None:
            break
        node = node.next
    reader.finish()


def _enter(node: LexborNode, reader: _Reader) -> LexborNode | None:
    """Read a text or begin an element; return the child to go on with."""
    if node.is_text_node:
        reader.text(node.text_content or "")
        return None
    if not node.is_element_node or not reader.start(node):
        return None
    child = node.child
    if child is None:
        reader.end(node)
    return child


def _main(candidates: list[Span], text: str) -> list[Span]:
    """Choose the biggest main or article element if it holds most of the text."""
    spans = [span for span in (trimmed(c, text) for c in candidates) if span]
    best = max(spans, key=lambda span: span[1] - span[0], default=(0, 0))
    if best[1] - best[0] >= _MAIN_SHARE * len(text) and text:
        return [best]
    return [(0, len(text))]
