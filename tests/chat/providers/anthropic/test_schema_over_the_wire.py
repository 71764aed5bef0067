"""Nested answers over the wire: what is sent, refused, and asked for again."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, RootModel

from chat.engine import ReplyStop, StopReason, Task, execute
from chat.providers.anthropic.schema import closed_schema
from tests.chat.providers.anthropic.wire import ask, read_file, talking
from tests.fakes.model_server import call, say
from tests.fakes.model_server.contract.of_request import fault_of_schema


class Grade(StrEnum):
    HIGH = "high"
    LOW = "low"


class Person(BaseModel):
    kind: Literal["person"]
    name: Annotated[str, Field(min_length=1, max_length=80)]


class Firm(BaseModel):
    kind: Literal["firm"]
    seats: Annotated[int, Field(ge=1, multiple_of=1)]


class Line(BaseModel):
    """One line of a report."""

    on: date
    price: Decimal
    grade: Grade = Grade.LOW
    by: Annotated[Person | Firm, Field(discriminator="kind")]
    notes: Annotated[list[str], Field(min_length=2, max_length=5)]
    more: Any = None


class Report(BaseModel):
    """All that pydantic can say of an answer, nested."""

    lines: Annotated[list[Line], Field(min_length=1)]
    first: Line | None = None


class Mapped(BaseModel):
    counts: dict[str, int]


class Deep(BaseModel):
    lines: list[Line | Mapped | None]


REPORT = (
    '{"lines": [{"on": "2026-11-30", "price": "4.50", "grade": "high", "by": {"kind":'
    ' "firm", "seats": 3}, "notes": ["a", "b"], "more": null}], "first": null}'
)
CLOSED = {
    "type": "object",
    "properties": {"title": {"type": "string"}},
    "additionalProperties": False,
}
TAKEN = {
    *("type", "enum", "const", "title", "description", "default", "required", "$ref"),
    *("properties", "additionalProperties", "$defs", "items", "anyOf", "allOf"),
    *("format", "minItems"),
}
LEAVES = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["string", "integer", "number", "boolean", "null"]),
        "minimum": st.integers(),
        "exclusiveMaximum": st.integers(),
        "multipleOf": st.integers(1, 9),
        "minLength": st.integers(0, 9),
        "pattern": st.just("^a"),
        "format": st.sampled_from(["date", "ipv6", "color", "byte"]),
        "enum": st.just(["a", 1, None]),
        "not": st.just({"type": "object", "minProperties": 1}),
        "$comment": st.just("x"),
    },
)


def _schemas(inner: Any) -> Any:
    names = st.sampled_from(["a", "items", "type", "$ref", "minimum"])
    part = st.dictionaries(names, inner, min_size=1, max_size=3)
    objects = st.fixed_dictionaries(
        {"type": st.just("object"), "properties": part},
        optional={
            "required": st.just(["a"]),
            "minProperties": st.integers(0, 3),
            "additionalProperties": st.booleans(),
        },
    )
    arrays = st.fixed_dictionaries(
        {"type": st.just("array"), "items": inner},
        optional={
            "minItems": st.integers(0, 3),
            "maxItems": st.integers(0, 3),
            "uniqueItems": st.booleans(),
        },
    )
    kinds = st.sampled_from(["anyOf", "oneOf", "allOf"])
    choices = st.dictionaries(
        kinds, st.lists(inner, min_size=1, max_size=3), max_size=2
    )
    return objects | arrays | choices


SCHEMAS = st.recursive(LEAVES, _schemas, max_leaves=12)


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    """A schema and all schemas in it; names of properties are no keywords."""
    yield schema
    named = (schema.get(each, {}).values() for each in ("properties", "$defs"))
    listed = (schema.get(each, ()) for each in ("anyOf", "allOf"))
    items = [[schema["items"]]] if "items" in schema else []
    for inner in (*named, *listed, *items):
        for part in inner:
            yield from parts(part)


@pytest.mark.row("B18")
@pytest.mark.parametrize("streams", [False, True], ids=["whole", "pieces"])
def test_a_nested_model_goes_over_the_wire_closed_and_comes_back_whole(
    streams: bool,
) -> None:
    script = [say(call("read_file", path="a")), say(REPORT)]
    with talking(script, socket=True, stream=streams) as (model, server):
        result = execute(model, Task("x", output_schema=Report), [read_file()])
    assert isinstance(result.parsed, Report)
    assert result.parsed.lines[0].by == Firm(kind="firm", seats=3)
    forms = [each.body["output_config"]["format"]["schema"] for each in server.seen]
    assert forms[0] == forms[1]
    closed = [each for each in parts(forms[0]) if each.get("type") == "object"]
    assert len(closed) == 4
    assert all(each["additionalProperties"] is False for each in closed)
    assert {name for each in parts(forms[0]) for name in each} <= TAKEN


@pytest.mark.row("B18")
def test_the_tools_of_the_run_are_sent_as_they_are() -> None:
    with talking([say(REPORT)], socket=True) as (model, server):
        execute(model, Task("x", output_schema=Report), [read_file()])
    sent = {each["name"]: each for each in server.seen[0].body["tools"]}
    assert sent["read_file"]["input_schema"] == read_file().input_schema


@pytest.mark.row("B18")
@pytest.mark.parametrize(
    ("model", "place"),
    [
        (Mapped, "$.counts"),
        (Deep, "$.Mapped.counts"),
        (list[dict[str, int]], "$[]"),
        (RootModel[dict[str, Line]], "$"),
        ({"properties": {"a": {"patternProperties": {"^x": {}}}}}, "$.a"),
        ({"properties": {"a": {"additionalProperties": {}}}}, "$.a"),
    ],
    ids=["plain", "deep", "list", "root", "pattern", "untyped"],
)
def test_a_map_anywhere_ends_the_run_before_a_request(model: Any, place: str) -> None:
    with talking([], socket=True) as (provider, server):
        result = execute(provider, Task("x", output_schema=model))
    assert result.stop is StopReason.ERROR
    assert f"a map at {place}, such as dict[str, X]" in result.detail
    assert server.seen == []


@pytest.mark.row("B18")
def test_what_the_api_was_not_told_the_loop_still_asks_for() -> None:
    short = REPORT.replace('["a", "b"]', '["a"]')
    with talking([say(short), say(REPORT)], socket=True) as (model, server):
        result = execute(model, Task("x", output_schema=Report))
    assert result.schema_valid
    assert isinstance(result.parsed, Report)
    assert "notes" in str(server.seen[1].body["messages"][-1])


@pytest.mark.row("B18")
def test_a_refusal_is_a_refusal_in_a_schema_too() -> None:
    script = [say(stop="refusal", stop_details={"type": "refusal", "category": "bio"})]
    with talking(script, socket=True) as (model, _):
        reply = model.complete(ask(output_schema=CLOSED))
    assert (reply.stop, reply.parsed) == (ReplyStop.REFUSAL, None)


@pytest.mark.row("B18")
@given(SCHEMAS)
def test_no_schema_that_is_sent_would_be_refused(part: dict[str, Any]) -> None:
    closed = closed_schema({"type": "object", "properties": {"answer": part}})
    assert closed is not None
    assert {name for each in parts(closed) for name in each} <= TAKEN
    assert fault_of_schema(closed) is None
    assert closed_schema(closed) == closed
