"""Whatever JSON a server sends, the end is a reply or a named failure."""

from contextlib import suppress
from typing import Any

import httpx
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chat.engine import ModelError, ModelReply, TextDelta
from chat.engine.json_value import json_problem
from tests.chat.providers.openai_compatible.endpoint import ask, model_at, streaming

NAMES = st.sampled_from(
    [
        "choices",
        "message",
        "delta",
        "content",
        "tool_calls",
        "function",
        "name",
        "arguments",
        "id",
        "index",
        "usage",
        "prompt_tokens",
        "completion_tokens",
        "prompt_tokens_details",
        "cached_tokens",
        "cost",
        "error",
        "code",
        "metadata",
        "raw",
        "finish_reason",
        "annotations",
        "type",
        "url_citation",
        "url",
        "start_index",
        "reasoning_details",
        "text",
        "refusal",
        "model",
        "object",
        "server_tool_use",
        "detail",
    ]
)
LEAVES = st.sampled_from(
    [None, True, 0, 1, -1, 1.5, 10**30, "", "x", "stop", "url_citation", "error", "{}"]
)
ODD: Any = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=6)
    ),
    max_leaves=30,
)
CHOICE = st.dictionaries(NAMES, ODD, max_size=6)
BODY = st.fixed_dictionaries({"choices": st.lists(CHOICE, min_size=1, max_size=2)})
QUIET = settings(
    deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow]
)


def is_sound(reply: Any) -> bool:
    """Whether the loop can keep it."""
    return isinstance(reply, ModelReply) and json_problem(reply.raw) is None


@QUIET
@given(ODD | BODY, st.sampled_from([200, 400, 429, 500]))
def test_odd_bodies(body: Any, status: int) -> None:
    model, _ = model_at(httpx.Response(status, json=body), preset="openrouter")
    with suppress(ModelError):
        assert is_sound(model.complete(ask()))


@QUIET
@given(st.lists(ODD | BODY, max_size=4))
def test_odd_frames(frames: list[Any]) -> None:
    last = {"choices": [{"delta": {}, "finish_reason": "stop"}]}
    model, _ = model_at(streaming(*frames, last), preset="openrouter")
    with suppress(ModelError):
        *texts, reply = model.stream(ask())
        assert is_sound(reply)
        assert all(isinstance(each, TextDelta) for each in texts)
