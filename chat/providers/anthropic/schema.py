"""An answer's JSON Schema as the Messages API holds a model to it.

The API takes closed objects only and few of the keywords. What is left out here is told
to the model in words, and the loop checks the answer against the whole schema anyway.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from chat.engine import ConfigurationError

# Of these the API says nothing, or that it takes them.
_KEPT = frozenset(
    {"type", "enum", "const", "title", "description", "default", "required", "$ref"}
)
_FORMATS = frozenset(
    {
        "date-time",
        "time",
        "date",
        "duration",
        "email",
        "hostname",
        "uri",
        "ipv4",
        "ipv6",
        "uuid",
    }
)
# They say nothing to a model.
_SILENT = frozenset({"$schema", "$id", "$comment", "$anchor", "discriminator"})
_OF_OBJECTS = frozenset({"properties", "patternProperties"})
_DEFS = "#/$defs/"


class _Beyond(Exception):
    """The schema is one that the API does not take, though the loop does."""


def closed_schema(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the schema with every object closed and what is not supported left out.

    None where the API could not hold a model to it: recursion, references that leave
    $defs, tuples, an answer that is no object. Raises ConfigurationError for maps such
    as dict[str, X]: closing them would leave nothing but empty objects.
    """
    try:
        _check_recursion(schema)
        closed = _closed(schema, "$")
    except _Beyond:
        return None
    return closed if closed.get("type") == "object" else None


def _closed(schema: Any, place: str) -> dict[str, Any]:
    if schema is True:
        return {}
    if not isinstance(schema, Mapping) or "prefixItems" in schema:
        raise _Beyond
    closed = {name: value for name, value in schema.items() if name in _KEPT}
    if "$ref" in closed:
        # The API takes nothing beside a reference but definitions.
        closed = {"$ref": closed["$ref"]}
    if _is_object(schema):
        closed["properties"] = _properties(schema, place)
        closed["additionalProperties"] = False
    closed |= _nested(schema, place)
    left = {name: schema[name] for name in _untold(schema)}
    if left and "$ref" not in closed:
        told = json.dumps(left, ensure_ascii=False, sort_keys=True)
        closed["description"] = f"{closed.get('description', '')} {told}".strip()
    return closed


def _nested(schema: Mapping[str, Any], place: str) -> dict[str, Any]:
    nested: dict[str, Any] = {}
    if "$defs" in schema:
        parts = schema["$defs"].items()
        nested["$defs"] = {name: _closed(part, f"$.{name}") for name, part in parts}
    if "items" in schema:
        nested["items"] = _closed(schema["items"], f"{place}[]")
    choices = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    if choices:
        nested["anyOf"] = [_closed(part, place) for part in choices]
    if "allOf" in schema:
        nested["allOf"] = [_closed(part, place) for part in schema["allOf"]]
        if any("$ref" in part for part in nested["allOf"]):
            raise _Beyond
    if schema.get("format") in _FORMATS:
        nested["format"] = schema["format"]
    if schema.get("minItems") in {0, 1}:
        nested["minItems"] = schema["minItems"]
    return nested


def _untold(schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keywords that the closed schema does not have."""
    handled = {"properties", "additionalProperties", "$defs", "items"}
    handled |= {"anyOf", "oneOf", "allOf"}
    for name in schema:
        if name in _KEPT | _SILENT | handled:
            continue
        if name == "format" and schema[name] in _FORMATS:
            continue
        if name == "minItems" and schema[name] in {0, 1}:
            continue
        yield name


def _is_object(schema: Mapping[str, Any]) -> bool:
    kinds = schema.get("type", ())
    named = kinds == "object" or (isinstance(kinds, list) and "object" in kinds)
    mapped = isinstance(schema.get("additionalProperties"), Mapping)
    return named or mapped or bool(_OF_OBJECTS & schema.keys())


def _properties(schema: Mapping[str, Any], place: str) -> dict[str, Any]:
    properties = schema.get("properties") or {}
    others = schema.get("additionalProperties")
    if not properties and others is not False:
        _refuse(place)
    if isinstance(others, Mapping) or "patternProperties" in schema:
        _refuse(place)
    return {name: _closed(part, f"{place}.{name}") for name, part in properties.items()}


def _refuse(place: str) -> NoReturn:
    msg = (
        f"Task.output_schema has a map at {place}, such as dict[str, X]: the provider "
        "only writes objects whose names are all listed, so it would always be empty. "
        "Make it a list of objects with a name each."
    )
    raise ConfigurationError(msg)


def _check_recursion(schema: Mapping[str, Any]) -> None:
    """Raise _Beyond where a definition leads back to itself or out of the schema."""
    parts = schema.get("$defs", {})
    uses = {name: {*_references(part)} for name, part in parts.items()}
    if not {*_references(schema)} <= uses.keys():
        raise _Beyond
    while uses:
        leaves = {name for name, used in uses.items() if not used}
        if not leaves:
            raise _Beyond
        uses = {name: used - leaves for name, used in uses.items() if used}


def _references(part: Any) -> Iterator[str]:
    """Yield the names of definitions that a part uses; "" for any other reference."""
    if isinstance(part, Mapping):
        ref = part.get("$ref", part.get("$dynamicRef"))
        if isinstance(ref, str):
            yield ref.removeprefix(_DEFS) if ref.startswith(_DEFS) else ""
        for inner in part.values():
            yield from _references(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from _references(inner)
