"""Tools as values: what the model is told, and what is called."""

import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal

from chat.engine.arguments import schema_problem
from chat.engine.errors import ConfigurationError
from chat.engine.json_value import Json, json_problem

ToolKind = Literal["business", "context"]
TOOL_KINDS = ("business", "context")

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call gave. `content` is what the model reads.

    value: any JSON value for trusted code; journaled, never shown to the model.
    is_error: the call failed, and `content` tells the model how.
    """

    content: str
    value: Json = None
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. `call` runs in a thread of its own and must not touch a database.

    name, description: what the model is told. input_schema: a JSON Schema of type
    object, in the subset of chat.engine.arguments; `call` only ever sees arguments that
    fit it. kind: `context` tools look again at what the run already has, and are
    budgeted apart from `business` tools. idempotent: the call may be repeated after an
    interruption. resource_argument: the argument that names the resource a call
    touches. needs_approval: a person decides on every call; the run stops until then.
    fingerprint: what of a result counts when the loop looks for repeats, where it holds
    parts that always change; None is the loop's own.
    """

    name: str
    description: str
    input_schema: Mapping[str, Any]
    call: Callable[[dict[str, Any]], ToolResult]
    kind: ToolKind = "business"
    idempotent: bool = False
    resource_argument: str | None = None
    needs_approval: bool = False
    fingerprint: Callable[[str], str] | None = None

    def __post_init__(self) -> None:
        problem = self._problem()
        if problem:
            msg = f"Tool {self.name!r}: {problem}."
            raise ConfigurationError(msg)
        schema = {"type": "object", **deepcopy(dict(self.input_schema))}
        object.__setattr__(self, "input_schema", schema)

    def _problem(self) -> str | None:
        if not _NAME.fullmatch(_text(self.name)):
            return "name must be 1 to 64 letters, digits, '_' or '-'"
        if not _text(self.description).strip():
            return "description is empty"
        if not _callable(self.call):
            return "call is not callable"
        if self.fingerprint is not None and not _callable(self.fingerprint):
            return "fingerprint is not callable"
        if self.kind not in TOOL_KINDS:
            return f"kind must be one of {', '.join(TOOL_KINDS)}, not {self.kind!r}"
        return self._schema_problem()

    def _schema_problem(self) -> str | None:
        schema = _object(self.input_schema)
        if schema is None:
            return "input_schema is no JSON object"
        problem = json_problem(schema) or schema_problem(schema)
        if problem:
            return f"input_schema cannot be used: {problem}"
        if schema.get("type", "object") != "object":
            return "input_schema must be of type object"
        if self.resource_argument is None:
            return None
        if self.resource_argument not in schema.get("properties", {}):
            return f"resource_argument {self.resource_argument!r} is no property"
        return None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _callable(value: object) -> bool:
    return callable(value)


def _object(value: object) -> dict[str, Any] | None:
    return dict(value) if isinstance(value, Mapping) else None


def result_problem(result: object) -> str | None:
    """Say why what a tool returned cannot be journaled, or None if it can."""
    if not isinstance(result, ToolResult):
        return f"it returned a {type(result).__name__} and no ToolResult"
    content: object = result.content
    if not isinstance(content, str):
        return "its content is not text"
    failed: object = result.is_error
    if type(failed) is not bool:
        return "its is_error is neither true nor false"
    problem = json_problem(result.value)
    return f"its value is not JSON: {problem}" if problem else None
