"""Messages as streams: events from a message, and a message from its events."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.fakes.model_server.values import Block, Frame, Json

STREAM_HEADERS = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
}


@dataclass(frozen=True, slots=True)
class Plan:
    """How a reply is streamed.

    piece: characters a delta. ping: a ping after message_start and, in a search, before
    its result. delay_s: silence before every frame. cut_after: the connection breaks
    after so many frames. end_after: the stream just ends there. error_after: an error
    event of kind `error` comes there, and then the end.
    """

    piece: int = 16
    ping: bool = True
    delay_s: float = 0.0
    cut_after: int | None = None
    end_after: int | None = None
    error_after: int | None = None
    error: str = "overloaded_error"


def event(kind: str, **data: Any) -> Frame:
    """One frame, with the event's name and its data."""
    text = json.dumps({"type": kind, **data}, ensure_ascii=False)
    return Frame(f"event: {kind}\ndata: {text}\n\n".encode())


def frames_of_file(text: str) -> tuple[Frame, ...]:
    """The frames of a recorded stream, byte for byte."""
    parts = [part for part in text.split("\n\n") if part.strip()]
    return tuple(Frame(f"{part}\n\n".encode()) for part in parts)


def frames_of_message(message: Json, plan: Plan) -> tuple[Frame, ...]:
    """The events that a message arrives in."""
    return shaped(tuple(_events(message, plan)), plan, error_event)


def shaped(
    frames: tuple[Frame, ...], plan: Plan, failing: Callable[[Plan], Frame]
) -> tuple[Frame, ...]:
    """Frames with the plan's delays, ended where it says; `failing` makes its error."""
    ends = (plan.cut_after, plan.end_after, plan.error_after)
    end = min((n for n in ends if n is not None), default=None)
    kept = [Frame(f.data, f.delay_s or plan.delay_s) for f in frames[:end]]
    if plan.error_after is not None:
        kept.append(failing(plan))
    return tuple(kept)


def error_event(plan: Plan) -> Frame:
    """The event of a stream that fails on the way."""
    texts = {"overloaded_error": "Overloaded", "api_error": "Internal server error"}
    text = texts.get(plan.error, plan.error)
    error = {"details": None, "type": plan.error, "message": text}
    return event("error", error=error, request_id="req_stream")


def _events(message: Json, plan: Plan) -> Iterator[Frame]:
    usage = message["usage"]
    opening = {**usage, "output_tokens": 1}
    opening.pop("server_tool_use", None)
    hidden = ("container", "stop_details")
    head = {key: value for key, value in message.items() if key not in hidden}
    yield event(
        "message_start",
        message={**head, "content": [], "stop_reason": None, "usage": opening},
    )
    if plan.ping:
        yield event("ping")
    for index, block in enumerate(message["content"]):
        yield from _block_events(index, block, plan)
    delta = {
        key: message.get(key)
        for key in ("stop_reason", "stop_sequence", "container", "stop_details")
        if key in message
    }
    yield event("message_delta", delta=delta, usage=usage)
    yield event("message_stop")


def _block_events(index: int, block: Block, plan: Plan) -> Iterator[Frame]:
    if plan.ping and block["type"].endswith("_tool_result"):
        yield event("ping")
    empty, deltas = _opened(block, plan.piece)
    yield event("content_block_start", index=index, content_block=empty)
    for delta in deltas:
        yield event("content_block_delta", index=index, delta=delta)
    yield event("content_block_stop", index=index)


def _opened(block: Block, size: int) -> tuple[Block, list[Block]]:
    """A block as it starts, and the deltas that fill it; results come whole."""
    kind = block["type"]
    if kind == "text":
        cited = [
            {"type": "citations_delta", "citation": citation}
            for citation in block.get("citations") or []
        ]
        return {"type": "text", "text": ""}, [
            *cited,
            *_deltas("text_delta", "text", block["text"], size),
        ]
    if kind == "thinking":
        signed = {"type": "signature_delta", "signature": block["signature"]}
        texts = _deltas("thinking_delta", "thinking", block["thinking"], size)
        return {**block, "thinking": "", "signature": ""}, [*texts, signed]
    if kind in ("tool_use", "server_tool_use"):
        text = json.dumps(block["input"], ensure_ascii=False)
        pieces = _deltas("input_json_delta", "partial_json", text, size)
        first = {"type": "input_json_delta", "partial_json": ""}
        return {**block, "input": {}}, [first, *pieces] if block["input"] else [first]
    return block, []


def _deltas(kind: str, key: str, text: str, size: int) -> list[Block]:
    starts = range(0, len(text), size)
    return [{"type": kind, key: text[start : start + size]} for start in starts]


def message_of_frames(frames: tuple[Frame, ...]) -> Json:
    """The message that a stream adds up to; an error of the stream as {"error": …}."""
    message: Json = {}
    written: dict[int, str] = {}
    for data in filter(None, map(_data, frames)):
        kind = data["type"]
        if kind == "error":
            return {"error": data["error"]}
        if kind == "message_start":
            message = data["message"]
        elif kind == "content_block_start":
            message["content"].append(data["content_block"])
        elif kind == "content_block_delta":
            _apply(message["content"], data["index"], data["delta"], written)
        elif kind == "message_delta":
            message.update(data["delta"])
            message["usage"].update(data["usage"])
    for index, text in written.items():
        message["content"][index]["input"] = _input(text)
    return message


def _data(frame: Frame) -> Json:
    for line in frame.data.decode().splitlines():
        if line.startswith("data: {"):
            return json.loads(line[6:])
    return None


def _apply(
    content: list[Block], index: int, delta: Block, written: dict[int, str]
) -> None:
    block, kind = content[index], delta["type"]
    if kind == "input_json_delta":
        written[index] = written.get(index, "") + delta["partial_json"]
    elif kind == "citations_delta":
        block["citations"] = [*(block.get("citations") or []), delta["citation"]]
    else:
        key = {"text_delta": "text", "thinking_delta": "thinking"}.get(
            kind, "signature"
        )
        block[key] = block[key] + delta[key]


def _input(text: str) -> Json:
    """A whole input; of a cut one, the members that were complete."""
    if not text:
        return {}
    try:
        return json.loads(text)
    except ValueError:
        return _cut_input(text)


def _cut_input(text: str) -> Json:
    for end in (i for i in range(len(text), 0, -1) if i == len(text) or text[i] == ","):
        try:
            return json.loads(text[:end] + "}")
        except ValueError:
            continue
    return {}
