"""Which units and lines answer a question: a gate of cues, not a ranking.

What passes no cue is not offered. A search's order only sorts what passed.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from chat.providers.extractive.seen import Stretch
from chat.providers.extractive.words import content_stems, numbers, stems
from chat.web.search.units import Unit, UnitKind

LEAST_WORDS = 4
MOST_WORDS = 80
LEAST_LETTERS = 0.55
MOST_CHARS = 900
MOST_LINES = 12
# What a pattern sees of a line: no quote is longer.
_MOST_MATCHED_CHARS = 1_000
_SECTION_RANK = 5
_PASSAGE_UNITS = 3

_CHANGELOG_TITLE = re.compile(
    r"(?i)\b(?:change ?log|changes|release (?:notes|history|information)|history|"
    r"what'?s new|news)\b|^\W*(?:version |release |v)?\d+\.\d+"
)
_CHANGELOG_NAME = re.compile(r"(?i)change|history|news|release")
_CHANGELOG_ITEM = re.compile(
    r"(?i)[*+•-]\s\W*(?:add|fix|drop|remov|updat|chang|upgrad|bump|deprecat|improv|"
    r"allow|support(?:ed)? for|refactor|merg)\w*\b"
)
_PROSE_KINDS = frozenset({UnitKind.SENTENCE, UnitKind.ITEM, UnitKind.ROW})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A stretch that may be quoted; lower ranks are better."""

    uri: str
    start: int
    end: int
    text: str
    rank: float

    @property
    def folded(self) -> str:
        return " ".join(self.text.split())


@dataclass(frozen=True)
class Source:
    """A stretch with its units; `data` files hold lines and no prose to quote."""

    stretch: Stretch
    units: tuple[Unit, ...]
    data: bool

    @cached_property
    def changelog(self) -> bool:
        """Whether the document is named as a change log is."""
        _, slash, name = self.stretch.uri.rpartition("/")
        return bool(slash) and _CHANGELOG_NAME.search(name) is not None

    def text_of(self, unit: Unit) -> str:
        return self.stretch.text[unit.start : unit.end]

    def candidate(self, start: int, end: int, rank: float) -> Candidate:
        offset = self.stretch.offset
        text = self.stretch.text[start:end]
        return Candidate(self.stretch.uri, offset + start, offset + end, text, rank)


def line_candidates(
    question: Mapping[str, Any], sources: Sequence[Source]
) -> Iterator[Candidate]:
    """Whole lines that answer the question, neighbours joined to one quote."""
    for cue in question["lines"]:
        found: list[Candidate] = []
        for source in sources:
            if re.search(cue["document"], source.stretch.uri):
                found += _matching_lines(cue, source)
        yield from found[: cue["most"]]


def prose_candidates(
    question: Mapping[str, Any], source: Source
) -> Iterator[Candidate]:
    """Sentences that pass the cues; neighbours in a block that pass become one."""
    last: tuple[Unit, Candidate] | None = None
    for unit in source.units:
        rank = _rank(question, source, unit)
        if rank is None:
            continue
        candidate = source.candidate(unit.start, unit.end, rank)
        if last is not None:
            joined = _join(source, last, (unit, candidate))
            if joined is None:
                yield last[1]
            else:
                candidate = joined
        last = (unit, candidate)
    if last is not None:
        yield last[1]


def passage_candidates(text: str, source: Source) -> Iterator[Candidate]:
    """Passages with every number and half of the content words of a free question."""
    wanted, figures = content_stems(text), numbers(text)
    for first, unit in enumerate(source.units):
        for last in range(first, min(first + _PASSAGE_UNITS, len(source.units))):
            end = source.units[last]
            fits = end.block == unit.block and end.end - unit.start <= MOST_CHARS
            if not fits or not _quotable(source, end):
                break
            candidate = source.candidate(unit.start, end.end, 0)
            present = len(wanted & stems(candidate.folded))
            if figures <= numbers(candidate.folded) and 2 * present >= len(wanted):
                # More of the question is better, then fewer units.
                rank = -present + 0.1 * (last - first)
                yield replace(candidate, rank=rank)
                break


def _matching_lines(cue: Mapping[str, Any], source: Source) -> list[Candidate]:
    """The lines that match from end to end; neighbours are one run, to a bound."""
    runs: list[tuple[int, int, int]] = []
    at, extends, begun = 0, False, False
    for line in source.stretch.text.splitlines(keepends=True):
        bare = line.rstrip()
        if cue["head"] and ((begun and not bare) or source.stretch.offset):
            break
        begun = begun or bool(bare)
        matched = _matches(cue["pattern"], bare) and _is_whole(source, at, bare)
        if matched:
            start, lines = (runs[-1][0], runs[-1][2]) if extends else (at, 0)
            end = at + len(bare)
            if lines and (lines == MOST_LINES or end - start > MOST_CHARS):
                start, lines = at, 0
            if lines:
                runs.pop()
            runs.append((start, min(end, start + MOST_CHARS), lines + 1))
        extends = matched
        at += len(line)
    return [source.candidate(start, end, cue["rank"]) for start, end, _ in runs]


def _matches(pattern: str, bare: str) -> bool:
    return re.fullmatch(pattern, bare[:_MOST_MATCHED_CHARS]) is not None


def _is_whole(source: Source, start: int, bare: str) -> bool:
    """Whether a line is not cut by the edge of what was read."""
    stretch = source.stretch
    begins = start > 0 or stretch.offset == 0
    ends = start + len(bare) < len(stretch.text) or stretch.end >= stretch.total
    return begins and ends


def _rank(question: Mapping[str, Any], source: Source, unit: Unit) -> float | None:
    """The rank of the best cue that the unit passes, or None."""
    headings = question["headings"] and unit.kind is UnitKind.HEADING
    if unit.end - unit.start > MOST_CHARS:
        return None
    if not headings and unit.kind not in _PROSE_KINDS:
        return None
    if not question["changelog"] and _is_changelog(source, unit):
        return None
    text = source.text_of(unit)
    folded = " ".join(text.split())
    if any(re.search(pattern, folded) for pattern in question["negative"]):
        return None
    plain = is_prose(folded)
    ranks: list[float] = [
        cue["rank"]
        for cue in question["cues"]
        if (plain or not cue["prose"]) and re.search(cue["pattern"], folded)
    ]
    sections = question["sections"]
    if plain and sections and unit.section and re.search(sections, unit.section[-1]):
        ranks.append(_SECTION_RANK)
    return min(ranks, default=None)


def is_prose(folded: str) -> bool:
    """Whether a text reads as a sentence: 4 to 80 words, mostly letters."""
    if not LEAST_WORDS <= len(folded.split()) <= MOST_WORDS:
        return False
    solid = folded.replace(" ", "")
    return sum(c.isalpha() for c in solid) > LEAST_LETTERS * len(solid)


def _quotable(source: Source, unit: Unit) -> bool:
    if unit.kind is UnitKind.FIELD:
        return not source.text_of(unit).startswith("Dynamic:")
    folded = " ".join(source.text_of(unit).split())
    return unit.kind in _PROSE_KINDS and is_prose(folded)


def _is_changelog(source: Source, unit: Unit) -> bool:
    if source.changelog:
        return True
    if any(_CHANGELOG_TITLE.search(title) for title in unit.section):
        return True
    return bool(_CHANGELOG_ITEM.match(source.text_of(unit)))


def _join(
    source: Source, last: tuple[Unit, Candidate], this: tuple[Unit, Candidate]
) -> Candidate | None:
    """Two neighbouring sentences of one block as one quote, if it stays short."""
    (unit, before), (following, after) = last, this
    base = source.stretch.offset
    between = source.stretch.text[before.end - base : following.start]
    same = unit.block == following.block and following.kind is UnitKind.SENTENCE
    if not same or between.strip() or before.rank != after.rank:
        return None
    joined = source.candidate(before.start - base, following.end, before.rank)
    short = len(joined.text) <= MOST_CHARS and len(joined.folded.split()) <= MOST_WORDS
    return joined if short else None
