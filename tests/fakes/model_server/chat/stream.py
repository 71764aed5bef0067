"""Chat completions as streams, and back."""

import json
from collections.abc import Iterator
from typing import Any

from tests.fakes.model_server.sse import Plan
from tests.fakes.model_server.values import Frame, Json

COMMENT = Frame(b": OPENROUTER PROCESSING\n\n")
DONE = Frame(b"data: [DONE]\n\n")


def frames_of_completion(completion: Json, plan: Plan, usage: bool) -> list[Frame]:
    """The chunks that a completion arrives in; `usage` says whether it is told."""
    frames = [COMMENT] if plan.ping else []
    if "error" in completion:
        return [*frames, _chunk(completion, {"content": ""}, "error"), DONE]
    choice = completion["choices"][0]
    for delta in _deltas(choice["message"], plan.piece):
        frames.append(_chunk(completion, {"role": "assistant", **delta}))
    frames.append(_chunk(completion, {"content": ""}, choice["finish_reason"]))
    if usage:
        frames.append(
            _frame({**_head(completion), "choices": [], **_usage(completion)})
        )
    return [*frames, DONE]


def failing(plan: Plan) -> Frame:
    """The chunk of a stream that fails on the way."""
    error = {"code": 502, "message": plan.error}
    choice = {"index": 0, "delta": {"content": ""}, "finish_reason": "error"}
    return _frame({"error": error, "choices": [choice]})


def _deltas(message: Json, size: int) -> Iterator[Json]:
    content = message.get("content") or ""
    for start in range(0, len(content), size):
        yield {"content": content[start : start + size]}
    for call in message.get("tool_calls") or []:
        yield from _call_deltas(call, size)
    # Sources come in a chunk of their own, whose content is empty.
    for key, value in message.items():
        if key not in ("role", "content", "tool_calls") and value is not None:
            yield {"content": "", key: value}


def _call_deltas(call: Json, size: int) -> Iterator[Json]:
    arguments = call["function"]["arguments"]
    if not isinstance(arguments, str):
        yield {"tool_calls": [call]}
        return
    opened = {**call, "function": {**call["function"], "arguments": ""}}
    yield {"tool_calls": [opened]}
    for start in range(0, len(arguments), size):
        piece = {"arguments": arguments[start : start + size]}
        yield {"tool_calls": [{"index": call["index"], "function": piece}]}


def _chunk(completion: Json, delta: Json, finish: str | None = None) -> Frame:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    error = {"error": completion["error"]} if "error" in completion else {}
    return _frame({**_head(completion), **error, "choices": [choice]})


def _head(completion: Json) -> Json:
    keys = ("id", "provider", "model", "created")
    head = {key: completion[key] for key in keys if key in completion}
    return {**head, "object": "chat.completion.chunk"}


def _usage(completion: Json) -> Json:
    return {"usage": completion["usage"]} if "usage" in completion else {}


def _frame(data: Json) -> Frame:
    return Frame(f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode())


def completion_of_frames(frames: tuple[Frame, ...]) -> Json:
    """The completion that chunks add up to."""
    message: dict[str, Any] = {"role": "assistant", "content": ""}
    whole: dict[str, Any] = {"object": "chat.completion"}
    finish = None
    for data in filter(None, map(_data, frames)):
        keys = ("id", "provider", "model", "created", "usage", "error")
        whole |= {key: data[key] for key in keys if key in data}
        for choice in data.get("choices", []):
            _add(message, choice["delta"])
            finish = choice.get("finish_reason") or finish
    choice = {"index": 0, "finish_reason": finish, "message": message}
    return whole if "error" in whole else {**whole, "choices": [choice]}


def _data(frame: Frame) -> Json:
    line = frame.data.decode().strip()
    return json.loads(line[6:]) if line.startswith("data: {") else None


def _add(message: dict[str, Any], delta: Json) -> None:
    for key, value in delta.items():
        if key == "content":
            message["content"] += value or ""
        elif key == "tool_calls":
            _add_calls(message.setdefault("tool_calls", []), value)
        elif isinstance(value, list):
            message[key] = [*message.get(key, []), *value]
        elif value is not None:
            message[key] = value


def _add_calls(calls: list[Json], pieces: list[Json]) -> None:
    for piece in pieces:
        if piece["index"] == len(calls):
            calls.append({**piece, "function": dict(piece["function"])})
        else:
            calls[piece["index"]]["function"]["arguments"] += piece["function"][
                "arguments"
            ]
