"""Whatever JSON a server sends, there is a reply or a named failure."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from chat.engine import ModelError, ModelReply
from chat.providers.anthropic.reply import read_reply
from chat.providers.anthropic.stream import Assembler

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "url", "error_code"]), inner)
    ),
    max_leaves=4,
)
KINDS = st.sampled_from(
    ["text", "tool_use", "server_tool_use", "web_search_tool_result", "thinking", "new"]
)
KEYS = ["id", "name", "input", "text", "citations", "content", "tool_use_id", "caller"]
BLOCKS = st.builds(
    lambda kind, rest: {**rest, "type": kind},
    KINDS | JSON,
    st.dictionaries(st.sampled_from(KEYS), JSON),
)
FIELDS = ["usage", "container", "stop_details", "model"]
REASONS = st.sampled_from(
    ["end_turn", "tool_use", "max_tokens", "pause_turn", "refusal"]
)
EVENTS = st.fixed_dictionaries(
    {
        "type": st.sampled_from(
            [
                "message_start",
                "content_block_start",
                "content_block_delta",
                "message_delta",
                "message_stop",
            ]
        )
    },
    optional={
        "index": st.integers(0, 2) | JSON,
        "message": JSON,
        "content_block": BLOCKS | JSON,
        "delta": JSON,
        "usage": JSON,
    },
)


@given(
    st.lists(BLOCKS | JSON, max_size=4),
    st.dictionaries(st.sampled_from(FIELDS), JSON),
    REASONS | JSON,
)
def test_a_message_of_any_shape_is_a_reply_or_a_failure(
    content: Any, fields: dict[str, Any], reason: Any
) -> None:
    message = {**fields, "content": content, "stop_reason": reason}
    try:
        reply = read_reply(message, "", native=True)
    except ModelError:
        return
    assert isinstance(reply, ModelReply)


@given(st.lists(EVENTS, max_size=6))
def test_events_of_any_shape_are_a_message_or_a_failure(events: list[Any]) -> None:
    assembler = Assembler()
    try:
        for event in events:
            assembler.take(event)
        message = assembler.message()
    except ModelError:
        return
    assert isinstance(message["content"], list)
