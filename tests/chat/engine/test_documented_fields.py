"""Every limit says what it is, in which unit, and what holds where it is not set."""

import re
from dataclasses import MISSING, fields
from typing import Any

import pytest

from chat.engine import ClosingReserve, Limits, PreflightFloors
from chat.engine.limits import TOOL_CALLS

SETTINGS = [
    (cls, part.name, part.default)
    for cls in (Limits, ClosingReserve, PreflightFloors)
    for part in fields(cls)
]
# What the text says of a setting whose None or whose object stands for a figure.
IN_WORDS = {
    "mode": "standard.*default",
    "tool_calls": "None is " + ", ".join(map(str, TOOL_CALLS.values()))[:-5],
    "context_calls": "None is twice",
    "iterations": "None is all calls",
    "disable_parallel_tool_use": "no",
    "model_timeout_s": "None leaves only the deadline",
    "tool_timeout_s": "None leaves only the deadline",
    "max_output_tokens": "None is what the model can",
    "window": "None is what the model declares",
    "reply_reserve": "None is derived",
}


def described(cls: type, name: str) -> str:
    """Return what the docstring says from the field's name on."""
    text = " ".join((cls.__doc__ or "").split())
    place = re.search(rf"\b{name}\b[^.:]*:", text)
    return text[place.start() :] if place else ""


@pytest.mark.parametrize(("cls", "name", "default"), SETTINGS)
def test_a_setting_is_documented_with_its_default(
    cls: type, name: str, default: Any
) -> None:
    told = described(cls, name)
    assert told, f"{cls.__name__}.{name} is not documented"

    if name in IN_WORDS:
        assert re.search(IN_WORDS[name], told)
    elif isinstance(default, int | float):
        assert re.match(rf"[^.]*\b({default:g}|{default:,})\b", told)
    elif default is None:
        assert "None" in " ".join((cls.__doc__ or "").split())
    else:
        assert default is MISSING, "made anew for every Limits"
