"""Text that can be sent: the API takes no lone surrogates and no NUL."""

from collections.abc import Mapping
from typing import Any

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def sendable(value: Any) -> Any:
    """Return a JSON value with every text in it made sound; keys as well."""
    if isinstance(value, str):
        return sound(value)
    if isinstance(value, Mapping):
        return {sound(str(key)): sendable(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [sendable(each) for each in value]
    return value


def sound(text: str) -> str:
    """Put U+FFFD for NUL and for half a surrogate pair; whole pairs become one."""
    if not text.isascii():
        units = text.encode("utf-16-le", "surrogatepass")
        text = units.decode("utf-16-le", "replace")
    return text.replace("\0", REPLACEMENT)
