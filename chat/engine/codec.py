"""Values to plain JSON and back, driven by their own annotations.

One rule for every journaled value: dataclasses become objects, tuples arrays, Decimal
and enumerations text. Fields annotated Any hold JSON already and pass as they are;
those with the metadata {"journaled": False} are left out.
"""

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")


def encode(value: Any) -> Any:
    """Return `value` as plain JSON."""
    if is_dataclass(value) and not isinstance(value, type):
        return {name: encode(getattr(value, name)) for name in _names(type(value))}
    if isinstance(value, tuple):
        return [encode(item) for item in value]
    if isinstance(value, Decimal | StrEnum):
        return str(value)
    return value


def decode(cls: type[T], data: Any) -> T:
    """Build a `cls` from what encode() made; ValueError says what does not fit.

    Keys that are absent take their default, so that older journals stay readable.
    """
    if not isinstance(data, Mapping):
        msg = f"A {cls.__name__} must be an object, not {type(data).__name__}."
        raise ValueError(msg)
    values = {}
    for part, hint in _parts(cast("Any", cls)):
        if part.name in data:
            values[part.name] = _read(
                hint, data[part.name], f"{cls.__name__}.{part.name}"
            )
        elif part.default is MISSING and part.default_factory is MISSING:
            msg = f"{cls.__name__}.{part.name} is missing."
            raise ValueError(msg)
    return cls(**values)


@cache
def _names(cls: Any) -> tuple[str, ...]:
    parts = fields(cls)
    return tuple(part.name for part in parts if part.metadata.get("journaled", True))


@cache
def _parts(cls: Any) -> tuple[tuple[Field[Any], Any], ...]:
    hints = get_type_hints(cls)
    names = _names(cls)
    return tuple((part, hints[part.name]) for part in fields(cls) if part.name in names)


def _read(hint: Any, data: Any, where: str) -> Any:
    if hint is Any:
        return data
    if get_origin(hint) in (Union, UnionType):
        return _read(_member(get_args(hint), data), data, where)
    if get_origin(hint) is tuple and isinstance(data, list):
        return tuple(_read(get_args(hint)[0], item, where) for item in data)
    if isinstance(hint, type) and is_dataclass(hint):
        return decode(hint, data)
    if isinstance(hint, type) and issubclass(hint, StrEnum | Decimal):
        return _scalar(hint, data, where)
    if _fits(hint, data):
        return data
    msg = f"{where} cannot be {data!r:.60}."
    raise ValueError(msg)


def _member(members: tuple[Any, ...], data: Any) -> Any:
    if data is None and NoneType in members:
        return NoneType
    candidates = [member for member in members if member is not NoneType]
    return next((each for each in candidates if _fits(each, data)), candidates[0])


def _fits(hint: Any, data: Any) -> bool:
    base = get_origin(hint) or hint
    if base is float:
        return isinstance(data, int | float) and not isinstance(data, bool)
    if base is int:
        return isinstance(data, int) and not isinstance(data, bool)
    return isinstance(base, type) and isinstance(data, base)


def _scalar(hint: type[Any], data: Any, where: str) -> Any:
    try:
        if isinstance(data, str):
            return hint(data)
    except (ValueError, InvalidOperation):
        pass
    msg = f"{where} cannot be {data!r:.60}."
    raise ValueError(msg)
