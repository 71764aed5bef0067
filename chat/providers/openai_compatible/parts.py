"""Parts of a provider's JSON, of which any may be missing or of another type.

A part that is not what it should be reads as if it were absent, so that an odd reply
ends in a named failure and never in a TypeError.
"""

import json
from collections.abc import Mapping
from typing import Any


def an_object(value: object) -> dict[str, Any]:
    """`value` if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def a_list(value: object) -> list[Any]:
    """`value` if it is a JSON array, else an empty one."""
    return value if isinstance(value, list) else []


def objects_in(value: object) -> list[dict[str, Any]]:
    """The JSON objects of an array, without what else stands in it."""
    return [each for each in a_list(value) if isinstance(each, dict)]


def a_text(value: object) -> str:
    """`value` if it is text, else no text."""
    return value if isinstance(value, str) else ""


def a_count(value: object) -> int | None:
    """`value` if it is a whole number of zero or more, else None."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    return None


def compact(value: Mapping[str, Any]) -> str:
    """Return `value` as one line of JSON, without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def mended(text: str) -> str:
    """Join the halves of characters that were sent as two escapes, as in "\\ud83d"."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
