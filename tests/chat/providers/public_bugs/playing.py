"""Plays a transcript through the loop, the provider and the local server."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from chat.engine import (
    AgentResult,
    Event,
    Limits,
    Message,
    ModelReplied,
    ModelReply,
    Role,
    Task,
    Tool,
    ToolResult,
    event_from_json,
    event_to_json,
    run,
)
from chat.providers.anthropic import AnthropicModel
from chat.providers.server_search import ServerSearch
from tests.fakes.model_server import KEY, Clock, Contract, ModelServer, sdk_client, wire
from tests.fakes.model_server.script import Source

MODEL = "claude-sonnet-5-5"
URL = "https://alpha.example.org/p"
SEARCH = ServerSearch(max_uses=20)
PATH = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
    "additionalProperties": False,
}


@dataclass(frozen=True)
class Played:
    """A run that is over: its events and the requests, none of which was refused
    but where the script says so."""

    events: list[Event]
    result: AgentResult
    server: ModelServer

    @property
    def bodies(self) -> list[Any]:
        return [each.body for each in self.server.seen]

    @property
    def replies(self) -> list[ModelReply]:
        return [each.reply for each in self.events if isinstance(each, ModelReplied)]

    def sent(self, request: int) -> list[Any]:
        """The messages of a request."""
        messages: list[Any] = self.bodies[request]["messages"]
        return messages

    def roles(self, request: int) -> list[str]:
        return [each["role"] for each in self.sent(request)]


def play(
    source: Source,
    *tools: Tool,
    task: Task | None = None,
    limits: Limits | None = None,
    history: Sequence[Event] = (),
    after: Played | None = None,
    contract: Contract | None = None,
    model: str = MODEL,
    **options: Any,
) -> Played:
    """Run a task against the script; what the server objects to fails here.

    after: what the server knows it has written. options: of the model, such as search,
    stream or thinking.
    """
    clock = Clock()
    with wire(source, socket=False, contract=contract, clock=clock) as server:
        if after:
            server.messages.ledger = after.server.ledger
        settings: dict[str, Any] = {"clock": clock, "cache": None, **options}
        client = sdk_client(server)
        made = AnthropicModel(model, api_key=KEY, http_client=client, **settings)
        events = list(
            run(
                made,
                task or Task("How high?"),
                tools,
                limits=limits or Limits(),
                history=history,
            )
        )
    return Played(events, _result(events), server)


def _result(events: list[Event]) -> AgentResult:
    result: AgentResult = events[-1].result  # type: ignore[union-attr]
    return result


def reader(text: str = "x = 1\n", name: str = "read_file") -> Tool:
    """A tool that reads the same text whatever it is asked for."""
    return Tool(name, "Reads a file.", PATH, lambda _: ToolResult(text))


def noting(read: list[str]) -> Tool:
    """A tool that notes every path that it was asked for."""

    def call(arguments: dict[str, Any]) -> ToolResult:
        read.append(arguments["path"])
        return ToolResult(f"text of {arguments['path']}")

    return Tool("read_file", "Reads a file.", PATH, call)


def journaled(events: Iterable[Event]) -> list[Event]:
    """The events as they come out of a journal that was written as JSON."""
    kept = (each for each in events if each.kind not in ("tick", "text_delta"))
    return [event_from_json(event_to_json(each)) for each in kept]


def remembered(played: Played, objective: str) -> tuple[Message, ...]:
    """The run as an earlier conversation, as a store of JSON would keep it."""
    replies = [
        each.reply
        for each in journaled(played.events)
        if isinstance(each, ModelReplied)
    ]
    return (
        Message.user(objective),
        *(
            Message(Role.ASSISTANT, each.text, each.calls, raw=each.raw)
            for each in replies
        ),
    )


def kinds(message: Any) -> list[str]:
    """The types of a message's blocks."""
    return [block["type"] for block in message["content"]]


def texts(message: Any) -> list[str]:
    """The texts of a message, results not included."""
    return [block["text"] for block in message["content"] if block["type"] == "text"]


def cited_text(result: AgentResult) -> list[tuple[str, str]]:
    """What is cited of the answer, and from where."""
    return [
        (result.output[each.start : each.end], each.source) for each in result.citations
    ]
