"""What a check says of an answer that does not fit, however hostile it is."""

from typing import Any

import pytest

from chat.engine.errors import ConfigurationError
from chat.engine.structured import contract_for
from tests.chat.engine.schema_cast import (
    OBJECT,
    Model,
    Point,
    Typed,
    check,
    contract,
    errors,
)


def test_a_schema_that_only_circles_is_an_invalid_verdict_at_worst() -> None:
    assert "RecursionError" in errors({"allOf": [{"$ref": "#"}]}, {})[0]


@pytest.mark.parametrize(
    ("items", "valid"),
    [
        ([1, True, "1", None, [1], [True], {"a": 1}, {"a": "1"}], True),
        ([1, 1.0], False),
        ([{"a": 1, "b": [2]}, {"b": [2.0], "a": 1}], False),
    ],
)
def test_items_are_unique_as_json_knows_it(items: list[Any], valid: bool) -> None:
    assert check({"type": "array", "uniqueItems": True}, items).valid is valid


def test_the_draft_is_the_one_that_the_schema_names() -> None:
    old = "http://json-schema.org/draft-04/schema#"
    rule = {"maximum": 3, "exclusiveMaximum": True}

    assert errors({"$schema": old, **rule}, 3)[0].startswith("$: 3 is ")
    with pytest.raises(ConfigurationError, match="True is not of type 'number'"):
        contract_for(rule)


def test_formats_are_not_asserted() -> None:
    assert check({"type": "string", "format": "date"}, "soon").valid


def test_of_alternatives_the_nearest_reason_is_told() -> None:
    told = errors({"anyOf": [{"type": "null"}, OBJECT]}, {"n": "x" * 2000})

    assert told[0].endswith("is not valid under any of the given schemas")
    assert told[1].startswith("$.n: 'xxx")
    assert told[1].endswith("x' is not of type 'integer'")


@pytest.mark.row("B9")
@pytest.mark.parametrize("schema", [list[int], {"type": "array", "items": OBJECT}])
def test_errors_are_bounded_in_number_and_length(schema: Any) -> None:
    told = errors(schema, ["x" * 5000] * 50)

    assert len(told) == 10
    assert max(map(len, told)) <= 300
    assert told[9].startswith("$[9]: ")


def test_a_long_value_in_an_error_leaves_the_reason_readable() -> None:
    assert errors(OBJECT, {"n": "x" * 5000})[0].endswith("x' is not of type 'integer'")


@pytest.mark.row("B9")
@pytest.mark.parametrize("schema", [OBJECT, Point, Typed, Model, list[int]])
def test_an_attack_by_depth_is_an_invalid_verdict(schema: Any) -> None:
    for text in ("[" * 100_000, "[" * 100_000 + "]" * 100_000, '{"n":' * 100_000):
        assert not contract(schema).check(text).valid


@pytest.mark.parametrize("value", [{"n": float("nan")}, {"n": 1, "tags": ["\ud800"]}])
def test_a_parsed_value_that_is_no_json_is_invalid(value: Any) -> None:
    told = contract(Model).check_value(value).errors

    assert told[0].startswith("The answer is not plain JSON: it contains")
