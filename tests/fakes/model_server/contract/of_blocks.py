"""Rules about the form of messages and of each block."""

from typing import Any

from tests.fakes.model_server.contract.asked import Asked, Spot
from tests.fakes.model_server.contract.shapes import (
    ASSISTANT_ONLY,
    BLOCKS,
    REQUIRED,
    USER_ONLY,
)
from tests.fakes.model_server.values import Block, Json

ROLES = ("user", "assistant", "system")
PICTURES = ("image/jpeg", "image/png", "image/gif", "image/webp")


def messages_are_well_formed(asked: Asked) -> str | None:
    """A list of {role, content}, content a text or a list of blocks."""
    if not isinstance(asked.messages, list):
        return "messages: Input should be a valid list"
    if not asked.messages:
        return "messages: at least one message is required"
    for n, message in enumerate(asked.messages):
        fault = _fault_of_message(message)
        if fault:
            return f"messages.{n}{fault}"
    return None


def _fault_of_message(message: Json) -> str | None:
    if not isinstance(message, dict):
        return ": Input should be an object"
    for key in ("role", "content"):
        if key not in message:
            return f".{key}: Field required"
    for key in message:
        if key not in ("role", "content"):
            return f".{key}: Extra inputs are not permitted"
    return _fault_of_role_or_content(message["role"], message["content"])


def _fault_of_role_or_content(role: Json, content: Json) -> str | None:
    if role not in ROLES:
        return ".role: Input should be 'user', 'assistant' or 'system'"
    if not isinstance(content, str | list):
        return ".content: Input should be a valid list"
    if isinstance(content, list) and not all(isinstance(b, dict) for b in content):
        return ".content.0: Input should be an object"
    return None


def blocks_are_well_formed(asked: Asked) -> str | None:
    """Rows 14, 15, 16 and 20, block by block and inside results."""
    for spot in asked.spots:
        fault = fault_of_block(spot.path, spot.block)
        if fault:
            return fault
    return None


def fault_of_block(path: str, block: Block) -> str | None:
    """The first fault of a block's form, with its place."""
    kind = block.get("type")
    if kind not in BLOCKS:
        tags = ", ".join(f"'{name}'" for name in sorted(BLOCKS))
        return (
            f"{path}: Input tag '{kind}' found using 'type' does not match any of the"
            f" expected tags: {tags}"
        )
    for key in REQUIRED.get(kind, ()):
        if key not in block:
            return f"{path}.{kind}.{key}: Field required"
    for key in block:
        if key not in BLOCKS[kind]:
            return f"{path}.{kind}.{key}: Extra inputs are not permitted"
    return _fault_of_values(f"{path}.{kind}", block) or _fault_inside(path, block)


def _fault_of_values(path: str, block: Block) -> str | None:
    if "input" in block and not isinstance(block["input"], dict):
        return f"{path}.input: Input should be a valid dictionary"
    name = block.get("name")
    if isinstance(name, str) and len(name) > 200:
        return f"{path}.name: String should have at most 200 characters"
    for key in ("text", "signature", "data", "id", "tool_use_id"):
        if key in block and not isinstance(block[key], str):
            return f"{path}.{key}: Input should be a valid string"
    if block["type"] == "image":
        return _fault_of_picture(path, block.get("source") or {})
    return None


def _fault_of_picture(path: str, source: dict[str, Any]) -> str | None:
    if source.get("type") == "base64" and source.get("media_type") not in PICTURES:
        listed = ", ".join(f"'{kind}'" for kind in PICTURES[:-1])
        return (
            f"{path}.source.base64.media_type: Input should be {listed} or"
            f" '{PICTURES[-1]}'"
        )
    return None


def _fault_inside(path: str, block: Block) -> str | None:
    if block["type"] not in ("tool_result", "search_result"):
        return None
    content = block.get("content")
    if content is None or isinstance(content, str):
        return None
    if not isinstance(content, list):
        return f"{path}.{block['type']}.content: Input should be a valid list"
    for m, inner in enumerate(content):
        if inner.get("type") == "tool_reference":
            continue
        fault = fault_of_block(f"{path}.{block['type']}.content.{m}", inner)
        if fault:
            return fault
    return None


def blocks_suit_the_role(asked: Asked) -> str | None:
    """Calls come from the assistant, results from the user; row 34 for documents."""
    for turn in asked.turns:
        for spot in turn.spots:
            if turn.role == "user" and _is_assistants(spot):
                return _misplaced(spot, "assistant")
            if turn.role == "assistant" and spot.type in USER_ONLY:
                return _misplaced(spot, "user")
            if turn.role == "assistant" and spot.type == "document" and asked.recent:
                return f"{spot.path}.document: not permitted in an assistant message"
    return None


def _misplaced(spot: Spot, role: str) -> str:
    return f"messages.{spot.n}: `{spot.type}` blocks can only be in `{role}` messages"


def _is_assistants(spot: Spot) -> bool:
    return spot.type in ASSISTANT_ONLY or (
        spot.type.endswith("_tool_result") and spot.type != "tool_result"
    )


def no_citations_from_the_user(asked: Asked) -> str | None:
    """Row 34: since October 2026 a user's text cites nothing."""
    if not asked.recent:
        return None
    for turn in asked.turns:
        for spot in turn.spots if turn.role == "user" else []:
            for path, block in _texts(spot):
                if block.get("citations"):
                    return f"{path}.citations: not permitted in a user message"
    return None


def _texts(spot: Spot) -> list[tuple[str, Block]]:
    if spot.type == "text":
        return [(f"{spot.path}.text", spot.block)]
    inside = spot.block.get("content")
    if spot.type != "search_result" or not isinstance(inside, list):
        return []
    return [(f"{spot.path}.search_result.content.{m}", b) for m, b in enumerate(inside)]


def content_is_not_empty(asked: Asked) -> str | None:
    """Row 10."""
    final = len(asked.messages) - 1
    for n, message in enumerate(asked.messages):
        optional = n == final and message["role"] == "assistant"
        if not message["content"] and not optional:
            return (
                f"messages.{n}: all messages must have non-empty content except for the"
                " optional final assistant message"
            )
    return None


def texts_are_not_empty(asked: Asked) -> str | None:
    """Row 9, inside results too."""
    for spot in asked.spots:
        inside = spot.block.get("content") if spot.type == "tool_result" else None
        for block in [spot.block, *(inside if isinstance(inside, list) else [])]:
            if block.get("type") == "text" and not block["text"]:
                return "messages: text content blocks must be non-empty"
    return None


def search_results_are_of_one_kind(asked: Asked) -> str | None:
    """All of a result are search results or none; all cited or none (not verified)."""
    switches = set()
    for spot in asked.spots:
        items = spot.block.get("content") if spot.type == "tool_result" else None
        listed = items if isinstance(items, list) else [spot.block]
        found = [item for item in listed if item.get("type") == "search_result"]
        if found and len(found) < len(listed):
            return f"{spot.path}.tool_result.content: search_result cannot be mixed"
        switches |= {bool((r.get("citations") or {}).get("enabled")) for r in found}
    if len(switches) == 2:
        return "messages: citations must be enabled on all search results or on none"
    return None
