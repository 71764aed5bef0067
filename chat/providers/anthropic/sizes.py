"""What is known of Anthropic's models by name: window and longest reply, in tokens."""

import re
from typing import NamedTuple


class Size(NamedTuple):
    """window: of a request and its reply. max_output: of a reply. In tokens."""

    window: int
    max_output: int


_LARGE = Size(1_000_000, 128_000)
_SMALL = Size(200_000, 64_000)
_SIZES = {
    "claude-fable-5-2": _LARGE,
    "claude-mythos-5-2": _LARGE,
    "claude-fable-5-1": _LARGE,
    "claude-mythos-5-1": _LARGE,
    "claude-fable-5": _LARGE,
    "claude-mythos-5": _LARGE,
    "claude-opus-5-5": _LARGE,
    "claude-opus-5": _LARGE,
    "claude-opus-4-8": _LARGE,
    "claude-opus-4-7": _LARGE,
    "claude-opus-4-6": _LARGE,
    "claude-opus-4-5": _SMALL,
    "claude-sonnet-5-5": _LARGE,
    "claude-sonnet-5": _LARGE,
    "claude-sonnet-4-6": _LARGE,
    "claude-sonnet-4-5": _SMALL,
    "claude-haiku-5-5": _LARGE,
    "claude-haiku-4-5": _SMALL,
}
_SNAPSHOT = re.compile(r"-\d{8}$")


def size_of(model: str) -> Size | None:
    """Return the sizes of a model or of a dated snapshot of it, None if unknown."""
    return _SIZES.get(_SNAPSHOT.sub("", model))
