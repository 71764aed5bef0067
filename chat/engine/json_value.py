"""What may be journaled: plain JSON values, and nothing that merely looks like one."""

import math
from typing import Any

# A recursive alias would make every dict[str, str] a type error at the call site.
Json = Any

MAX_DEPTH = 64


def json_problem(value: Json) -> str | None:
    """Say in a few words why `value` is no plain JSON value, or None if it is one."""
    if value is None or type(value) is str:
        return None
    waiting: list[tuple[Any, int]] = [(value, 0)]
    while waiting:
        item, depth = waiting.pop()
        if depth > MAX_DEPTH:
            return f"it is nested more than {MAX_DEPTH} levels deep"
        problem = _own_problem(item)
        if problem:
            return problem
        if type(item) is dict:
            waiting.extend((child, depth + 1) for child in item.values())
        elif type(item) is list:
            waiting.extend((child, depth + 1) for child in item)
    return None


def copied(value: Json) -> Json:
    """Return a copy of a plain JSON value, of which nothing is shared."""
    if type(value) is dict:
        return {key: copied(each) for key, each in value.items()}
    if type(value) is list:
        return [copied(each) for each in value]
    return value


def _own_problem(item: Any) -> str | None:
    if type(item) is float and not math.isfinite(item):
        return "it contains a number that is not finite"
    if type(item) is dict and not all(type(key) is str for key in item):
        return "it contains a key that is not text"
    if item is not None and type(item) not in (bool, int, float, str, list, dict):
        return f"it contains a {type(item).__name__}"
    return None
