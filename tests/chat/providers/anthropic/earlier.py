"""What a scenario's first request presupposes: talk, and replies of the same run."""

import json
from collections.abc import Iterator
from typing import Any

from chat.engine import CallResult, Message, Role, ToolCall
from tests.fakes.model_server.replies import Reply
from tests.fakes.model_server.scenario import Exchange
from tests.fakes.model_server.values import Json

LATER = "2026-11-30T20:15:00Z"


class Earlier:
    """The messages of a first request, as a run comes to them.

    messages: talk before the task. objective: the task. exchanges: replies that the run
    has had since, each with the request that it answered.
    """

    def __init__(self, body: Json) -> None:
        self._body = body
        said = body["messages"]
        self._begin = max(place for place, each in enumerate(said) if _asks(each))
        self.objective = text_of(said[self._begin]["content"])
        self.messages = [_message(each, said) for each in said[: self._begin]]
        self.exchanges = list(self._exchanges())

    def _exchanges(self) -> Iterator[Exchange]:
        said = self._body["messages"]
        for place in range(self._begin + 1, len(said)):
            if said[place]["role"] == "assistant":
                body = {**self._body, "messages": said[:place]}
                if place == self._begin + 1:
                    # The container is that of the first reply.
                    body.pop("container", None)
                yield Exchange(
                    self._reply(said[place]["content"], place),
                    {"path": "/v1/messages", "body": body},
                    f"before the scenario, message {place}",
                )

    def _reply(self, content: Json, place: int) -> Reply:
        called = any(block["type"] == "tool_use" for block in content)
        message: dict[str, Any] = {
            "content": content,
            "stop_reason": "tool_use" if called else "pause_turn",
        }
        container = self._body.get("container")
        if container:
            message["container"] = {"id": container, "expires_at": LATER}
        return Reply(message)


def text_of(content: Json) -> str:
    """The text of a message or a result; parts that are none as JSON."""
    if isinstance(content, str):
        return content
    if all(block["type"] == "text" for block in content):
        return "".join(block["text"] for block in content)
    return json.dumps(content)


def answers_in(messages: Json) -> Iterator[tuple[Json, Json]]:
    """Each call with its result, as blocks."""
    calls = {
        block["id"]: block for block in _blocks(messages) if block["type"] == "tool_use"
    }
    for block in _blocks(messages):
        if block["type"] == "tool_result" and block["tool_use_id"] in calls:
            yield calls[block["tool_use_id"]], block


def _blocks(messages: Json) -> Iterator[Json]:
    for message in messages:
        if isinstance(message["content"], list):
            yield from message["content"]


def _asks(message: Json) -> bool:
    content = message["content"]
    if message["role"] != "user":
        return False
    return isinstance(content, str) or content[0]["type"] == "text"


def _message(message: Json, said: Json) -> Message:
    content = message["content"]
    if message["role"] == "user":
        if _asks(message):
            return Message.user(text_of(content))
        return Message(Role.TOOL, results=tuple(_results(content, said)))
    if isinstance(content, str):
        return Message(Role.ASSISTANT, content)
    texts = [block["text"] for block in content if block["type"] == "text"]
    calls = [
        ToolCall(block["id"], block["name"], block["input"])
        for block in content
        if block["type"] == "tool_use"
    ]
    raw = {"content": content}
    return Message(Role.ASSISTANT, "".join(texts), tuple(calls), raw=raw)


def _results(content: Json, said: Json) -> Iterator[CallResult]:
    names = {each["id"]: each["name"] for each in _blocks(said) if "name" in each}
    for block in content:
        if block["type"] == "tool_result":
            name = names[block["tool_use_id"]]
            text = text_of(block.get("content", ""))
            failed = block.get("is_error", False)
            yield CallResult(block["tool_use_id"], name, text, failed)
