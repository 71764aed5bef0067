"""JSON Schema as the form of an answer, and what every form of an answer is read to.

The draft is the one that "$schema" names, else 2020-12. Formats are annotations.
References stay inside the schema; nothing is ever fetched. jsonschema is imported when
a schema is read, not before.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NoReturn

from chat.engine.errors import ConfigurationError
from chat.engine.json_scan import value_problem
from chat.engine.json_value import Json

MAX_ERRORS = 10


class Misfit(Exception):
    """A value does not fit. errors: the validator's own, each with its place's keys."""

    def __init__(self, errors: Iterable[tuple[Sequence[str | int], str]]) -> None:
        super().__init__()
        self.errors = tuple(errors)


@dataclass(frozen=True, slots=True)
class OutputSchema:
    """A schema that was read. json_schema: plain JSON, shared with nobody.

    fit: takes a JSON value and returns it in the schema's own type; raises Misfit, or
    whatever a validator of the caller's raises.
    """

    name: str
    json_schema: dict[str, Any]
    fit: Callable[[Json], Any]


def from_json_schema(schema: dict[str, Any]) -> OutputSchema:
    """Read a JSON Schema; raises ConfigurationError."""
    from referencing import Registry

    plain = plain_schema(schema)
    draft = _draft(plain)
    _check_rules(draft, plain)
    _check_references(draft, plain)
    # Without its draft's name the root is checked by `draft` in recursion, too.
    rules = {name: rule for name, rule in plain.items() if name != "$schema"}
    validator = draft(rules, registry=Registry())

    def fit(value: Json) -> Json:
        errors = list(islice(validator.iter_errors(value), MAX_ERRORS))
        if errors:
            raise Misfit(_with_nearest(errors))
        return value

    return OutputSchema(title_of(plain), plain_schema(schema), fit)


def _draft(schema: dict[str, Any]) -> Any:
    """Return the validator class for `schema`, with a linear uniqueItems."""
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend, validator_for

    named = schema.get("$schema", Draft202012Validator.META_SCHEMA["$schema"])
    draft: Any = validator_for({"$schema": str(named)}, default=None)
    if draft is None:
        refuse(f"names an unknown draft of JSON Schema, {named!r}")
    if not schema.keys() & draft.VALIDATORS.keys():
        refuse("has no keyword of JSON Schema, so that every answer would fit")
    return extend(draft, {"uniqueItems": _unique_items})


def _check_rules(draft: Any, schema: Any) -> None:
    from jsonschema import SchemaError

    try:
        draft.check_schema(schema)
    except SchemaError as error:
        refuse(f"is no valid JSON Schema: {error.json_path}: {error.message[:300]}")


def _check_references(draft: Any, schema: dict[str, Any]) -> None:
    """Refuse references that leave the schema, lead nowhere or only in a circle."""
    from referencing import Registry
    from referencing.jsonschema import specification_with

    dialect = specification_with(draft.META_SCHEMA["$schema"])
    root: Any = dialect.create_resource(schema)
    waiting = [(root, Registry().resolver_with_root(root))]
    seen: set[int] = set()
    while waiting:
        part, resolver = waiting.pop()
        if not isinstance(part.contents, dict) or id(part.contents) in seen:
            continue
        seen.add(id(part.contents))
        for key in {"$ref", "$dynamicRef"} & part.contents.keys():
            target = _target(resolver, part.contents[key])
            _check_rules(draft, target.contents)
            resource = dialect.create_resource(target.contents)
            waiting.append((resource, target.resolver))
        inner = [each for each in part.subresources() if each.contents]
        waiting.extend((each, resolver.in_subresource(each)) for each in inner)


def _target(resolver: Any, ref: str) -> Any:
    from referencing.exceptions import Unresolvable

    passed: set[int] = set()
    try:
        first = found = resolver.lookup(ref)
        while isinstance(found.contents, dict) and "$ref" in found.contents:
            if id(found.contents) in passed:
                refuse(f"has the reference {ref!r}, which leads only to itself")
            passed.add(id(found.contents))
            ref = found.contents["$ref"]
            found = found.resolver.lookup(ref)
    except Unresolvable:
        refuse(f"has the reference {ref!r}, which is not inside it; none is fetched")
    return first


def _unique_items(validator: Any, wanted: bool, value: Any, _schema: Any) -> Any:
    from jsonschema import ValidationError

    lists = wanted and validator.is_type(value, "array")
    if lists and len(set(map(_canonical, value))) < len(value):
        yield ValidationError(f"{value!r} has non-unique elements")


def _canonical(value: Json) -> str:
    """Return one text for all values that are equal as JSON: 1 and 1.0, not true."""
    return json.dumps(_whole_as_int(value), sort_keys=True)


def _whole_as_int(value: Json) -> Json:
    if isinstance(value, dict):
        return {name: _whole_as_int(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_whole_as_int(item) for item in value]
    whole = isinstance(value, float) and value.is_integer()
    return int(value) if whole else value


def _with_nearest(errors: Iterable[Any]) -> Iterator[tuple[Sequence[str | int], str]]:
    """Give each error, and for one that found no alternative the nearest reason."""
    from jsonschema.exceptions import best_match

    for error in errors:
        yield error.absolute_path, error.message
        nearest = best_match([error])
        if nearest is not error:
            yield nearest.absolute_path, nearest.message


def plain_schema(schema: Any) -> dict[str, Any]:
    """Return a copy of a schema; raises ConfigurationError if it is no plain JSON."""
    if problem := value_problem(schema):
        refuse(f"is no plain JSON: {problem}")
    copy: dict[str, Any] = json.loads(json.dumps(schema))
    return copy


def title_of(schema: dict[str, Any]) -> str:
    return " ".join(str(schema.get("title", "")).split())[:64] or "schema"


def refuse(what: str) -> NoReturn:
    msg = f"Task.output_schema {what}."
    raise ConfigurationError(msg)
