"""What the server has issued, so that it knows its own when it comes back."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tests.fakes.model_server.values import Block, Json

OPAQUE = ("encrypted_content", "encrypted_index", "encrypted_stdout")
THINKING = ("thinking", "redacted_thinking")


@dataclass(frozen=True, slots=True)
class Thought:
    """An issued signature: the block, and a digest of all that came before it."""

    block: Block
    before: str | None


@dataclass(frozen=True, slots=True)
class Issued:
    """A reply, and what it was written to: model, system and tools, then blocks."""

    id: str
    head: list[Json]
    blocks: list[Json]
    content: list[Block]
    stop: str = ""


@dataclass
class Ledger:
    """Grows with every response; learns what a scenario presupposes."""

    thoughts: dict[str, Thought] = field(default_factory=dict)
    opaque: set[tuple[str, str]] = field(default_factory=set)
    containers: dict[str, datetime | None] = field(default_factory=dict)
    stops: dict[tuple[str, str], str] = field(default_factory=dict)
    issued: list[Issued] = field(default_factory=list)
    searches: list[int] = field(default_factory=list)

    def issue(self, request: Json, message: Json) -> None:
        """Enter a response to `request`."""
        content = message.get("content") or []
        self._enter_thoughts(content, before=conversation(request))
        self._enter(content)
        stop = message.get("stop_reason") or ""
        for block in content:
            self.stops[mark(block)] = stop
        asked = without_breakpoints(conversation(request))
        reply = Issued(message.get("id", ""), asked[:3], asked[3:], content, stop)
        self.issued.append(reply)
        self.searches.append(billed_searches(content))
        self._enter_container(message.get("container"))

    def learn(self, request: Json) -> None:
        """Take what a scenario's own request holds as issued earlier."""
        for message in request.get("messages", []):
            content = message.get("content")
            if message.get("role") == "assistant" and isinstance(content, list):
                self._enter_thoughts(content, before=None)
                self._enter(content)
        container = request.get("container")
        name = container.get("id") if isinstance(container, dict) else container
        if name:
            self.containers.setdefault(name, None)

    def paused(self, request: Json) -> bool:
        """Whether a request does no more than hand back a paused reply."""
        sent = without_breakpoints(conversation(request)[3:])
        return any(
            reply.stop == "pause_turn" and sent == [*reply.blocks, *reply.content]
            for reply in self.issued
        )

    def _enter_thoughts(self, content: list[Block], before: list[Json] | None) -> None:
        for index, block in enumerate(content):
            if block.get("type") in THINKING:
                so_far = None if before is None else digest([*before, *content[:index]])
                self.thoughts.setdefault(seal(block), Thought(block, so_far))

    def _enter(self, content: list[Block]) -> None:
        self.opaque.update(
            (key, value) for _, key, value in opaque_values(content) if value
        )

    def _enter_container(self, container: Json) -> None:
        if container:
            expires = container.get("expires_at")
            self.containers[container["id"]] = _time(expires)


def mark(block: Block) -> tuple[str, str]:
    """Which call, or which result of a call, a block is; ("", "") of others."""
    if "tool_use_id" in block:
        return "result", str(block["tool_use_id"])
    return ("call", str(block["id"])) if "id" in block else ("", "")


def seal(block: Block) -> str:
    """What makes a thinking block genuine: its signature, or its data."""
    return str(block.get("signature") or block.get("data") or "")


def conversation(request: Json) -> list[Json]:
    """All that thinking is bound to, flat: model, system, tools and every block."""
    head = [request.get("model"), request.get("system"), request.get("tools")]
    blocks: list[Json] = []
    for message in request.get("messages", []):
        content = message.get("content")
        listed = [{"type": "text", "text": content}] if isinstance(content, str) else []
        blocks += listed or (content if isinstance(content, list) else [])
    return [*head, *blocks]


def digest(parts: list[Json]) -> str:
    """One text for a conversation; breakpoints, thinking and blanks do not count."""
    kept = [part for part in parts if not _does_not_count(part)]
    text = json.dumps(without_breakpoints(kept), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _does_not_count(part: Json) -> bool:
    if not isinstance(part, dict):
        return False
    blank = part.get("type") == "text" and not part["text"].strip()
    return blank or part.get("type") in THINKING


def without_breakpoints(part: Json) -> Json:
    """The same without any cache_control."""
    if isinstance(part, dict):
        return {
            key: without_breakpoints(value)
            for key, value in part.items()
            if key != "cache_control"
        }
    return [without_breakpoints(p) for p in part] if isinstance(part, list) else part


def opaque_values(content: list[Block]) -> Iterator[tuple[int, str, Any]]:
    """(index of the block, key, value) of every encrypted field; None where missing."""
    for index, block in enumerate(content):
        for item in _carriers(block):
            for key in OPAQUE:
                if key in item:
                    yield index, key, item[key]


def _carriers(block: Block) -> Iterator[Block]:
    for key in ("content", "citations"):
        inside = block.get(key)
        items = inside if isinstance(inside, list) else [inside]
        yield from (item for item in items if isinstance(item, dict))


def billed_searches(content: list[Block]) -> int:
    """Web searches that found an answer; a failed one costs nothing."""
    return sum(
        block.get("type") == "web_search_tool_result"
        and isinstance(block.get("content"), list)
        for block in content
    )


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
