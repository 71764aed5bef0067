"""How a request may differ from the one that a scenario expects."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.fakes.model_server import Tolerance, load
from tests.fakes.model_server.compare import differences

EXPECTED = load("03_three_parallel_tool_use").exchanges[1].expected["body"]
SEARCHING = load("06_container_carry").exchanges[1].expected["body"]
Change = Callable[[Any], object]


def _differences(change: Change, expected: Any = EXPECTED, **loose: Any) -> list[str]:
    actual = copy.deepcopy(expected)
    change(actual)
    return differences(expected, actual, Tolerance(**loose))


def _results(body: Any) -> list[Any]:
    results: list[Any] = body["messages"][2]["content"]
    return results


def _split(body: Any) -> None:
    results = _results(body)
    body["messages"][2]["content"] = results[:1]
    body["messages"].append({"role": "user", "content": results[1:]})


THE_SAME: dict[str, Change] = {
    "nothing": lambda body: None,
    "max_tokens": lambda body: body.update(max_tokens=1, stream=True, metadata={}),
    "a system prompt": lambda body: body.update(system="You are careful."),
    "a breakpoint": lambda body: _results(body)[0].update(cache_control={"a": 1}),
    "a text as a block": lambda body: body["messages"][0].update(
        content=[{"type": "text", "text": body["messages"][0]["content"]}]
    ),
    "a result as a block": lambda body: _results(body)[0].update(
        content=[{"type": "text", "text": "x = 1\n"}]
    ),
    "the order of results": lambda body: _results(body).reverse(),
    "results in two messages": _split,
    "is_error false": lambda body: _results(body)[0].update(is_error=False),
    "the usual choice": lambda body: body.update(tool_choice={"type": "auto"}),
    "a tool's description": lambda body: body["tools"][0].update(description="?"),
    "a tool's type": lambda body: body["tools"][0].update(type="custom"),
}

DIFFERENT: dict[str, tuple[Change, str]] = {
    "a model": (
        lambda body: body.update(model="claude-opus-5"),
        "model is 'claude-opus-5' where 'claude-sonnet-5-5' is expected",
    ),
    "a result's text": (
        lambda body: _results(body)[0].update(content="y"),
        "messages.2.content.1.content.0.text is 'y' where 'x = 1\\n' is expected",
    ),
    "is_error": (
        lambda body: _results(body)[2].pop("is_error"),
        "messages.2.content.0.is_error is missing; expected True",
    ),
    "a text beside the results": (
        lambda body: _results(body).append({"type": "text", "text": "Go on."}),
        "messages.2.content has 4 items where 3 are expected; the rest is",
    ),
    "an id": (
        lambda body: body["messages"][1]["content"][1].update(id="toolu_x"),
        "messages.1.content.1.id is 'toolu_x' where 'toolu_01STCNez",
    ),
    "a message": (
        lambda body: body["messages"].pop(),
        "messages has 2 items where 3 are expected",
    ),
    "a tool": (
        lambda body: body["tools"].pop(),
        "tools.lookup_record is missing; expected {'name': 'lookup_record'}",
    ),
    "one more tool": (
        lambda body: body["tools"].append({"name": "recall"}),
        "tools.recall is not expected: {'name': 'recall'}",
    ),
    "a choice": (
        lambda body: body.update(tool_choice={"type": "any"}),
        "tool_choice is not expected: {'type': 'any'}",
    ),
}

LOOSE: dict[str, tuple[Change, dict[str, Any]]] = {
    "result texts": (
        lambda body: _results(body)[0].update(content="y"),
        {"result_texts": True},
    ),
    "user texts": (
        lambda body: body["messages"][0].update(content="Other words."),
        {"user_texts": True},
    ),
    "a tool": (
        lambda body: body["tools"].insert(0, {"name": "recall"}),
        {"extra_tools": frozenset({"recall"})},
    ),
}


@pytest.mark.parametrize("change", THE_SAME.values(), ids=THE_SAME.keys())
def test_this_makes_no_difference(change: Change) -> None:
    assert _differences(change) == []


@pytest.mark.parametrize(("change", "words"), DIFFERENT.values(), ids=DIFFERENT.keys())
def test_this_is_told(change: Change, words: str) -> None:
    found = _differences(change)
    assert len(found) == 1
    assert found[0].startswith(words)


@pytest.mark.parametrize(("change", "loose"), LOOSE.values(), ids=LOOSE.keys())
def test_this_can_be_allowed(change: Change, loose: dict[str, Any]) -> None:
    assert (len(_differences(change)), _differences(change, **loose)) == (1, [])


def test_what_is_usually_a_detail_can_be_compared() -> None:
    found = _differences(lambda body: body.update(max_tokens=1), details=frozenset())
    assert found == ["max_tokens is 1 where 16384 is expected"]


def test_schemas_of_own_tools_can_be_compared() -> None:
    found = _differences(
        lambda body: body["tools"][0].update(description="?"), tool_schemas=True
    )
    assert found[0].startswith("tools.read_file.description is '?'")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda body: body.pop("container"), "container is missing"),
        (
            lambda body: body["tools"][2].update(max_uses=6),
            "tools.web_search.max_uses is 6",
        ),
        (
            lambda body: body["tools"][2].update(type="x"),
            "tools.web_search.type is 'x'",
        ),
    ],
)
def test_container_and_search_are_compared(change: Change, words: str) -> None:
    assert _differences(change, SEARCHING)[0].startswith(words)


def test_a_body_that_is_no_object_is_told() -> None:
    assert differences(EXPECTED, None, Tolerance()) == ["the body is not a JSON object"]
