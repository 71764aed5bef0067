"""Locate a quote in a text, and say how well it agrees.

A quote is ``exact`` where it is a verbatim substring, ``typographic`` where it agrees
after folding (see folding.py), and missing otherwise. There is no rule about words:
``10`` is found inside ``2010``, because it stands there. White space around a quote
counts only where it too stands there verbatim.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from chat.web.reading.folding import Folded, extends_character, fold

Grade = Literal["exact", "typographic"]
Span = tuple[int, int]

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")

# A hostile text can hold a long quote thousands of times, each broken by an accent.
# Rejected occurrences may cost this many times the text, then the search gives up.
_REJECTION_FACTOR = 64


@dataclass(frozen=True, slots=True)
class Match:
    """Where a quote stands in a text, and how well it agrees.

    ``start`` and ``end`` count code points, ``byte_start`` and ``byte_end`` count bytes
    of the text in UTF-8; both are half-open. ``crosses_blocks`` says that a blank line
    lies within.
    """

    grade: Grade
    start: int
    end: int
    byte_start: int
    byte_end: int
    crosses_blocks: bool


def locate(quote: str, text: str) -> Match | None:
    """Return the first exact occurrence, else the first typographic one, else None."""
    folded_quote = fold(quote).text.strip()
    if not folded_quote:
        return None
    span = _exact_span(quote, text)
    if span is not None:
        return _match("exact", span, text)
    span = _typographic_span(folded_quote, fold(text))
    return None if span is None else _match("typographic", span, text)


def _exact_span(quote: str, text: str) -> Span | None:
    def whole_characters(start: int, end: int) -> Span | None:
        splits = (start > 0 and extends_character(text[start])) or (
            end < len(text) and extends_character(text[end])
        )
        return None if splits else (start, end)

    return _first_accepted(quote, text, whole_characters)


def _typographic_span(quote: str, folded: Folded) -> Span | None:
    return _first_accepted(quote, folded.text, folded.source_span)


def _first_accepted(
    quote: str, text: str, accept: Callable[[int, int], Span | None]
) -> Span | None:
    """Return the span of the first occurrence that is accepted, in linear time."""
    allowance = _REJECTION_FACTOR * (len(text) + 1)
    start = text.find(quote)
    while start >= 0 and allowance > 0:
        span = accept(start, start + len(quote))
        if span is not None:
            return span
        allowance -= len(quote) + 1
        start = text.find(quote, start + 1)
    return None


def _match(grade: Grade, span: Span, text: str) -> Match:
    start, end = span
    byte_start = _utf8_length(text[:start])
    return Match(
        grade=grade,
        start=start,
        end=end,
        byte_start=byte_start,
        byte_end=byte_start + _utf8_length(text[start:end]),
        crosses_blocks=_BLANK_LINE.search(text, start, end) is not None,
    )


def _utf8_length(text: str) -> int:
    # A lone surrogate has no UTF-8 form; counting it as three bytes beats an exception.
    return len(text.encode("utf-8", "surrogatepass"))
