"""The transcript as values, neutral to providers."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NoReturn

from chat.engine.codec import decode, encode
from chat.engine.json_value import Json, json_problem


class Role(StrEnum):
    """Who speaks; the system prompt is no message, it travels apart."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call the model asks for; `arguments` is raw text where it is no JSON object.

    An empty or repeated `id` is replaced by the loop, so that ids are unique in a run.
    """

    id: str
    name: str
    arguments: Mapping[str, Any] | str


@dataclass(frozen=True, slots=True)
class CallResult:
    """What the model reads as the answer to the call with `call_id`."""

    call_id: str
    name: str
    content: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """One message: a person's text, a model's text and calls, or the calls' results.

    A message of role `tool` answers every call of the assistant message before it, in
    the order of the calls. `raw` is the provider's own form of an assistant message,
    JSON, sent back as it came; providers build one from the rest where it is None.
    """

    role: Role
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    results: tuple[CallResult, ...] = ()
    raw: Json = None

    @classmethod
    def user(cls, text: str) -> "Message":
        """Return a person's message."""
        return cls(Role.USER, text)


def transcript_problem(messages: Iterable[Any]) -> str | None:
    """Say where calls and results do not pair up, or None if every call is answered."""
    asked: tuple[str, ...] = ()
    for place, message in enumerate(messages):
        if not isinstance(message, Message):
            return f"message {place} is a {type(message).__name__}"
        answered = tuple(result.call_id for result in message.results)
        if answered != asked:
            return (
                f"message {place} does not answer the calls before it, in their order"
            )
        asked = tuple(call.id for call in message.calls)
    return "the calls of the last message are not answered" if asked else None


def message_to_json(message: Message) -> dict[str, Any]:
    """Return `message` as a JSON object."""
    return dict(encode(message))


def message_from_json(data: Mapping[str, Any]) -> Message:
    """Read back what message_to_json wrote; ValueError where it is something else."""
    return decode(Message, data)


def arguments_from_text(text: str) -> dict[str, Any] | str:
    """Parse a provider's argument text; what is no JSON object comes back as it is.

    Empty text means no arguments, as several providers send it.
    """
    if not text.strip():
        return {}
    try:
        parsed = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return text
    if not isinstance(parsed, dict) or json_problem(parsed):
        return text
    return parsed


def _refuse(constant: str) -> NoReturn:
    msg = f"{constant} is not JSON"
    raise ValueError(msg)
