"""An answer's Markdown as HTML. What a renderer would leave out of sight is kept."""

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from chat.output_gate.rewriting import MARK_CLOSE, MARK_OPEN
from chat.web.sanitize import is_web_address, sanitised

LONGEST_LAID_OUT = 100_000
DEEPEST = 40
MOST_TOKENS = 10_000
# Of HTML, in characters.
LONGEST_BLOCK = 50_000
PIECE = 5_000
SOURCE_ID = "answer-source-"
_MARK = re.compile(f"{MARK_OPEN}([0-9]+){MARK_CLOSE}")
# Definitions of links and titles of pictures would be taken out of the text, entities
# changed, and pictures fetched.
_OFF = ["reference", "image", "entity", "html_block", "html_inline"]


class _Markdown(MarkdownIt):
    """CommonMark with tables, without HTML and pictures; links to http(s) only."""

    def __init__(self) -> None:
        super().__init__("commonmark", {"html": False})
        self.enable("table").disable(_OFF)
        self.core.ruler.push("in_sight", _in_sight)
        self.add_render_rule("fence", _fence)

    def validateLink(self, url: str) -> bool:  # noqa: N802, the library's name
        return is_web_address(url)


class Unfit(Exception):
    """Some of the text would be out of sight, or the layout would take too long."""


def laid_out(text: str) -> str:
    """Safe HTML of at most LONGEST_LAID_OUT characters of visible text. Raises Unfit.

    Marks in the text stay in it. Every letter and digit of the text is in sight, or in
    the address of a link.
    """
    markdown = _Markdown()
    tokens = markdown.parse(text)
    large = len(tokens) > MOST_TOKENS or _depth(tokens) > DEEPEST
    if large or _letters_of(tokens) != _letters(text):
        raise Unfit
    return "".join(map(sanitised, _pieces(_blocks(markdown, tokens))))


def as_written(text: str) -> str:
    """The text as HTML, not laid out at all."""
    return f"<pre>{escape(text)}</pre>"


def with_links(html: str, marks: int) -> str | None:
    """HTML with each of its marks a link to its source; None if they are not in place.

    marks: how many there should be.
    """
    found = _MARK.findall(html)
    lost = len(found) != marks or html.count(MARK_OPEN) != marks
    inside = any(_MARK.search(link.rpartition("<a ")[2]) for link in _links(html))
    if lost or inside:
        return None
    return _MARK.sub(rf'<sup><a href="#{SOURCE_ID}\1">[\1]</a></sup>', html)


def without_marks(text: str) -> str:
    """The text as it was before it was marked."""
    return _MARK.sub("", text)


def _links(html: str) -> list[str]:
    """What ends in each link, that link last."""
    return [piece for piece in html.split("</a>")[:-1] if "<a " in piece]


def _blocks(markdown: MarkdownIt, tokens: Sequence[Token]) -> Iterator[str]:
    """The HTML of each paragraph, list, table and so on, by itself. Raises Unfit."""
    begin = 0
    for end, token in enumerate(tokens, start=1):
        if token.level or token.nesting == 1:
            continue
        options = markdown.options
        html = str(markdown.renderer.render(tokens[begin:end], options, {}))
        if len(html) > LONGEST_BLOCK:
            raise Unfit
        yield html
        begin = end


def _pieces(blocks: Iterable[str]) -> Iterator[str]:
    """The blocks in pieces: the time to sanitise one grows with its square."""
    piece = ""
    for block in blocks:
        if piece and len(piece) + len(block) > PIECE:
            yield piece
            piece = ""
        piece += block
    yield piece


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))


def _letters_of(tokens: Sequence[Token]) -> int:
    """Of everything that is laid out; the numbers of list items are in their `info`."""
    return sum(_letters(token.content) + _letters(token.info) for token in tokens)


def _depth(tokens: Sequence[Token]) -> int:
    inner = (
        max((child.level for child in token.children or ()), default=0) + token.level
        for token in tokens
    )
    return max(inner, default=0)


def _in_sight(state: StateCore) -> None:
    """The numbers of list items as they were written, and the titles of links.

    Headings begin at the third level: the page above has the others.
    """
    for token in state.tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(int(token.tag[1:]) + 2, 6)}"
        if token.type == "list_item_open" and token.info:
            token.attrSet("value", str(int(token.info)))
        if token.children:
            token.children = _with_titles(token.children)


def _with_titles(children: Sequence[Token]) -> list[Token]:
    """Links do not stand in links, so that one title is open at most."""
    shown: list[Token] = []
    title = ""
    for token in children:
        if token.type == "link_open":
            title = str(token.attrs.pop("title", ""))
        if token.type == "link_close" and title:
            shown.append(Token("text", "", 0, content=f" ({title})"))
            title = ""
        shown.append(token)
    return shown


def _fence(
    _renderer: RendererHTML, tokens: Sequence[Token], at: int, *_rest: Any
) -> str:
    token = tokens[at]
    info = token.info.strip()
    head = f"<p><small>{escape(info)}</small></p>" if info else ""
    return f"{head}<pre><code>{escape(token.content)}</code></pre>\n"
