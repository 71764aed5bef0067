"""The output contract: what the answer of a task with an output_schema must be.

contract_for(Task.output_schema) -> Contract, whose check(text) -> Verdict
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from chat.engine.errors import ConfigurationError
from chat.engine.json_scan import KINDS, find_json, value_problem
from chat.engine.json_value import Json
from chat.engine.output_schema import (
    MAX_ERRORS,
    Misfit,
    OutputSchema,
    from_json_schema,
)
from chat.engine.output_types import from_type
from chat.engine.threads import describe

ERROR_CHARS = 300
ANSWER = (
    "Answer now with one JSON {kind} and nothing else: no words before or after it, no "
    "code fence, no tool call."
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """How an answer stands to its schema.

    value: the answer in the schema's own type (an instance of a Pydantic model or a
    dataclass, else plain values), None where it is not valid. errors: the validator's
    own, each with its place in the answer; at most 10 of at most 300 characters.
    """

    valid: bool
    value: Any = None
    errors: tuple[str, ...] = ()


class Contract:
    """What an answer must be.

    name: of the class, or the schema's title, or "schema". json_schema: plain JSON for
    providers that enforce it natively, shared neither with the caller nor with the
    checks.
    """

    def __init__(self, schema: OutputSchema) -> None:
        self.name = schema.name
        self.json_schema = schema.json_schema
        self._fit = schema.fit
        self._kinds = _kinds(schema.json_schema)

    def check(self, text: str) -> Verdict:
        """Find the answer in what the model wrote, and check it; never raises."""
        found = find_json(text, self._kinds)
        if found.problem:
            return _invalid([found.problem])
        return self._verdict(found.value)

    def check_value(self, value: Json) -> Verdict:
        """Check plain JSON that the provider has parsed already; never raises."""
        if problem := value_problem(value):
            return _invalid([f"The answer is not plain JSON: {problem}."])
        return self._verdict(value)

    def instruction(
        self, errors: Sequence[str], *, schema_chars: int, error_chars: int
    ) -> str:
        """Return what the last, tools-free turn is told: the schema and the errors.

        errors: of the last answer; none where there was no answer. Both are cut with a
        visible mark, which is not counted in schema_chars and error_chars.
        """
        schema = json.dumps(self.json_schema, ensure_ascii=False, separators=(",", ":"))
        parts = [
            ANSWER.format(kind=KINDS.get(self._kinds, "value")),
            f"It must fit the JSON Schema {self.name}:\n{_cut(schema, schema_chars)}",
        ]
        if errors:
            listed = "\n".join(f"- {error}" for error in errors)
            parts.append(f"Your last answer did not fit:\n{_cut(listed, error_chars)}")
        return "\n\n".join(parts)

    def _verdict(self, value: Json) -> Verdict:
        try:
            return Verdict(valid=True, value=self._fit(value))
        except Misfit as misfit:
            return _invalid(f"{_place(keys)}: {what}" for keys, what in misfit.errors)
        except Exception as error:  # noqa: BLE001, validators of the caller's raise any
            return _invalid([f"The schema's own validator failed: {describe(error)}"])


def contract_for(schema: Any) -> Contract | None:
    """Return the contract of Task.output_schema, None where there is none.

    Raises ConfigurationError for what is no schema: neither a type that can be written
    as JSON Schema nor a valid JSON Schema whose references stay inside it.
    """
    if schema is None:
        return None
    try:
        if isinstance(schema, dict):
            return Contract(from_json_schema(schema))
        return Contract(from_type(schema))
    except ConfigurationError:
        raise
    except Exception as error:
        what = describe(error).splitlines()[0]
        msg = f"Task.output_schema cannot be used as a schema: {what}"
        raise ConfigurationError(msg) from error


def _kinds(schema: dict[str, Any]) -> str:
    """Return the brackets that an answer may begin with, both where none is named."""
    part: Any = schema
    if str(part.get("$ref", "")).startswith("#/$defs/"):
        part = schema.get("$defs", {}).get(part["$ref"].removeprefix("#/$defs/"), {})
    named = part.get("type", ["object", "array"]) if isinstance(part, dict) else []
    named = [named] if isinstance(named, str) else named
    return "".join(bracket for bracket, kind in KINDS.items() if kind in named)


def _invalid(errors: Iterable[str]) -> Verdict:
    told = tuple(_shortened(error) for error in islice(errors, MAX_ERRORS))
    return Verdict(valid=False, errors=told)


def _place(keys: Iterable[str | int]) -> str:
    """Return where in the answer, such as $.items[0].name."""
    parts = [f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys]
    # A union's member that pydantic names by the function that makes a dataclass.
    return "$" + "".join(part for part in parts if not part.startswith(".function-"))


def _shortened(error: str) -> str:
    """Return the error on one line; the middle, mostly the value, is left out first."""
    line, half = " ".join(error.split()), ERROR_CHARS // 2 - 3
    return line if len(line) <= ERROR_CHARS else f"{line[:half]} ... {line[-half:]}"


def _cut(text: str, size: int) -> str:
    size = max(0, size)
    if len(text) <= size:
        return text
    return f"{text[:size]}\n[cut here: {size} of {len(text)} characters are shown]"
