"""Where a prompt is cached: four places at most, of which each request finds one again.

    after the tools and the system prompt      the same in every request of a run
    after the task                             stays when older rounds are put aside
    where the last request ended               found whatever the round has added
    at the end                                 for the next request

The API looks back only twenty blocks from such a place, and a round may have more; so
that the end of the last request is marked again.

In a turn whose calls are forbidden the messages are not marked: the choice of tool
stands before them, so that nothing of them is found, and no request comes after it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from chat.providers.anthropic.blocks import Block, CacheControl, WireMessage, is_text

TTL: TypeAlias = Literal["5m", "1h"]

_CACHEABLE = frozenset(
    {
        "text",
        "tool_use",
        "tool_result",
        "server_tool_use",
        "web_search_tool_result",
        "web_fetch_tool_result",
        "code_execution_tool_result",
    }
)


def mark_messages(messages: Sequence[WireMessage], task: str, ttl: TTL) -> None:
    """Mark the three places in the messages, whose blocks are replaced, not changed."""
    ends = [place for place in _ends(messages) if place is not None]
    head = _head(messages, task)
    for place, index in {*ends, *([head] if head else [])}:
        content = messages[place]["content"]
        content[index] = marked(content[index], ttl)


def marked(block: Mapping[str, Any], ttl: TTL) -> dict[str, Any]:
    """Return the block with a mark; five minutes are the default and not named."""
    control: CacheControl = {"type": "ephemeral"}
    if ttl != "5m":
        control["ttl"] = ttl
    return {**block, "cache_control": control}


def _ends(messages: Sequence[WireMessage]) -> list[tuple[int, int] | None]:
    """Return the last block of the messages, and of those before the last reply."""
    replies = [
        place for place, each in enumerate(messages) if each["role"] == "assistant"
    ]
    before = messages[: replies[-1]] if replies else []
    return [_last_block(messages), _last_block(before)]


def _last_block(messages: Sequence[WireMessage]) -> tuple[int, int] | None:
    """Return the last block that takes a mark: a paused reply may have none."""
    for place in reversed(range(len(messages))):
        content = messages[place]["content"]
        for index in reversed(range(len(content))):
            if _takes_mark(content[index]):
                return place, index
    return None


def _head(messages: Sequence[WireMessage], task: str) -> tuple[int, int] | None:
    for place in reversed(range(len(messages))):
        if messages[place]["role"] == "user":
            for index, block in enumerate(messages[place]["content"]):
                if is_text(block) and block.get("text") == task:
                    return place, index
    return None


def _takes_mark(block: Block) -> bool:
    if is_text(block):
        return bool(str(block.get("text") or "").strip())
    return block.get("type") in _CACHEABLE
