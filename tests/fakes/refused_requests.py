"""Requests that the Messages API refuses, with its words, and near ones it accepts."""

from typing import Any

from tests.fakes.model_client import HELLO

PICTURE = {"type": "base64", "media_type": "image/tiff", "data": "x"}
READ = {"name": "read", "input_schema": {"type": "object"}}
SEARCH = {"type": "web_search_20250305", "name": "web_search"}
NEWER = {"type": "web_search_20260209", "name": "web_search"}
CALLS = {
    "role": "assistant",
    "content": [
        {"type": "tool_use", "id": "toolu_1", "name": "read", "input": {}},
    ],
}


def body(**fields: Any) -> dict[str, Any]:
    """A small request with these fields; ... leaves one out."""
    usual = {"model": "claude-sonnet-5-5", "max_tokens": 100, "messages": HELLO}
    return {key: val for key, val in {**usual, **fields}.items() if val is not ...}


def said(*blocks: Any, **fields: Any) -> dict[str, Any]:
    return body(messages=[{"role": "user", "content": list(blocks)}], **fields)


def answered(*blocks: Any, **fields: Any) -> dict[str, Any]:
    answer = {"role": "user", "content": list(blocks)}
    return body(messages=[*HELLO, CALLS, answer], tools=[READ], **fields)


def result(content: Any = "x", **fields: Any) -> dict[str, Any]:
    return {
        "type": "tool_result",
        "tool_use_id": "toolu_1",
        "content": content,
        **fields,
    }


def replied(*blocks: Any, **fields: Any) -> dict[str, Any]:
    reply = {"role": "assistant", "content": list(blocks)}
    return body(messages=[*HELLO, reply, *HELLO], tools=[SEARCH], **fields)


def text(**fields: Any) -> dict[str, Any]:
    return {"type": "text", "text": "x", **fields}


def found(on: bool) -> dict[str, Any]:
    return {
        "type": "search_result",
        "source": "s",
        "title": "t",
        "content": [text()],
        "citations": {"enabled": on},
    }


def json_format(schema: Any) -> dict[str, Any]:
    return {"output_config": {"format": {"type": "json_schema", "schema": schema}}}


def closed(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


OPEN = {"type": "object", "properties": {}}
MARK = {"cache_control": {"type": "ephemeral"}}
HOUR = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
DIRECT = {"allowed_callers": ["direct"]}

REFUSED: list[tuple[dict[str, Any], str]] = [
    (body(max_tokens=...), "max_tokens: Field required"),
    (body(model=...), "model: Field required"),
    (body(messages=...), "messages: Field required"),
    (body(messages={}), "messages: Input should be a valid list"),
    (body(messages=[{"role": "user"}]), "messages.0.content: Field required"),
    (body(messages=[{"role": "bot", "content": "x"}]), "messages.0.role: Input"),
    (
        body(messages=[{**HELLO[0], "name": "x"}]),
        "messages.0.name: Extra inputs are not permitted",
    ),
    (body(plugins=[]), "plugins: Extra inputs are not permitted"),
    (body(thread={"type": "create"}), "thread: Extra inputs are not permitted"),
    (body(top_k=1), "top_k: Extra inputs are not permitted"),
    (body(model="claude-nope-9"), "model: claude-nope-9"),
    (body(max_tokens=128_001), "max_tokens: 128001 > 128000, which is the maximum"),
    (body(max_tokens="100"), "max_tokens: Input should be a valid integer"),
    (body(max_tokens=0, stream=True), "max_tokens: 0 cannot be combined"),
    (
        body(thinking={"type": "disabled"}),
        '"thinking.type.disabled" is not supported for this model',
    ),
    (
        body(
            model="claude-sonnet-4-5",
            thinking={"type": "enabled", "budget_tokens": 1000},
        ),
        "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
    ),
    (said(*[text(**MARK)] * 4, **MARK), "Found 5."),
    (said(text(**MARK), text(**HOUR)), "a ttl='1h' cache_control block must not"),
    (body(**json_format(OPEN)), "output_config.format.schema: For 'object' type"),
    (body(**json_format(closed(a=OPEN))), "must be explicitly set to false"),
    (
        body(**json_format({**OPEN, "additionalProperties": True})),
        "'additionalProperties: true' is not supported",
    ),
    (
        body(**json_format(closed(a={"type": "array", "items": OPEN}))),
        "must be explicitly set to false",
    ),
    (
        body(**json_format(closed(a={"type": "integer", "minimum": 1}))),
        "For 'integer' type, property 'minimum' is not supported",
    ),
    (
        body(tools=[{**READ, "strict": True}]),
        "tools.0.custom.input_schema: For 'object' type",
    ),
    (body(tools=[{**READ, "color": 1}]), "tools.0.custom.color: Extra inputs"),
    (body(tools=[{"name": "read"}]), "tools.0.custom.input_schema: Field required"),
    (body(tools=[{**SEARCH, "name": "find"}]), "name: Input should be 'web_search'"),
    (
        body(tools=[{**SEARCH, "allowed_domains": ["https://a.example"]}]),
        "allowed_domains: Domains must not have a scheme",
    ),
    (
        body(tools=[{**SEARCH, "allowed_domains": ["a"], "blocked_domains": ["b"]}]),
        "allowed_domains and blocked_domains cannot both be given",
    ),
    (
        body(tools=[{**SEARCH, "user_location": {"type": "approximate"}}]),
        "name at least one place",
    ),
    (
        body(tools=[{**SEARCH, "response_inclusion": "full"}]),
        "tools.0.web_search_20250305.response_inclusion: Extra inputs",
    ),
    (body(tool_choice={"type": "auto"}), "may only be specified while providing"),
    (
        body(
            tools=[READ],
            tool_choice={"type": "none", "disable_parallel_tool_use": True},
        ),
        "tool_choice.none.disable_parallel_tool_use: Extra inputs are not permitted",
    ),
    (
        body(
            model="claude-opus-5-5",
            thinking={"type": "adaptive"},
            tools=[READ],
            tool_choice={"type": "any"},
        ),
        "tool_choice: type 'any' is not supported for this model",
    ),
    (
        body(tools=[NEWER], tool_choice={"type": "tool", "name": "web_search"}),
        "cannot be used with programmatic tool calling",
    ),
    (body(tools=[{**NEWER, "strict": True}]), "cannot be used with programmatic"),
    (
        body(model="claude-haiku-4-5", tools=[NEWER]),
        "does not support programmatic tool calling",
    ),
    (said({"type": "sound"}), "messages.0.content.0: Input tag 'sound' found"),
    (said({"type": "text"}), "messages.0.content.0.text.text: Field required"),
    (
        said({"type": "text", "text": None}),
        "text.text: Input should be a valid string",
    ),
    (said({"type": "image", "source": PICTURE}), "media_type: Input should be"),
    (said(text(text="")), "messages: text content blocks must be non-empty"),
    (answered(result([text(text="")])), "messages: text content blocks must be"),
    (answered(result([text(n=1)])), "tool_result.content.0.text.n: Extra inputs"),
    (answered(result([text(), found(True)])), "search_result cannot be mixed"),
    (said(found(True), found(False)), "citations must be enabled on all"),
    (said(found(True), **json_format(closed())), "cannot be used with citations"),
    (
        said({**found(True), "content": [text(citations=[{"type": "x"}])]}),
        "search_result.content.0.citations: not permitted in a user message",
    ),
    (said(*CALLS["content"]), "`tool_use` blocks can only be in `assistant` messages"),
    (replied(result()), "`tool_result` blocks can only be in `user` messages"),
    (
        replied({"type": "document", "source": {"type": "text", "data": "x"}}),
        "messages.1.content.0.document: not permitted in an assistant message",
    ),
    (body(messages=[{"role": "user", "content": ""}]), "must have non-empty content"),
    (body(messages=[*HELLO, CALLS], tools=[READ]), "immediately after: toolu_1"),
    (answered(text(), result()), "immediately after: toolu_1"),
    (answered(result(), result()), "each tool_use must have a single result"),
    (
        answered(result(), result(tool_use_id="toolu_2")),
        "messages.2.content.1: unexpected `tool_use_id` found in `tool_result` blocks",
    ),
    (
        answered(
            result(),
            model="claude-sonnet-4-5",
            max_tokens=2000,
            thinking={"type": "enabled", "budget_tokens": 1024},
        ),
        "Expected `thinking` or `redacted_thinking`, but found `tool_use`",
    ),
    (body(container="container_1"), "'container_1' was not found or has expired"),
    (
        replied({"type": "thinking", "thinking": "x", "signature": "y"}),
        "messages.1.content.0: Invalid `signature` in `thinking` block",
    ),
    (
        replied({"type": "redacted_thinking", "data": "y"}),
        "messages.1.content.0: Invalid `data` in `redacted_thinking` block",
    ),
    (
        said(text(text="<<PAD 1000001 tokens>>")),
        "prompt is too long: 1000001 tokens > 1000000 maximum",
    ),
]

ACCEPTED: list[dict[str, Any]] = [
    body(tools=[], stream=True, system="x", metadata={"user_id": "u"}),
    body(max_tokens=0),
    body(messages=[*HELLO, *HELLO], thinking={"type": "between_tools"}),
    body(model="claude-haiku-4-5", tools=[{**NEWER, **DIRECT}]),
    said(*[text(**MARK)] * 3, **MARK),
    said(text(**HOUR), text(**MARK)),
    body(**json_format(closed(a={"type": "array", "items": closed()}))),
    body(tools=[{**READ, "strict": True, "input_schema": closed()}]),
    body(tools=[{**SEARCH, "user_location": {"type": "approximate", "city": "X"}}]),
    body(tools=[READ], tool_choice={"type": "none"}),
    body(tools=[READ], tool_choice={"type": "any", "disable_parallel_tool_use": True}),
    answered(result([found(True)]), text()),
    answered(result(...)),
    answered({"type": "tool_result", "tool_use_id": "toolu_1", "is_error": True}),
    replied(text(citations=None)),
    replied(text(citations=[])),
    said(text(text="<<PAD 1000000 tokens>>")),
]
ACCEPTED[12]["messages"][2]["content"][0].pop("content")
