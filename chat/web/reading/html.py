"""HTML to all the text that is seen, with its main content marked.

lexbor's time grows with the square of the nesting depth and of a tag's attributes, so
only short pages are parsed in this process; see process.py. The walk is iterative.
"""

from collections.abc import Iterator

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from chat.web.reading import metadata
from chat.web.reading.hidden import Hiding
from chat.web.reading.main_content import main_spans
from chat.web.reading.tree import headings
from chat.web.reading.values import Readable
from chat.web.reading.visible import VisibleReader


def read_html(html: str, url: str = "") -> Readable:
    """Return the readable form of a decoded page; counts of bytes are the caller's."""
    # Events make select elements quadratic. With scripting on, noscript stays raw text;
    # off, its content is hoisted out of a head and would look visible.
    parser = LexborHTMLParser(
        html, options=LexborDocumentOptions.WO_EVENTS, scripting=True
    )
    base = metadata.base_url(parser, url)
    reader = VisibleReader(base, Hiding(parser))
    if parser.root is not None:
        _walk(parser.root, reader)
        _read_outside_body(parser.root, reader)
    text = reader.writer.text()
    about = metadata.read(parser, headings(reader.blocks, text), text, url)
    return Readable(
        text=text,
        main=main_spans(reader.blocks, text, about.page_kind),
        title=about.title.value,
        title_source=about.title.source if about.title.value else None,
        links=reader.links,
        hidden=[*reader.hidden, *reader.unseen.texts(text)],
        language=about.language,
        published=about.published,
        removed=reader.removed,
        authors=about.authors,
        dates=about.dates,
        canonical=about.canonical,
    )


def _walk(root: LexborNode, reader: VisibleReader) -> None:
    """Read a tree in document order without recursion."""
    above: list[LexborNode] = []
    node: LexborNode | None = root
    while node is not None:
        child = _enter(node, reader)
        if child is not None:
            above.append(node)
            node = child
            continue
        following = node.next if above else None
        while following is None and above:
            node = above.pop()
            reader.end()
            following = node.next if above else None
        node = following
    reader.finish()


def _read_outside_body(root: LexborNode, reader: VisibleReader) -> None:
    """Read what stands unseen around the html element and in the head."""
    head = next((n for n in _siblings(root.child) if n.tag == "head"), None)
    around = _siblings(root.parent.child if root.parent is not None else None)
    for node in [*around, *_siblings(head.child if head is not None else None)]:
        if node.is_comment_node:
            reader.unseen.comment(node.comment_content or "")
        elif node.tag in {"noscript", "template"}:
            reader.unseen.element(node.tag, node)


def _siblings(node: LexborNode | None) -> Iterator[LexborNode]:
    while node is not None:
        yield node
        node = node.next


def _enter(node: LexborNode, reader: VisibleReader) -> LexborNode | None:
    """Read a text or begin an element; return the child to go on with."""
    if node.is_text_node:
        reader.text(node.text_content or "")
        return None
    if not node.is_element_node:
        if node.is_comment_node:
            reader.unseen.comment(node.comment_content or "")
        return None
    if not reader.start(node):
        return None
    child = node.child
    if child is None:
        reader.end()
    return child
