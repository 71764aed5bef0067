"""What a limit may be; each refusal is a ConfigurationError that names the field."""

import math
from decimal import Decimal
from typing import NoReturn

from chat.engine.errors import ConfigurationError


def whole(name: str, value: object, *, least: int, none: bool = False) -> None:
    """Refuse what is no whole number of at least `least`."""
    if none and value is None:
        return
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        refuse(name, f"must be a whole number of at least {least}, not {value!r}")


def seconds(
    name: str, value: object, *, zero: bool = False, none: bool = False
) -> None:
    """Refuse what is no finite, positive number; `zero` lets 0 pass."""
    if none and value is None:
        return
    if not isinstance(value, int | float) or isinstance(value, bool):
        refuse(name, f"must be a number of seconds, not {value!r}")
    elif not math.isfinite(value) or value < 0 or (value == 0 and not zero):
        refuse(name, f"must be a positive number of seconds, not {value!r}")


def money(name: str, value: object) -> None:
    """Refuse what is neither None nor a Decimal of at least 0."""
    if value is None:
        return
    if not isinstance(value, Decimal) or not value.is_finite() or value < 0:
        refuse(name, f"must be a Decimal of at least 0, not {value!r}")


def refuse(name: str, problem: str) -> NoReturn:
    """Raise ConfigurationError about one field of Limits."""
    msg = f"Limits.{name} {problem}."
    raise ConfigurationError(msg)
