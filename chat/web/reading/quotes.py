"""Locate a quote in a text, and say how well it agrees.

A quote is ``exact`` where it is a verbatim substring, ``typographic`` where it agrees
after folding (see folding.py), and missing otherwise. There is no rule about words:
``10`` is found inside ``2010``, because it stands there. White space around a quote
counts only where it too stands there verbatim.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from chat.web.reading.folding import extends_character, fold

Grade = Literal["exact", "typographic"]
Span = tuple[int, int]

MOST_OCCURRENCES = 20

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
    return next(_matches(quote, text), None)


def locate_all(quote: str, text: str, most: int = MOST_OCCURRENCES) -> list[Match]:
    """Return the occurrences in the order of the text, exact ones first found.

    None of them overlap. Of more than ``most``, exact ones are kept before typographic
    ones, and earlier ones before later.
    """
    found: list[Match] = []
    taken = bytearray(len(text))
    for match in _matches(quote, text):
        if len(found) == most:
            break
        if not any(taken[match.start : match.end]):
            taken[match.start : match.end] = b"\1" * (match.end - match.start)
            found.append(match)
    return sorted(found, key=lambda match: match.start)


def _matches(quote: str, text: str) -> Iterator[Match]:
    """Yield the exact occurrences, then those that agree after folding."""
    folded_quote = fold(quote).text.strip()
    if not folded_quote:
        return
    for span in _exact_spans(quote, text):
        yield _match("exact", span, text)
    folded = fold(text)
    for span in _accepted(folded_quote, folded.text, folded.source_span):
        yield _match("typographic", span, text)


def _exact_spans(quote: str, text: str) -> Iterator[Span]:
    def whole_characters(start: int, end: int) -> Span | None:
        splits = (start > 0 and extends_character(text[start])) or (
            end < len(text) and extends_character(text[end])
        )
        return None if splits else (start, end)

    return _accepted(quote, text, whole_characters)


def _accepted(
    quote: str, text: str, accept: Callable[[int, int], Span | None]
) -> Iterator[Span]:
    """Yield the spans of the occurrences that are accepted, in linear time.

    An occurrence that begins inside an accepted one is passed over.
    """
    allowance = _REJECTION_FACTOR * (len(text) + 1)
    start = text.find(quote)
    while start >= 0 and allowance > 0:
        span = accept(start, start + len(quote))
        if span is not None:
            yield span
        else:
            allowance -= len(quote) + 1
        start = text.find(quote, start + (len(quote) if span else 1))


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
