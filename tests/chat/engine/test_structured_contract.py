"""Whether an answer fits its schema: every kind of schema is really held to."""

import copy
import dataclasses
import json
import subprocess
import sys
import typing
from dataclasses import InitVar, dataclass, field
from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal, NewType, NotRequired, Required

import pytest
import typing_extensions
from pydantic import BaseModel, ConfigDict, Field, JsonValue, RootModel, field_validator

from chat.engine.errors import ConfigurationError
from chat.engine.structured import Contract, Verdict, contract_for


class Model(BaseModel):
    n: int
    tags: list[str] = []


class Node(BaseModel):
    n: int
    inner: "list[Node]" = []


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    n: int


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    n: int


class Fussy(BaseModel):
    n: int

    @field_validator("n")
    @classmethod
    def check(cls, n: int) -> int:
        if n == 0:
            raise ValueError("zero is no count")
        return 10 // (n - 1)


class Typed(typing.TypedDict):
    n: int
    tags: NotRequired[list[str]]


class Loose(Typed, total=False):
    """Words about it."""

    inner: "list[Loose]"
    first: Required[Typed]


class Extended(typing_extensions.TypedDict):
    n: int
    tags: typing_extensions.NotRequired[list[str]]


class Colour(Enum):
    RED = "red"


@dataclass(frozen=True, slots=True)
class Point:
    n: Annotated[int, Field(ge=0)]
    tags: list[str] = field(default_factory=list)


@dataclass
class Shape:
    n: int
    first: Typed
    points: list[Point] = field(default_factory=list)
    inner: "list[Shape]" = field(default_factory=list)
    colour: Colour | None = None
    day: date | None = None
    open: Open | None = None
    shift: InitVar[int] = 0
    total: int = field(init=False, default=0)

    def __post_init__(self, shift: int) -> None:
        if self.n == 13:
            raise ValueError("thirteen is unlucky")
        self.total = self.n // (10 - self.n) + shift


@dataclass
class Line:
    kind: Literal["line"]
    ends: tuple[Point, Point]


@dataclass
class Anything:
    kind: Literal["any"]
    value: JsonValue


T = typing.TypeVar("T")


@dataclass
class Box(typing.Generic[T]):
    value: T


OBJECT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "n": {"type": "integer"},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["n"],
    "additionalProperties": False,
}
TREE: dict[str, Any] = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "title": "A tree",
    "type": "object",
    "properties": {
        "n": {"type": "integer"},
        "inner": {"type": "array", "uniqueItems": True, "items": {"$ref": "#"}},
    },
    "required": ["n"],
}
KINDS = {
    "JSON Schema": (OBJECT, {"n": 1, "tags": ["x"]}),
    "dataclass": (Point, Point(1, ["x"])),
    "TypedDict": (Typed, {"n": 1, "tags": ["x"]}),
    "TypedDict of typing_extensions": (Extended, {"n": 1, "tags": ["x"]}),
    "Pydantic model": (Model, Model(n=1, tags=["x"])),
}
STRICT = [kind for kind in KINDS if kind != "Pydantic model"]


def contract(schema: Any) -> Contract:
    made = contract_for(schema)
    assert made is not None
    return made


def check(schema: Any, value: Any) -> Verdict:
    return contract(schema).check(json.dumps(value))


def errors(schema: Any, value: Any) -> tuple[str, ...]:
    verdict = check(schema, value)
    assert (verdict.valid, verdict.value) == (False, None)
    return verdict.errors


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {"n": 0}
    for _ in range(levels):
        value = {"n": 0, "inner": [value]}
    return value


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
def test_the_instruction_holds_the_schema_and_the_exact_errors() -> None:
    told = errors(Point, {"n": "1"})
    text = contract(Point).instruction(told, schema_chars=3000, error_chars=1500)

    assert text.startswith("Answer now with one JSON object and nothing else")
    assert '"required":["n"]' in text
    assert "did not fit:\n- $.n: Input should be a valid integer" in text
    assert "cut here" not in text


def test_the_instruction_without_errors_only_asks() -> None:
    text = contract(list[int]).instruction((), schema_chars=3000, error_chars=1500)

    assert text.startswith("Answer now with one JSON array")
    assert "did not fit" not in text


def test_the_instruction_marks_what_it_cuts() -> None:
    made = contract(OBJECT)
    text = made.instruction(["$: " + "x" * 90], schema_chars=22, error_chars=10)
    size = len(json.dumps(OBJECT, separators=(",", ":")))

    assert f'\n{{"type":"object","prop\n[cut here: 22 of {size} characters' in text
    assert text.endswith("- $: xxxxx\n[cut here: 10 of 95 characters are shown]")
    assert "cut here: 0 of" in made.instruction((), schema_chars=-5, error_chars=0)


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
