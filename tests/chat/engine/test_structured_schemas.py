"""What may be a schema, what is refused as one, and what is told to the model."""

import copy
import dataclasses
import subprocess
import sys
import typing
from typing import Any

import pytest

from chat.engine.errors import ConfigurationError
from chat.engine.structured import Contract, contract_for
from tests.chat.engine.schema_cast import (
    OBJECT,
    TREE,
    Box,
    Loose,
    Model,
    Point,
    Shape,
    Typed,
    check,
    contract,
    errors,
)


def test_the_schema_says_what_is_looked_for_in_a_text() -> None:
    text = 'Such as:\n```\n{"n": 0}\n```\nMine:\n{"n": 1}\n\nLet me know!'

    assert contract(Point).check(text).value == Point(1)
    assert contract(list[int]).check("So:\n[1, 2]\n").value == [1, 2]
    assert not contract(int).check("So:\n42\n").valid
    assert contract(int).check("42").value == 42


@pytest.mark.parametrize(
    ("schema", "name"),
    [
        (Model, "Model"),
        (Point, "Point"),
        (Typed, "Typed"),
        (TREE, "A tree"),
        (OBJECT, "schema"),
        (list[Model], "schema"),
    ],
)
def test_the_name_is_of_the_class_or_the_title(schema: Any, name: str) -> None:
    assert contract(schema).name == name


@pytest.mark.row("B9")
@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        (object(), "must be a type or a dict, not a object"),
        (Point(1), "must be a type or a dict, not a Point"),
        ("object", "must be a type or a dict, not a str"),
        (True, "must be a type or a dict, not a bool"),
        ([Model], "must be a type or a dict, not a list"),
        (check, "must be a type or a dict, not a function"),
        (Contract, "Unable to generate pydantic-core schema"),
        (typing.Callable[[int], int], "Cannot generate a JsonSchema"),
        (Any, "every answer would fit"),
        (Box[int], "a generic dataclass or TypedDict is not supported"),
        ({}, "has no keyword of JSON Schema"),
        ({"answer": "string"}, "has no keyword of JSON Schema"),
        ({"type": "objekt"}, "is no valid JSON Schema: $.type"),
        ({"pattern": "("}, "is no valid JSON Schema: $.pattern"),
        ({"type": "object", 1: 2}, "is no plain JSON"),
        ({"enum": [float("nan")]}, "is no plain JSON"),
        ({"$schema": "https://example.org/", "type": "object"}, "an unknown draft"),
        ({"$schema": 4, "type": "object"}, "an unknown draft"),
        ({"$ref": "#/$defs/no"}, "'#/$defs/no', which is not inside it"),
        ({"$ref": "https://example.org/s"}, "'https://example.org/s', which is not"),
        ({"items": {"$ref": "other.json"}}, "'other.json', which is not inside it"),
        ({"$ref": "file:///etc/hostname"}, "none is fetched"),
        ({"$ref": "#"}, "leads only to itself"),
        ({"$ref": "#/title", "title": "x"}, "is no valid JSON Schema"),
        ({"$ref": "#/x/a", "x": {"a": {"type": 5}}}, "is no valid JSON Schema"),
        ({"$ref": "#/x/a", "x": {"a": {"$ref": "#/no"}}}, "'#/no', which is not"),
    ],
)
def test_what_is_no_schema_is_refused_with_one_sentence(
    schema: Any, reason: str
) -> None:
    with pytest.raises(ConfigurationError) as refused:
        contract_for(schema)

    assert reason in str(refused.value)
    assert str(refused.value).startswith("Task.output_schema ")
    assert "\n" not in str(refused.value)


def test_a_schema_that_holds_itself_is_refused() -> None:
    endless: dict[str, Any] = {"type": "object"}
    endless["properties"] = {"a": endless, "b": endless}

    with pytest.raises(ConfigurationError, match="levels deep"):
        contract_for(endless)


def test_no_schema_is_no_contract() -> None:
    assert contract_for(None) is None


def test_references_by_anchor_and_own_identifier_stay_inside() -> None:
    anchored = {"$ref": "#a", "$defs": {"x": {"$anchor": "a", "type": "array"}}}
    named = {"$id": "https://example.org/s", "$ref": "https://example.org/s#/$defs/x"}

    assert errors(anchored, {}) == ("$: {} is not of type 'array'",)
    assert errors({**named, "$defs": {"x": {"type": "null"}}}, {})


def test_the_schema_is_shared_neither_with_the_caller_nor_with_the_checks() -> None:
    given = copy.deepcopy(OBJECT)
    made = contract(given)
    given["required"].append("more")
    made.json_schema["properties"].clear()

    assert made.check_value({"n": 1}).valid
    assert given["properties"] == OBJECT["properties"]


def test_the_callers_classes_are_left_as_they_are() -> None:
    before = dict(vars(Shape)), dict(vars(Loose))
    contract(Shape), contract(Loose)

    assert (dict(vars(Shape)), dict(vars(Loose))) == before


def test_the_schema_of_a_type_says_what_its_check_holds() -> None:
    shape = contract(Shape).json_schema["$defs"]["Shape"]

    assert shape["required"] == ["n", "first"]
    assert shape["additionalProperties"] is False
    assert set(shape["properties"]) == {
        each.name for each in dataclasses.fields(Shape) if each.init
    } | {"shift"}
    assert contract(Loose).json_schema["$defs"]["Loose"]["description"] == (
        "Words about it."
    )


@pytest.mark.row("B9")
def test_pydantic_and_jsonschema_are_loaded_when_a_schema_is_read() -> None:
    probe = (
        "import sys; import chat.engine.structured as s; s.contract_for(None);"
        "heavy = {'pydantic', 'jsonschema', 'referencing', 'typing_extensions'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
