"""A page taken apart without a parser: tags and scripts here, words there; linear."""

import html
import re
from dataclasses import dataclass

_READ_BYTES = 256 * 1024
_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9-]{0,30})")
_RAW = frozenset(("script", "style", "template", "title", "noscript"))
_WORDS = "\0"
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Markup:
    """``code`` has the tags and the scripts, ``words`` what is between them.

    A mark in ``code`` stands where words were, so that no element with words looks
    empty. Text that shows code, as in an article, is in ``words`` alone.
    """

    code: str
    words: str
    title: str


def take_apart(body: bytes) -> Markup:
    """Read the beginning of an HTML body; enough to tell a wall, no more than that."""
    text = body[:_READ_BYTES].decode("utf-8", errors="replace")
    code: list[str] = []
    words: list[str] = []
    title = ""
    at = 0
    lowered = _ascii_lower(text)
    while (tag := _TAG.search(text, at)) is not None:
        words.append(text[at : tag.start()])
        code.append(_WORDS if words[-1].strip() else "")
        at = _after(text, ">", tag.end())
        code.append(text[tag.start() : at])
        name = tag[1].lower()
        if name in _RAW and text[tag.start() + 1] != "/":
            end = lowered.find(f"</{name}", at)
            inside = text[at : end if end >= 0 else len(text)]
            at += len(inside)
            if name == "title":
                title = title or inside
            elif name == "script":
                code.append(inside)
    words.append(text[at:])
    return Markup("".join(code), _plain(" ".join(words)), _plain(title))


def _after(text: str, mark: str, start: int) -> int:
    found = text.find(mark, start)
    return found + 1 if found >= 0 else len(text)


def _ascii_lower(text: str) -> str:
    """Lower case that keeps every offset, which ``str.lower`` does not."""
    return text.translate(_LOWER)


def _plain(text: str) -> str:
    return _BLANKS.sub(" ", html.unescape(text)).strip()


_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
