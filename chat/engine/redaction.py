"""Reports that can be shown to outsiders: figures stay, names become keyed hashes.

By allow-list: numbers, booleans, members of the engine's own enumerations and the words
listed here pass; every other text is replaced, in fields that do not exist yet too.
"""

import hmac
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from decimal import Decimal
from enum import StrEnum
from functools import cache
from secrets import token_bytes
from typing import Any, get_args

from chat.engine.events import JournaledEvent, ToolOutcome
from chat.engine.limits import Mode
from chat.engine.model import ErrorKind, ReplyStop
from chat.engine.report import RunReport
from chat.engine.stops import StopReason
from chat.engine.tools import TOOL_KINDS

PREFIX = "redacted-"
HEX_DIGITS = 12

_MODES = frozenset(get_args(Mode))
_DETAILS = frozenset(
    {
        *StopReason,
        *ToolOutcome,
        *ErrorKind,
        *ReplyStop,
        *("closing", "masks", "folds", "emergencies"),
        *("approved", "denied", "valid", "invalid"),
    }
)
# Text fields that hold a word of a closed list, by class and name.
_WORDS = {
    "Configuration.mode": _MODES,
    "Preflight.fitness": frozenset({"fit", "marginal", "unfit", "skipped"}),
    "Preflight.action": frozenset({"none", "warned", "downgraded"}),
    "Preflight.mode": _MODES,
    "ToolTally.kind": frozenset(TOOL_KINDS),
    "TimelineEntry.kind": frozenset(event.kind for event in get_args(JournaledEvent)),
    "TimelineEntry.detail": _DETAILS,
}

Hashing = Callable[[str], str]


def redacted(report: RunReport, key: bytes | None = None) -> RunReport:
    """Return the report with every free text replaced by a hash of it under `key`.

    Equal texts have equal hashes under one key, so that what belongs together still
    does. key: secret, 32 random bytes are a good one; None takes one that only this
    process knows. Raises ValueError for an empty key, TypeError for a value that is
    neither figure, text, tuple nor dataclass.
    """
    secret = _process_key() if key is None else key
    if not secret:
        msg = "An empty key protects nothing."
        raise ValueError(msg)
    clean: RunReport = _clean(report, lambda text: _hash(text, secret))
    return clean


@cache
def _process_key() -> bytes:
    return token_bytes(32)


def _hash(text: str, key: bytes) -> str:
    # A lone surrogate is no UTF-8, but may stand in JSON.
    digest = hmac.new(key, text.encode("utf-8", "surrogatepass"), "sha256")
    return PREFIX + digest.hexdigest()[:HEX_DIGITS]


def _clean(value: Any, hashing: Hashing, words: frozenset[str] = frozenset()) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **_clean_fields(value, hashing))
    if isinstance(value, tuple):
        return tuple(_clean(item, hashing, words) for item in value)
    if isinstance(value, str):
        return value if _passes(value, words) else hashing(value)
    if value is None or isinstance(value, bool | int | float | Decimal):
        return value
    msg = f"A {type(value).__name__} cannot be redacted."
    raise TypeError(msg)


def _clean_fields(value: Any, hashing: Hashing) -> dict[str, Any]:
    name = type(value).__name__
    return {
        part.name: _clean(
            getattr(value, part.name),
            hashing,
            _WORDS.get(f"{name}.{part.name}", frozenset()),
        )
        for part in fields(value)
    }


def _passes(text: str, words: frozenset[str]) -> bool:
    """Tell whether the text can hold no secret: it is ours, or empty."""
    ours = isinstance(text, StrEnum) and type(text).__module__.startswith("chat.engine")
    return ours or text in words or not text
