"""Keeps what a publisher wrote within what a dossier can hold and a page can show."""

import re
from dataclasses import replace
from typing import Any

from research.collectors.values import FactResult

MOST_URI = 2048
MOST_TITLE = 500
MOST_VERSION = 200
MOST_VALUE = 20_000
_MARK = "…"
# Control characters, those that turn the direction of text, and lone surrogates.
_UNFIT = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def clean(text: str) -> str:
    """`text` with every character that must not be stored or shown replaced."""
    return _UNFIT.sub("\ufffd", text)


def cut(text: str, most: int) -> str:
    """`text` of at most `most` characters; a mark at its end says that it was cut."""
    return text if len(text) <= most else text[: most - 1] + _MARK


def bounded(fact: FactResult) -> FactResult:
    """The fact with its text clean and at most MOST_VALUE characters long."""
    return replace(fact, value=_bounded_value(fact.value))


def _bounded_value(value: Any) -> Any:
    if isinstance(value, str):
        return cut(clean(value[: MOST_VALUE + 1]), MOST_VALUE)
    return _bounded_list(value) if isinstance(value, list) else value


def _bounded_list(entries: list[str]) -> list[str]:
    """The first entries that fit, and how many do not; room is left to say so."""
    kept: list[str] = []
    room = MOST_VALUE - 100
    for entry in entries:
        room -= len(entry) + 1
        if room < 0:
            kept.append(f"{_MARK} {len(entries) - len(kept):,} more were left out")
            break
        kept.append(clean(entry))
    return kept
