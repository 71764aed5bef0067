"""Reads a page as a person does: its text, its links, its elements by id."""

from typing import Any

from selectolax.lexbor import LexborHTMLParser


def parsed(response: Any) -> LexborHTMLParser:
    return LexborHTMLParser(response.content.decode())


def words(response: Any, selector: str = "main") -> str:
    """The text of the first match, white space folded."""
    node = parsed(response).css_first(selector)
    assert node is not None, selector
    return " ".join(node.text().split())


def links(response: Any, selector: str = "a") -> list[str]:
    return [str(node.attributes.get("href")) for node in parsed(response).css(selector)]
