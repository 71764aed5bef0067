"""What a page says of itself in JSON-LD: untrusted, so within bounds."""

import json
from collections.abc import Iterator
from typing import Any

from selectolax.lexbor import LexborHTMLParser

_MAX_CHARS = 512 * 1024
_MAX_SCRIPTS = 20
_MAX_OBJECTS = 500
_SCRIPTS = 'script[type="application/ld+json"]'

Item = dict[str, Any]


def items(parser: LexborHTMLParser) -> list[Item]:
    """Return the objects of all JSON-LD scripts, outer before inner; skip bad ones."""
    found: list[Item] = []
    for script in parser.css(_SCRIPTS)[:_MAX_SCRIPTS]:
        found.extend(_objects(_parsed(script.text(deep=True))))
    return found[:_MAX_OBJECTS]


def types(item: Item) -> list[str]:
    """Return the names of an object's types, without their namespace."""
    return [name.rpartition("/")[2] for name in texts(item.get("@type"))]


def texts(value: Any) -> list[str]:
    """Return a value's strings, also those of a list and of ``name`` in objects."""
    listed = value if isinstance(value, list) else [value]
    named = (each.get("name") if isinstance(each, dict) else each for each in listed)
    return [each.strip() for each in named if isinstance(each, str) and each.strip()]


def _parsed(source: str) -> Any:
    if len(source) > _MAX_CHARS:
        return None
    try:
        return json.loads(source, strict=False)
    except (ValueError, RecursionError):
        return None


def _objects(value: Any) -> Iterator[Item]:
    """Yield the objects at the top, in lists and graphs, and what a page is about."""
    waiting, seen = [value], 0
    while waiting and seen < _MAX_OBJECTS:
        seen += 1
        value = waiting.pop(0)
        if isinstance(value, list):
            waiting.extend(value[:_MAX_OBJECTS])
        elif isinstance(value, dict):
            yield value
            inner = (value.get("@graph"), value.get("mainEntity"))
            waiting.extend(each for each in inner if isinstance(each, list | dict))
