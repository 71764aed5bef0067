"""Reads the gate's HTML as a browser does, and says what should not be in it."""

from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser

from chat.output_gate.layout import SOURCE_ID
from chat.web.sanitize import ATTRIBUTES, REL, TAGS

# What the gate adds of its own, after the sanitiser.
OWN_TAGS = frozenset({"sup", "q"})


def body(html: str) -> LexborHTMLParser:
    return LexborHTMLParser(f"<!DOCTYPE html><body><main>{html}</main></body>")


def seen(html: str) -> str:
    """The text that a reader sees."""
    main = body(html).css_first("main")
    assert main is not None
    return str(main.text())


def hrefs(html: str) -> list[str]:
    return [str(node.attributes["href"]) for node in body(html).css("a")]


def faults(html: str) -> list[str]:
    """Elements, attributes and links that are not allowed; empty for safe HTML."""
    found = []
    for node in body(html).css("main *"):
        allowed = {*ATTRIBUTES.get(node.tag or "", ()), "id"}
        if node.tag not in TAGS | OWN_TAGS:
            found.append(f"<{node.tag}>")
        found += [name for name in node.attributes if name not in allowed]
    return found + [href for href in hrefs(html) if not _good(href, html)]


def _good(href: str, html: str) -> bool:
    if href.startswith(f"#{SOURCE_ID}"):
        return body(html).css_first(href) is not None
    parts = urlsplit(href)
    plain = parts.scheme in {"http", "https"} and "@" not in parts.netloc
    return plain and bool(parts.hostname) and f'rel="{REL}"' in html
