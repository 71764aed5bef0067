"""A model of Anthropic's in front of the local server, without a socket."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from chat.engine import (
    CallResult,
    Message,
    ModelReply,
    ModelRequest,
    Role,
    Task,
    TextDelta,
    Tool,
    ToolResult,
)
from chat.providers.anthropic import AnthropicModel
from tests.fakes.model_server import KEY, Clock, ModelServer, sdk_client, wire
from tests.fakes.model_server.script import Source

MODEL = "claude-sonnet-5-5"
PATH = {
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
    "additionalProperties": False,
}


@contextmanager
def talking(
    source: Source, *, model: str = MODEL, socket: bool = False, **options: Any
) -> Iterator[tuple[AnthropicModel, ModelServer]]:
    """A model and the server that it asks; what was wrong fails at the end."""
    clock = Clock()
    with wire(source, socket=socket, clock=clock) as server:
        there: dict[str, Any] = {"base_url": server.base_url}
        if not socket:
            there = {"http_client": sdk_client(server)}
        settings: dict[str, Any] = {"api_key": KEY, "clock": clock, **there, **options}
        made = AnthropicModel(model, **settings)
        try:
            yield made, server
        finally:
            made.close()


def read_file(text: str = "x = 1\n", name: str = "read_file") -> Tool:
    """A tool that reads the same text whatever it is asked for."""
    return Tool(name, "Reads a file.", PATH, lambda _: ToolResult(text))


def ask(text: str = "x", *messages: Message, **fields: Any) -> ModelRequest:
    """A request whose task is `text`, with the messages that came after it."""
    return ModelRequest(Task(text), (Message.user(text), *messages), **fields)


def said(reply: ModelReply) -> Message:
    """The reply as the loop keeps it."""
    return Message(Role.ASSISTANT, reply.text, reply.calls, raw=reply.raw)


def results(reply: ModelReply, text: str = "x = 1\n") -> Message:
    """The same result for every call of the reply."""
    answers = (CallResult(call.id, call.name, text) for call in reply.calls)
    return Message(Role.TOOL, results=tuple(answers))


def streamed(model: AnthropicModel, request: ModelRequest) -> tuple[str, ModelReply]:
    """What came in pieces, joined, and the reply at the end."""
    *pieces, reply = model.stream(request)
    assert isinstance(reply, ModelReply)
    return "".join(each.text for each in pieces if isinstance(each, TextDelta)), reply
