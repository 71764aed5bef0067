"""Arguments against a schema: one readable sentence for what does not fit."""

from typing import Any

import pytest

from chat.engine.arguments import arguments_problem, schema_problem

SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "minLength": 2, "maxLength": 5},
        "limit": {"type": "integer", "minimum": 1, "maximum": 10},
        "kind": {"enum": ["exact", "typographic", 1]},
        "share": {"type": ["number", "null"]},
        "flags": {"type": "array", "items": {"type": "boolean"}, "maxItems": 2},
        "page": {
            "type": "object",
            "properties": {"url": {"type": "string"}},
            "required": ["url"],
        },
    },
    "required": ["query"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    "arguments",
    [
        {"query": "ab"},
        {"query": "abcde", "limit": 10, "kind": 1, "share": None, "flags": []},
        {"query": "ab", "share": 0.5, "flags": [True, False], "page": {"url": ""}},
    ],
)
def test_arguments_that_fit_pass(arguments: dict[str, Any]) -> None:
    assert arguments_problem(SCHEMA, arguments) is None


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "The object lacks 'query'."),
        (
            {"query": "ab", "x": 1},
            (
                "The object has unknown 'x'; known are 'query', 'limit', 'kind', "
                "'share', 'flags', 'page'."
            ),
        ),
        ({"query": 5}, "Argument query must be of type string."),
        ({"query": "a"}, "Argument query must have at least 2 characters."),
        ({"query": "abcdef"}, "Argument query must have at most 5 characters."),
        ({"query": "ab", "limit": 0}, "Argument limit must be at least 1."),
        ({"query": "ab", "limit": 11}, "Argument limit must be at most 10."),
        ({"query": "ab", "limit": 1.0}, "Argument limit must be of type integer."),
        ({"query": "ab", "limit": True}, "Argument limit must be of type integer."),
        (
            {"query": "ab", "kind": True},
            "Argument kind must be one of 'exact', 'typographic', 1.",
        ),
        (
            {"query": "ab", "share": ""},
            "Argument share must be of type number or null.",
        ),
        (
            {"query": "ab", "flags": [True, 1]},
            "Argument flags[1] must be of type boolean.",
        ),
        (
            {"query": "ab", "flags": [True] * 3},
            "Argument flags must have at most 2 items.",
        ),
        ({"query": "ab", "page": {}}, "Argument page lacks 'url'."),
        (
            {"query": "ab", "page": {"url": 1}},
            "Argument page.url must be of type string.",
        ),
    ],
)
def test_arguments_that_do_not_fit_are_named(arguments: Any, problem: str) -> None:
    assert arguments_problem(SCHEMA, arguments) == problem


def test_deep_nesting_is_refused_and_not_followed() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]

    assert "levels deep" in str(arguments_problem({}, {"x": deep}))


def test_many_unknown_names_stay_one_readable_sentence() -> None:
    arguments = {f"{n}" * 100: n for n in range(10_000)}
    problem = arguments_problem({"additionalProperties": False}, arguments)

    assert problem is not None
    assert len(problem) < 1000


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"pattern": "^x"}}},
        {"items": []},
        {"additionalProperties": {"type": "string"}},
        {"type": "text"},
        {"type": []},
        {"enum": []},
        {"minLength": -1},
        {"minimum": "1"},
    ],
)
def test_a_rule_that_would_not_be_kept_is_refused(schema: Any) -> None:
    assert schema_problem(schema) is not None


def test_annotations_are_ignored() -> None:
    schema = {"title": "T", "description": "D", "default": 1, "format": "uri"}

    assert schema_problem(schema) is None
    assert arguments_problem(schema, {}) is None
