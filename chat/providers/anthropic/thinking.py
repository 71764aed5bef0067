"""Thinking, which counts only behind the very prompt that it was written to.

The API signs it over model, system prompt, tools and every block before it. Sent behind
anything else it is refused, so that it is left out there, always all of one reply's.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Any

from chat.providers.anthropic.blocks import Block, is_thinking


class Prompt:
    """A digest of the prompt as far as it is written; blocks count, not messages."""

    def __init__(self, head: Any) -> None:
        self._hash = hashlib.sha256(json.dumps(head, sort_keys=True).encode())

    def add(self, role: str, blocks: Iterable[Block]) -> None:
        """Write on."""
        for block in blocks:
            text = json.dumps([role, block], sort_keys=True)
            self._hash.update(text.encode())

    @property
    def digest(self) -> str:
        """Of all that was written so far."""
        return self._hash.hexdigest()[:16]


def without_thinking(content: Iterable[Block]) -> list[Block]:
    """Return the other blocks."""
    return [block for block in content if not is_thinking(block)]


def moved(written: Sequence[Block], sent: Sequence[Block]) -> bool:
    """Whether thinking stands behind a block of its reply that is sent otherwise."""
    same = 0
    for ours, theirs in zip(written, sent, strict=False):
        if ours != theirs:
            break
        same += 1
    return any(is_thinking(block) for block in written[same:])
