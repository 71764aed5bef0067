"""Whether an answer fits its schema: every kind of schema is really held to."""

from datetime import date
from typing import Annotated, Any, Literal, NewType

import pytest
from pydantic import Field, RootModel

from chat.engine.structured import Verdict
from tests.chat.engine.schema_cast import (
    KINDS,
    STRICT,
    TREE,
    Anything,
    Closed,
    Colour,
    Fussy,
    Line,
    Loose,
    Model,
    Node,
    Open,
    Point,
    Shape,
    Typed,
    check,
    contract,
    errors,
    nested,
)


@pytest.mark.row("B9")
@pytest.mark.parametrize("kind", KINDS)
def test_what_fits_is_valid_in_the_type_of_the_schema(kind: str) -> None:
    schema, value = KINDS[kind]
    given = {"n": 1, "tags": ["x"]}

    assert check(schema, given) == Verdict(valid=True, value=value)
    assert contract(schema).check_value(given) == Verdict(valid=True, value=value)
    assert type(check(schema, given).value) is type(value)


@pytest.mark.row("B9")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"foo": 1}, "$"),
        ([1, 2], "$: "),
        ({"n": "one"}, "$.n: "),
        ({"n": None}, "$.n: "),
        ({"n": 1, "tags": ["x", 2]}, "$.tags[1]: "),
    ],
)
def test_what_does_not_fit_is_refused_with_the_place(
    kind: str, value: Any, place: str
) -> None:
    assert errors(KINDS[kind][0], value)[0].startswith(place)
    assert not contract(KINDS[kind][0]).check_value(value).valid


@pytest.mark.row("B9")
@pytest.mark.parametrize("kind", STRICT)
@pytest.mark.parametrize(
    "value", [{"n": 1, "more": 2}, {"n": "1"}, {"n": True}, {"n": 1.5}]
)
def test_strict_kinds_convert_nothing_and_know_their_keys(
    kind: str, value: Any
) -> None:
    assert errors(KINDS[kind][0], value)
    assert contract(KINDS[kind][0]).json_schema["additionalProperties"] is False


@pytest.mark.row("B9")
def test_pydantic_models_go_by_their_own_configuration_wherever_they_stand() -> None:
    assert check(Model, {"n": "1", "more": 2}).value == Model(n=1)
    assert check(list[Model], [{"n": "1"}]).value == [Model(n=1)]
    assert errors(Closed, {"n": "1"}) == ("$.n: Input should be a valid integer",)
    assert errors(Closed, {"n": 1, "m": 2}) == ("$.m: Extra inputs are not permitted",)
    shape = check(Shape, {"n": 1, "first": {"n": 1}, "open": {"n": "1", "m": 2}}).value
    assert shape.open == Open.model_validate({"n": 1, "m": 2})
    assert check(RootModel[list[int]], [1]).value.root == [1]


@pytest.mark.row("B9")
def test_dataclasses_are_made_by_their_own_constructor() -> None:
    given = {"n": 8, "first": {"n": 1}, "points": [{"n": 1}], "inner": [], "shift": 2}
    shape = check(Shape, {**given, "colour": "red", "day": "2026-01-31"}).value

    assert type(shape) is Shape
    assert shape.points == [Point(1)]
    assert (shape.colour, shape.day) == (Colour.RED, date(2026, 1, 31))
    assert shape.total == 6


@pytest.mark.row("B9")
@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"first": {"n": "1"}}, "$.first.n: Input should be a valid integer"),
        ({"first": {"n": 1, "x": 1}}, "$.first.x: Extra inputs are not permitted"),
        ({"points": [{}]}, "$.points[0].n: Field required"),
        ({"points": [{"n": -1}]}, "$.points[0].n: Input should be greater than"),
        ({"inner": [{"n": 1}]}, "$.inner[0].first: Field required"),
        ({"total": 1}, "$.total: Extra inputs are not permitted"),
        ({"n": 13}, "$: Value error, thirteen is unlucky"),
        ({"n": 10}, "The schema's own validator failed: ZeroDivisionError"),
    ],
)
def test_what_a_dataclass_holds_is_held_to_the_same_rules(
    change: dict[str, Any], error: str
) -> None:
    assert errors(Shape, {"n": 1, "first": {"n": 1}, **change})[0].startswith(error)


@pytest.mark.row("B9")
def test_required_and_optional_keys_of_a_typed_dict_are_kept() -> None:
    assert check(Loose, {"n": 1, "first": {"n": 1}, "inner": []}).valid
    assert errors(Loose, {"n": 1}) == ("$.first: Field required",)
    assert errors(Loose, {"first": {"n": 1}}) == ("$.n: Field required",)
    inner = {"n": 1, "first": {}}
    assert errors(Loose, {"n": 1, "first": {"n": 1}, "inner": [inner]}) == (
        "$.inner[0].first.n: Field required",
    )


@pytest.mark.parametrize(
    ("schema", "fits", "fails", "error"),
    [
        (list[Typed], [{"n": 1}], [{"n": "1"}], "$[0].n: "),
        (dict[str, Point], {"a": {"n": 1}}, {"a": {"n": 1, "x": 1}}, "$.a.x: "),
        (Typed | None, None, {"n": "1"}, "$.n: "),
        (NewType("Named", Typed), {"n": 1}, {"n": 1, "x": 1}, "$.x: "),
        (Annotated[list[Point], Field(min_length=1)], [{"n": 1}], [], "$: "),
        (Literal["a", "b"], "a", "c", "$: Input should be 'a' or 'b'"),
        (int, 5, "5", "$: Input should be a valid integer"),
        (tuple[int, str], [1, "x"], [1], "$[1]: Field required"),
        (Anything, {"kind": "any", "value": [{}]}, {"kind": "any"}, "$.value: "),
        (Line | Anything, {"kind": "any", "value": 1}, {"kind": "x"}, "$.kind: "),
        (
            Annotated[Line | Anything, Field(discriminator="kind")],
            {"kind": "line", "ends": [{"n": 1}, {"n": 2}]},
            {"kind": "line", "ends": [{"n": 1}, {"n": 2, "x": 1}]},
            "$.line.ends[1].x: ",
        ),
        (Node, nested(25), {"n": 1, "inner": [{"n": []}]}, "$.inner[0].n: "),
        (TREE, nested(25), {"n": 1, "inner": [{"n": []}]}, "$.inner[0].n: "),
        (TREE, {"n": 1, "inner": []}, {"inner": [{"n": 1}, {"n": 1.0}]}, "$"),
    ],
)
def test_other_types_and_recursion_are_held_as_strictly(
    schema: Any, fits: Any, fails: Any, error: str
) -> None:
    assert check(schema, fits).valid
    assert any(each.startswith(error) for each in errors(schema, fails))


@pytest.mark.row("B9")
def test_a_validator_that_fails_in_its_own_way_is_an_invalid_verdict() -> None:
    assert check(Fussy, {"n": 2}).value.n == 10
    assert errors(Fussy, {"n": 0}) == ("$.n: Value error, zero is no count",)
    assert errors(Fussy, {"n": 1}) == (
        (
            "The schema's own validator failed: ZeroDivisionError: "
            "integer division or modulo by zero"
        ),
    )
