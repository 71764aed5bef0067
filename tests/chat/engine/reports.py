"""Reports for tests of what is made of them, built by walking their own types."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from decimal import Decimal
from enum import StrEnum
from types import NoneType
from typing import Any, get_args, get_type_hints

from hypothesis import strategies as st

from chat.engine.budget import Budget
from chat.engine.decisions import ChildReport, Classification, Complexity, Coverage
from chat.engine.preflight import Preflight
from chat.engine.report import (
    Configuration,
    Counters,
    RunReport,
    ToolTally,
)
from chat.engine.stops import Status, StopReason

NUMBERS: dict[Any, st.SearchStrategy[Any]] = {
    bool: st.booleans(),
    int: st.integers(0, 10**12),
    float: st.floats(0, 10**9),
    Decimal: st.decimals(0, 10**9, places=6),
    NoneType: st.none(),
}


def clean(**changes: Any) -> RunReport:
    """Return the report of a run that nothing is to be said of."""
    usual: dict[str, Any] = {
        "status": Status.SUCCESS,
        "stop": StopReason.COMPLETED,
        "model": "sonnet",
        "configuration": Configuration(tool_cap=80, context_cap=160, tools=2),
        "budget": Budget(window=128_000, reserve=8_192, max_output=4_096),
        "preflight": Preflight("fit", "none", "standard", 119_000),
        "counters": Counters(model_calls=3, iterations=3, max_prompt_tokens=9_000),
        "tools": (ToolTally("fetch", "business", 4, 1),),
        "cost": Decimal("0.02"),
    }
    return RunReport(**{**usual, **changes})


def altered(report: Any, changes: dict[str, Any]) -> Any:
    """Return the report with other values at some dotted paths."""
    for path, value in changes.items():
        name, _, rest = path.partition(".")
        inner = altered(getattr(report, name), {rest: value}) if rest else value
        report = replace(report, **{name: inner})
    return report


def child(name: str = "a", **changes: Any) -> ChildReport:
    """Return a child that did its part."""
    usual: dict[str, Any] = {"window": 128_000, "tool_cap": 80}
    values = {**usual, **changes}
    return ChildReport(
        **{"status": Status.SUCCESS, "stop": "completed", **values}, id=name
    )


COMPLEX = Classification(Complexity.COMPLEX, parts=2)
GAP = Coverage(resources=("a", "b"), touched=("a",), unprocessed=("b",))


def reports(text: st.SearchStrategy[str]) -> st.SearchStrategy[RunReport]:
    """Generate reports of every shape, with `text` in every free text field."""
    return _strategy(RunReport, text)


def _strategy(hint: Any, text: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    if hint is str:
        return text
    if hint in NUMBERS:
        return NUMBERS[hint]
    if is_dataclass(hint):
        parts = {name: _strategy(part, text) for name, part in _parts(hint)}
        return st.builds(hint, **parts)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return st.sampled_from(list(hint))
    if getattr(hint, "__origin__", None) is tuple:
        return st.lists(_strategy(get_args(hint)[0], text), max_size=3).map(tuple)
    return st.one_of([_strategy(part, text) for part in get_args(hint)])


def filled(hint: Any, text: str, *, enumerations: bool = False) -> Any:
    """Return a value with every part there is, and `text` in each that is text.

    enumerations: put it into those too, as no report of a run has it.
    """
    if hint is str or (enumerations and _is_enumeration(hint)):
        return text
    if is_dataclass(hint) and isinstance(hint, type):
        parts = dict(_parts(hint))
        return hint(
            **{
                name: filled(part, text, enumerations=enumerations)
                for name, part in parts.items()
            }
        )
    if _is_enumeration(hint):
        return next(iter(hint))
    if getattr(hint, "__origin__", None) is tuple:
        return (filled(get_args(hint)[0], text, enumerations=enumerations),)
    if get_args(hint):
        return filled(get_args(hint)[0], text, enumerations=enumerations)
    return hint(1)


def _is_enumeration(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, StrEnum)


def _parts(cls: Any) -> Iterator[tuple[str, Any]]:
    hints = get_type_hints(cls)
    for part in fields(cls):
        if part.name != "schema_version":
            yield part.name, hints[part.name]


def leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of everything in some JSON, itself included."""
    yield path
    items = data.items() if isinstance(data, dict) else ()
    items = enumerate(data) if isinstance(data, list) else items
    for key, value in items:
        yield from leaves(value, (*path, key))
