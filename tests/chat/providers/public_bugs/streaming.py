"""Streams put together event by event, as recorded ones are."""

from collections.abc import Iterable
from typing import Any

from tests.fakes.model_server import Reply
from tests.fakes.model_server.sse import event
from tests.fakes.model_server.values import Frame

USAGE = {"input_tokens": 9, "output_tokens": 1}


def start(index: int, block: Any) -> Frame:
    """A block begins; what it holds by then stands in it."""
    return event("content_block_start", index=index, content_block=block)


def delta(index: int, kind: str, **part: Any) -> Frame:
    """A piece of a block."""
    return event("content_block_delta", index=index, delta={"type": kind, **part})


def stop(index: int) -> Frame:
    """A block ends."""
    return event("content_block_stop", index=index)


def stream(
    *frames: Frame, reason: str = "end_turn", counts: Iterable[Any] = ()
) -> Reply:
    """A whole stream around the frames; counts: usages told one after the other."""
    opening = {
        "id": "msg_recorded",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-5-5",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": dict(USAGE),
    }
    first, *others = [*counts] or [USAGE, {"output_tokens": 20}]
    opening["usage"] = first
    end = {"stop_reason": reason, "stop_sequence": None}
    ends = [event("message_delta", delta=end, usage=usage) for usage in others]
    return Reply(
        frames=(
            event("message_start", message=opening),
            event("ping"),
            *frames,
            *ends,
            event("message_stop"),
        )
    )
