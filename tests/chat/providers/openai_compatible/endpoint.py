"""An endpoint in the client: answers what it is told, and keeps what it was asked."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import httpx

from chat.engine import (
    Message,
    ModelError,
    ModelReply,
    ModelRequest,
    Task,
    TextDelta,
    Tool,
    ToolResult,
)
from chat.providers.openai_compatible import OpenAICompatibleModel

KEY = "sk-or-test-REDACTED"
BASE_URL = "http://127.0.0.1:9/api/v1"
USAGE = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}
PATH = {"type": "object", "properties": {"path": {"type": "string"}}}

Answer = httpx.Response | Exception


class Endpoint:
    """Gives its answers in order; one that is an exception is raised.

    bodies: the JSON that was asked. requests: the same with all around it.
    """

    def __init__(self, answers: Iterable[Answer]) -> None:
        self._answers = iter(answers)
        self.requests: list[httpx.Request] = []
        self.client = httpx.Client(transport=httpx.MockTransport(self._answer))

    @property
    def bodies(self) -> list[Any]:
        return [json.loads(request.content) for request in self.requests]

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = next(self._answers)
        if isinstance(answer, Exception):
            raise answer
        return answer


class Pieces(httpx.SyncByteStream):
    """A body in pieces; it ends with `error` where there is one."""

    def __init__(self, pieces: Iterable[bytes], error: Exception | None = None) -> None:
        self._pieces = pieces
        self._error = error

    def __iter__(self) -> Any:
        yield from self._pieces
        if self._error:
            raise self._error


def model_at(
    *answers: Answer, model: str = "some/model", **options: Any
) -> tuple[OpenAICompatibleModel, Endpoint]:
    """Return a model, and the endpoint that it asks."""
    endpoint = Endpoint(answers)
    settings: dict[str, Any] = {
        "api_key": KEY,
        "base_url": BASE_URL,
        "window": 64_000,
        **options,
    }
    made = OpenAICompatibleModel(model, http_client=endpoint.client, **settings)
    return made, endpoint


def ask(text: str = "x", **fields: Any) -> ModelRequest:
    """Return a request with one message, and what else a test sets."""
    messages = fields.pop("messages", (Message.user(text),))
    return ModelRequest(Task(text), tuple(messages), **fields)


def reader(name: str = "read_file") -> Tool:
    """Return a tool that names the path it was given."""

    def call(arguments: dict[str, Any]) -> ToolResult:
        return ToolResult(f"read {arguments.get('path')}")

    return Tool(name, "Reads a file.", PATH, call)


def completion(
    content: Any = "Hello.",
    finish: str | None = "stop",
    usage: Any = USAGE,
    **message: Any,
) -> dict[str, Any]:
    """Return the body of a whole answer."""
    written = {"role": "assistant", "content": content, **message}
    choice = {"index": 0, "finish_reason": finish, "message": written}
    body = {"id": "gen-1", "model": "some/model", "choices": [choice]}
    return {**body, "usage": usage} if usage is not None else body


def said(content: Any = "Hello.", **parts: Any) -> httpx.Response:
    """Return a whole answer."""
    return httpx.Response(200, json=completion(content, **parts))


def called(
    *calls: tuple[str, str, Any], content: Any = None, **message: Any
) -> httpx.Response:
    """Return an answer with calls of (id, name, arguments)."""
    asked = [
        {"id": each, "type": "function", "function": {"name": name, "arguments": given}}
        for each, name, given in calls
    ]
    finish = "tool_calls"
    return said(content, finish=finish, tool_calls=asked, **message)


def failing(
    status: int, error: Any, headers: Mapping[str, str] | None = None
) -> httpx.Response:
    """Return an answer with an error in its body."""
    return httpx.Response(status, json={"error": error}, headers=headers)


def events(*frames: Any, done: bool = True) -> bytes:
    """Return a stream's bytes; texts are written as they are."""
    written = [
        each
        if isinstance(each, str)
        else f"data: {json.dumps(each, ensure_ascii=False)}"
        for each in [*frames, *(["data: [DONE]"] if done else [])]
    ]
    return "".join(f"{each}\n\n" for each in written).encode()


def streaming(
    *frames: Any,
    done: bool = True,
    pieces: Sequence[bytes] | None = None,
    error: Exception | None = None,
) -> httpx.Response:
    """Return a streamed answer, of frames or of bytes in pieces."""
    body = pieces if pieces is not None else [events(*frames, done=done)]
    headers = {"content-type": "text/event-stream"}
    return httpx.Response(200, headers=headers, stream=Pieces(body, error))


def delta(finish: str | None = None, **parts: Any) -> dict[str, Any]:
    """Return a frame with one delta."""
    choice = {"index": 0, "delta": parts, "finish_reason": finish}
    return {"id": "gen-1", "model": "some/model", "choices": [choice]}


def whole_of(pieces: Iterable[TextDelta | ModelReply]) -> ModelReply:
    """Drain a stream, see that its texts are the reply's, and return that."""
    *texts, reply = pieces
    assert isinstance(reply, ModelReply)
    written = [each.text for each in texts if isinstance(each, TextDelta)]
    assert "".join(written) == reply.text
    return reply


def failure_of(
    model: OpenAICompatibleModel,
    request: ModelRequest | None = None,
    *,
    stream: bool = False,
) -> ModelError:
    """Ask, and return the error that it ends in."""
    request = request or ask()
    try:
        if stream:
            list(model.stream(request))
        else:
            model.complete(request)
    except ModelError as error:
        return error
    msg = "The model answered."
    raise AssertionError(msg)
