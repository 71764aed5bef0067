"""Content blocks of the Messages API: those that are built here, and how to tell them.

Blocks that came from the API are plain mappings and are told apart by `type` alone;
kinds that nobody knows yet are kept and sent back like all others.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

Block: TypeAlias = Mapping[str, Any]

_THINKING = frozenset({"thinking", "redacted_thinking"})
_SERVER_CALLS = frozenset({"server_tool_use", "mcp_tool_use"})


class CacheControl(TypedDict):
    """Asks for the prompt up to here to be cached."""

    type: Literal["ephemeral"]
    ttl: NotRequired[Literal["5m", "1h"]]


class TextBlock(TypedDict):
    """A text that is not empty."""

    type: Literal["text"]
    text: str
    cache_control: NotRequired[CacheControl]


class ToolUseBlock(TypedDict):
    """A call of a client tool."""

    type: Literal["tool_use"]
    id: str
    name: str
    input: Mapping[str, Any]


class CitationsSwitch(TypedDict):
    """Whether a source may be cited; it must be the same for all of a request."""

    enabled: bool


class SearchResultBlock(TypedDict):
    """A passage of a source, to be cited."""

    type: Literal["search_result"]
    source: str
    title: str
    content: list[TextBlock]
    citations: CitationsSwitch


class ToolResultBlock(TypedDict):
    """The answer to a call of a client tool; no content where the result is empty."""

    type: Literal["tool_result"]
    tool_use_id: str
    content: NotRequired[str | list[SearchResultBlock]]
    is_error: NotRequired[bool]


class WireMessage(TypedDict):
    """One message of a request."""

    role: Literal["user", "assistant"]
    content: list[Block]


def text_block(text: str) -> TextBlock:
    """Return a text as a block."""
    return {"type": "text", "text": text}


def is_text(block: Block) -> bool:
    """Whether it is text, with or without citations."""
    return block.get("type") == "text"


def is_thinking(block: Block) -> bool:
    """Whether it belongs to the model and conversation it was written in."""
    return block.get("type") in _THINKING


def is_server_call(block: Block) -> bool:
    """Whether it is a call of a tool that the provider runs."""
    return block.get("type") in _SERVER_CALLS


def is_server_result(block: Block) -> bool:
    """Whether it is the result of a tool that the provider ran."""
    kind = str(block.get("type"))
    return kind.endswith("_tool_result")


def blocks_of(content: Any) -> list[Block]:
    """Return what of a message's content is a block."""
    if not isinstance(content, list):
        return []
    blocks = (each for each in content if isinstance(each, dict))
    return [each for each in blocks if isinstance(each.get("type"), str)]


def open_server_calls(content: Sequence[Block]) -> set[str]:
    """Return the ids of server calls without a result in the same message."""
    calls = {str(each.get("id")) for each in content if is_server_call(each)}
    return calls - results_in(content)


def results_in(content: Sequence[Block]) -> set[str]:
    """Return the ids of server calls that have their result here."""
    return {str(each.get("tool_use_id")) for each in content if is_server_result(each)}
