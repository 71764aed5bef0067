"""Arguments checked against a tool's schema, in the subset of JSON Schema we use.

Keywords: type (one or a list), properties, required, additionalProperties (a boolean),
items (one schema), enum, minLength, maxLength, minimum, maximum, minItems, maxItems.
Annotations are allowed and ignored. Any other keyword is refused when the tool is
built, so that no rule is written down and then not kept.
"""

from collections.abc import Callable, Mapping
from typing import Any

from chat.engine.json_value import MAX_DEPTH, json_problem

_ANNOTATIONS = frozenset(
    [
        "title",
        "description",
        "default",
        "examples",
        "format",
        "deprecated",
        "readOnly",
        "writeOnly",
        "$schema",
        "$id",
        "$comment",
    ]
)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": _is_number,
    "integer": _is_whole,
}
# keyword -> (types it speaks of, what is measured, words for too little or too much)
_BOUNDS: Mapping[str, tuple[str, Callable[[Any], Any], str]] = {
    "minLength": ("string", len, "must have at least {} characters"),
    "maxLength": ("string", len, "must have at most {} characters"),
    "minItems": ("array", len, "must have at least {} items"),
    "maxItems": ("array", len, "must have at most {} items"),
    "minimum": ("number", lambda value: value, "must be at least {}"),
    "maximum": ("number", lambda value: value, "must be at most {}"),
}


def schema_problem(schema: Any) -> str | None:
    """Say which part of `schema` this checker does not understand, or None."""
    waiting: list[tuple[Any, int]] = [(schema, 0)]
    while waiting:
        part, depth = waiting.pop()
        problem = _part_problem(part, depth)
        if problem:
            return problem
        waiting.extend((child, depth + 1) for child in _children(part))
    return None


def arguments_problem(schema: Mapping[str, Any], arguments: Any) -> str | None:
    """Say in one sentence what is wrong with `arguments`, or None if they fit."""
    if not isinstance(arguments, dict):
        return "The arguments are not a JSON object."
    if problem := json_problem(arguments):
        return f"The arguments are not JSON: {problem}."
    waiting: list[tuple[str, Mapping[str, Any], Any]] = [("", schema, arguments)]
    while waiting:
        path, part, value = waiting.pop()
        problem = _value_problem(part, value)
        if problem:
            return f"{f'Argument {path}' if path else 'The object'} {problem}."
        waiting.extend(reversed(list(_nested(path, part, value))))
    return None


def _part_problem(part: Any, depth: int) -> str | None:
    if not isinstance(part, dict):
        return "a schema must be an object"
    if depth > MAX_DEPTH:
        return f"it is nested more than {MAX_DEPTH} levels deep"
    for keyword, value in part.items():
        if keyword in _ANNOTATIONS:
            continue
        if keyword not in _KEYWORDS:
            return f"the keyword {keyword!r} is not supported"
        if not _KEYWORDS[keyword](value):
            return f"the value of {keyword!r} is not understood"
    return None


def _value_problem(part: Mapping[str, Any], value: Any) -> str | None:
    names = _as_list(part.get("type", []))
    if names and not any(_TYPES[name](value) for name in names):
        return f"must be of type {' or '.join(names)}"
    if "enum" in part and not any(_same(value, option) for option in part["enum"]):
        return f"must be one of {_listed(part['enum'])}"
    for keyword in part:
        if keyword not in _BOUNDS:
            continue
        kind, measure, words = _BOUNDS[keyword]
        if not _TYPES[kind](value):
            continue
        bound, size = part[keyword], measure(value)
        if size < bound if keyword.startswith("min") else size > bound:
            return words.format(bound)
    return _object_problem(part, value) if isinstance(value, dict) else None


def _object_problem(part: Mapping[str, Any], value: dict[str, Any]) -> str | None:
    missing = [name for name in part.get("required", []) if name not in value]
    if missing:
        return f"lacks {_listed(missing)}"
    known = part.get("properties", {})
    unknown = [name for name in value if name not in known]
    if unknown and part.get("additionalProperties") is False:
        return f"has unknown {_listed(unknown)}; known are {_listed(list(known))}"
    return None


def _nested(path: str, part: Mapping[str, Any], value: Any) -> Any:
    if isinstance(value, dict):
        for name, child in part.get("properties", {}).items():
            if name in value:
                yield (f"{path}.{name}" if path else name), child, value[name]
    if isinstance(value, list) and "items" in part:
        for index, item in enumerate(value):
            yield f"{path}[{index}]", part["items"], item


def _children(part: Mapping[str, Any]) -> list[Any]:
    children = list(part.get("properties", {}).values())
    return [*children, part["items"]] if "items" in part else children


def _is_count(value: Any) -> bool:
    return _is_whole(value) and bool(value >= 0)


def _are_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _same(value: Any, option: Any) -> bool:
    """JSON equality: true is not 1."""
    return isinstance(value, bool) == isinstance(option, bool) and bool(value == option)


def _listed(values: list[Any]) -> str:
    shown = ", ".join(repr(value)[:60] for value in values[:10])
    return shown if len(values) <= 10 else f"{shown} and {len(values) - 10} more"


_KEYWORDS: Mapping[str, Callable[[Any], bool]] = {
    "type": lambda value: (
        bool(_as_list(value))
        and all(isinstance(name, str) and name in _TYPES for name in _as_list(value))
    ),
    "properties": lambda value: isinstance(value, dict),
    "required": _are_names,
    "additionalProperties": lambda value: isinstance(value, bool),
    "items": lambda value: isinstance(value, dict),
    "enum": lambda value: isinstance(value, list) and bool(value),
    "minLength": _is_count,
    "maxLength": _is_count,
    "minItems": _is_count,
    "maxItems": _is_count,
    "minimum": _is_number,
    "maximum": _is_number,
}
