"""Says in words how a request differs from the one that a scenario expects."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.fakes.model_server.values import Json

DETAILS = frozenset(
    {
        "max_tokens",
        "max_completion_tokens",
        "metadata",
        "stream",
        "stream_options",
        "service_tier",
        "inference_geo",
        "system",
        "thinking",
        "user",
        "usage",
    }
)


@dataclass(frozen=True, slots=True)
class Tolerance:
    """What may rightly differ.

    details: parameters that are not compared; take one out to compare it.
    result_texts: tool results are compared by id and is_error alone. user_texts: what
    the user says is not compared, only that something is said there. tool_schemas:
    whether descriptions and schemas of own tools are compared. echo: of replies of a
    test's own, whether they must come back whole. extra_tools: names of tools that may
    be there beside those expected. own_words: texts of the expected request that the
    client says in words of its own.
    """

    details: frozenset[str] = DETAILS
    result_texts: bool = False
    user_texts: bool = False
    tool_schemas: bool = False
    echo: bool = True
    extra_tools: frozenset[str] = frozenset()
    own_words: frozenset[str] = frozenset()


def differences(expected: Json, actual: Json, tolerance: Tolerance) -> list[str]:
    """Every difference between two request bodies; key order never counts."""
    if not isinstance(actual, dict):
        return ["the body is not a JSON object"]
    ours, theirs = _plain(expected, tolerance), _plain(actual, tolerance)
    return list(_compare("", ours, theirs, tolerance.own_words))


def _plain(body: Json, tolerance: Tolerance) -> Json:
    kept = {k: v for k, v in body.items() if k not in tolerance.details}
    plain = _without_breakpoints(kept)
    plain["messages"] = _turns(plain.get("messages", []), tolerance)
    if "tools" in plain:
        plain["tools"] = _tools(plain["tools"], tolerance)
        if not plain["tools"]:
            del plain["tools"]
    if plain.get("tool_choice") in ({"type": "auto"}, "auto", None):
        plain.pop("tool_choice", None)
    return plain


def _without_breakpoints(value: Json) -> Json:
    if isinstance(value, dict):
        return {
            key: _without_breakpoints(inner)
            for key, inner in value.items()
            if key != "cache_control" and (key, inner) not in _DEFAULTS
        }
    return (
        [_without_breakpoints(v) for v in value] if isinstance(value, list) else value
    )


# Saying them and leaving them out is the same.
_DEFAULTS: list[tuple[str, Json]] = [
    ("is_error", False),
    ("disable_parallel_tool_use", False),
    ("citations", None),
    ("citations", []),
    ("caller", {"type": "direct"}),
    ("stream", False),
]


def _tools(tools: list[Json], tolerance: Tolerance) -> dict[str, Json]:
    """Tools by name, so that their order does not count."""
    named = [(_name(tool), tool) for tool in tools]
    return {
        name: _tool(tool, tolerance)
        for name, tool in named
        if name not in tolerance.extra_tools
    }


def _name(tool: Json) -> str:
    function = tool.get("function") or {}
    return str(tool.get("name") or function.get("name") or tool.get("type"))


def _tool(tool: Json, tolerance: Tolerance) -> Json:
    if tolerance.tool_schemas:
        return tool
    schema = ("input_schema", "description", "strict")
    plain = {key: value for key, value in tool.items() if key not in schema}
    if isinstance(plain.get("function"), dict):
        plain["function"] = {"name": plain["function"].get("name")}
    if plain.get("type") == "custom":
        del plain["type"]
    return plain


def _turns(messages: list[Json], tolerance: Tolerance) -> list[Json]:
    """Messages with those of one role merged, as the API reads them."""
    turns: list[Json] = []
    for message in messages:
        content = message.get("content")
        blocks = _blocks(content, message.get("role"), tolerance)
        other = {key: val for key, val in message.items() if key != "content"}
        if turns and other == {"role": turns[-1]["role"]} and other["role"] != "tool":
            turns[-1]["content"] += blocks
        else:
            turns.append({**other, "content": blocks})
    for turn in turns:
        turn["content"] = _results_by_id(turn["content"])
    return turns


def _blocks(content: Json, role: Any, tolerance: Tolerance) -> list[Json]:
    blocks = _texts(content)
    if role in ("user", "tool"):
        return [_user_block(block, role, tolerance) for block in blocks]
    return blocks


def _texts(content: Json) -> list[Json]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return list(content or [])


def _user_block(block: Json, role: str, tolerance: Tolerance) -> Json:
    if block.get("type") == "tool_result":
        inside = _texts(block.get("content"))
        return {**block, "content": [] if tolerance.result_texts else inside}
    loose = tolerance.user_texts if role == "user" else tolerance.result_texts
    if block.get("type") == "text" and loose:
        return {"type": "text", "text": "…"}
    return block


def _results_by_id(blocks: list[Json]) -> list[Json]:
    """The results that lead a turn may come in any order."""
    first = next(
        (n for n, b in enumerate(blocks) if b.get("type") != "tool_result"), len(blocks)
    )
    leading = sorted(blocks[:first], key=lambda block: str(block.get("tool_use_id")))
    return [*leading, *blocks[first:]]


def _compare(
    path: str, expected: Json, actual: Json, loose: frozenset[str]
) -> Iterator[str]:
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key in dict.fromkeys([*expected, *actual]):
            place = f"{path}.{key}" if path else key
            if key not in actual:
                yield f"{place} is missing; expected {_short(expected[key])}"
            elif key not in expected:
                yield f"{place} is not expected: {_short(actual[key])}"
            else:
                yield from _compare(place, expected[key], actual[key], loose)
    elif isinstance(expected, list) and isinstance(actual, list):
        for n, pair in enumerate(zip(expected, actual, strict=False)):
            yield from _compare(f"{path}.{n}", *pair, loose)
        if len(expected) != len(actual):
            rest = actual[len(expected) :] or expected[len(actual) :]
            yield (
                f"{path} has {len(actual)} items where {len(expected)} are expected;"
                f" the rest is {_short(rest)}"
            )
    elif expected != actual and not _said_otherwise(expected, actual, loose):
        yield f"{path} is {_short(actual)} where {_short(expected)} is expected"


def _said_otherwise(expected: Json, actual: Json, loose: frozenset[str]) -> bool:
    said = isinstance(actual, str) and bool(actual.strip())
    return said and isinstance(expected, str) and expected in loose


def _short(value: Json) -> str:
    text = repr(value)
    return text if len(text) <= 160 else f"{text[:157]}..."
