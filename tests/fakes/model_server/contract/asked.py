"""A request as the rules look at it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

from tests.fakes.model_server.ledger import Ledger, mark
from tests.fakes.model_server.models import MODELS, Traits
from tests.fakes.model_server.values import Block, Json, Request


class Spot(NamedTuple):
    """A block and where it stands: messages.N.content.M."""

    n: int
    m: int
    block: Block

    @property
    def path(self) -> str:
        """Where, as the API writes it."""
        return f"messages.{self.n}.content.{self.m}"

    @property
    def type(self) -> str:
        """The block's type."""
        return str(self.block.get("type"))


@dataclass(slots=True)
class Turn:
    """Messages of one role in a row, which the API reads as one."""

    role: str
    spots: list[Spot] = field(default_factory=list)

    def of(self, *types: str) -> list[Spot]:
        """The blocks of these types."""
        return [spot for spot in self.spots if spot.type in types]


@dataclass
class Asked:
    """A request with the server's memory, its clock and its settings."""

    request: Request
    ledger: Ledger
    now: datetime
    known_tools: tuple[str, ...]
    strict_roles: bool = False
    counting: bool = False

    @property
    def body(self) -> dict[str, Any]:
        """The JSON object that was sent."""
        body: dict[str, Any] = self.request.body
        return body

    @property
    def traits(self) -> Traits:
        """What the model accepts."""
        return MODELS[self.body["model"]]

    @property
    def recent(self) -> bool:
        """Whether the client speaks the API version of October 2026."""
        return self.request.version >= "2026-10-21"

    @property
    def messages(self) -> list[Json]:
        """The messages as sent."""
        messages: list[Json] = self.body["messages"]
        return messages

    @property
    def tools(self) -> list[Json]:
        """The tools as sent."""
        return self.body.get("tools") or []

    @cached_property
    def turns(self) -> list[Turn]:
        """The messages, those of one role in a row merged."""
        turns: list[Turn] = []
        for n, message in enumerate(self.messages):
            if not turns or turns[-1].role != message["role"]:
                turns.append(Turn(message["role"]))
            turns[-1].spots += spots(n, message["content"])
        return turns

    @cached_property
    def spots(self) -> list[Spot]:
        """Every block of the conversation."""
        return [spot for turn in self.turns for spot in turn.spots]

    @property
    def last(self) -> Turn:
        """The turn that the conversation ends with."""
        return self.turns[-1]

    @property
    def continues(self) -> bool:
        """Whether the conversation ends in a paused turn that is to go on."""
        if self.last.role != "assistant":
            return False
        if self.ledger.paused(self.body):
            return True
        marks = [mark(spot.block) for spot in self.last.spots]
        stops = [
            self.ledger.stops[m] for m in marks if any(m) and m in self.ledger.stops
        ]
        return any(is_server_side(spot.type) for spot in self.last.spots) and (
            not stops or stops[-1] == "pause_turn"
        )


def spots(n: int, content: Json) -> list[Spot]:
    """The blocks of a message; a text counts as one block."""
    if isinstance(content, str):
        return [Spot(n, 0, {"type": "text", "text": content})] if content else []
    return [Spot(n, m, block) for m, block in enumerate(content)]


def is_server_side(kind: str) -> bool:
    """Whether a block is a call of a server tool or its result."""
    return kind == "server_tool_use" or (
        kind.endswith("_tool_result") and kind != "tool_result"
    )


def nested_blocks(block: Block) -> Iterator[Block]:
    """A block and the blocks inside its content."""
    yield block
    content = block.get("content")
    if isinstance(content, list):
        for inner in content:
            if isinstance(inner, dict):
                yield from nested_blocks(inner)
