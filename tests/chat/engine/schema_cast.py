"""The same schema as every kind of it, and how the tests hold a value to one."""

import json
import typing
from dataclasses import InitVar, dataclass, field
from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal, NotRequired, Required

import typing_extensions
from pydantic import BaseModel, ConfigDict, Field, JsonValue, field_validator

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
