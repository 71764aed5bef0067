"""Thinking, which counts only behind the very prompt that it was written to.

The API signs it over model, system prompt, tools and every block before it. Sent behind
anything else it is refused, so that it is left out there, always all of one reply's.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Any

from chat.providers.anthropic.blocks import Block, WireMessage, is_thinking


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


def sealed(content: Sequence[Block]) -> Sequence[Block]:
    """Return the blocks, without thinking where any of it was cut before it was signed.

    The API takes all thinking of a reply or none.
    """
    signed = all(
        each.get("signature") or each.get("data")
        for each in content
        if is_thinking(each)
    )
    return content if signed else without_thinking(content)


def leads(messages: Sequence[WireMessage]) -> bool:
    """Whether thinking with a budget may go on: the turn whose calls are answered last
    begins with some, as it does not where it was written or is sent without."""
    place = len(messages) - 1
    turn: list[Block] = []
    while place > 0 and messages[place - 1]["role"] == "assistant":
        place -= 1
        turn = [*messages[place]["content"], *turn]
    calls = any(each.get("type") == "tool_use" for each in turn)
    return not calls or is_thinking(turn[0])


def moved(written: Sequence[Block], sent: Sequence[Block]) -> bool:
    """Whether thinking stands behind a block of its reply that is sent otherwise."""
    same = 0
    for ours, theirs in zip(written, sent, strict=False):
        if ours != theirs:
            break
        same += 1
    return any(is_thinking(block) for block in written[same:])
