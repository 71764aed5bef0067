"""Sizes in tokens: every kind of content counts, and none by its characters alone."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.engine import Tool, ToolResult
from chat.engine.context.tokens import (
    IMAGE_TOKENS,
    attachment_tokens,
    message_tokens,
    text_tokens,
    tool_tokens,
)
from chat.engine.messages import CallResult, Message, Role, ToolCall

PIXELS = "iVBORw0KGgo" * 40_000
IMAGE = {
    "type": "image",
    "source": {"type": "base64", "media_type": "image/png", "data": PIXELS},
}
LINKED = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXELS}"}}


def assistant(raw: Any = None, text: str = "", **arguments: Any) -> Message:
    calls = (ToolCall("a", "read", arguments),) if arguments else ()
    return Message(Role.ASSISTANT, text, calls, raw=raw)


def tool(description: str, schema: dict[str, Any]) -> Tool:
    return Tool("read", description, schema, lambda arguments: ToolResult(""))


@pytest.mark.row("B5")
def test_english_takes_a_quarter_of_its_characters() -> None:
    assert text_tokens("word" * 250) == 250


@pytest.mark.row("B5")
@pytest.mark.parametrize("text", ["漢" * 1_000, "かな" * 500, "한국" * 500])
def test_a_character_of_chinese_japanese_or_korean_is_a_token(text: str) -> None:
    assert text_tokens(text) >= 1_000


def test_an_emoji_is_more_than_one_token() -> None:
    assert text_tokens("🙂" * 100) >= 200


def test_one_odd_character_does_not_make_a_page_longer() -> None:
    assert text_tokens("word " * 1_000 + "’") <= text_tokens("word " * 1_000) + 1


def test_half_a_surrogate_pair_can_be_counted() -> None:
    assert text_tokens("\ud800 and on") > 0


@given(st.text(), st.text())
def test_a_text_is_never_more_than_its_parts_nor_less_than_one(
    one: str, other: str
) -> None:
    size = text_tokens(one + other)
    assert text_tokens(one) <= size <= text_tokens(one) + text_tokens(other)


def test_calls_and_results_count() -> None:
    results = (CallResult("a", "read", "x" * 4_000),)
    assert message_tokens(assistant(text="", query="q" * 4_000)) > 1_000
    assert message_tokens(Message(Role.TOOL, results=results)) > 1_000


def test_what_only_the_raw_form_holds_counts() -> None:
    thought = [{"type": "thinking", "thinking": "t" * 4_000, "signature": "s" * 400}]
    assert message_tokens(assistant(raw=thought, text="Yes.")) > 1_100


def test_what_the_raw_form_lacks_counts() -> None:
    assert message_tokens(assistant(raw=[], text="t" * 4_000)) > 1_000


@pytest.mark.row("B5")
@pytest.mark.parametrize("image", [IMAGE, LINKED])
def test_an_image_in_the_raw_form_counts_as_an_image(image: dict[str, Any]) -> None:
    size = message_tokens(assistant(raw=[image]))
    assert IMAGE_TOKENS <= size < IMAGE_TOKENS + 100


def test_raw_forms_may_be_nested_deeply() -> None:
    raw: Any = "word"
    for _ in range(5_000):
        raw = [raw]
    assert message_tokens(assistant(raw=raw)) > 0


def test_a_schema_counts() -> None:
    many = {f"argument_{place}": {"type": "string"} for place in range(100)}
    long = tool("Reads.", {"type": "object", "properties": many})
    assert tool_tokens(long) > tool_tokens(tool("Reads.", {"type": "object"})) + 600


@pytest.mark.parametrize(
    ("size", "tokens"),
    [({"width": 1_500, "height": 1_000}, 2_000), ({}, IMAGE_TOKENS)],
)
def test_an_attached_image_counts_by_its_size(
    size: dict[str, int], tokens: int
) -> None:
    assert tokens <= attachment_tokens({**IMAGE, **size}) <= tokens + 10


def test_an_attached_document_counts_by_its_text() -> None:
    document = {"type": "document", "title": "Terms", "text": "word " * 800}
    assert 1_000 <= attachment_tokens(document) <= 1_020


def test_numbers_keys_and_bytes_count_by_their_length() -> None:
    figures = [1 / each for each in range(1, 1_001)]
    assert attachment_tokens(figures) > 3_000
    assert attachment_tokens({"key" * 1_000: 1}) > 700
    assert attachment_tokens(b"\x00" * 900) > 300


def test_a_text_that_begins_like_an_image_counts_as_text() -> None:
    text = "data:image/png;base64,AAAA and then a long story. " * 1_000
    assert attachment_tokens({"type": "text", "text": text}) > 10_000
