"""How near an extracted text comes to the known main text of its page."""

import re
from collections import Counter
from dataclasses import dataclass
from statistics import fmean

_WORD = re.compile(r"\w+")
_SENTENCE_END = re.compile(r"(?<=[.!?\u3002])\s+")
_SHINGLE = 4
_SHORTEST_QUOTE = 30
_TYPOGRAPHY = str.maketrans(
    {
        "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"',
        "\u2013": "-", "\u2014": "-", "\u2011": "-",
        "\u00ad": None, "\u200b": None, "\ufeff": None,
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Figures:
    """Means over pages. ``quotes``: sentences of the truth found verbatim."""

    f1: float
    precision: float
    recall: float
    word_f1: float
    word_recall: float
    quotes: float


def figures(pairs: list[tuple[str, str]]) -> Figures:
    """Score (truth, extracted) pairs; F1 is that of the mean precision and recall."""
    shingled = [_overlap(_shingles(truth), _shingles(text)) for truth, text in pairs]
    precision = _mean([p for p, _ in shingled])
    recall = _mean([r for _, r in shingled])
    worded = [_overlap(_words(truth), _words(text)) for truth, text in pairs]
    return Figures(
        f1=_harmonic(precision, recall),
        precision=precision,
        recall=recall,
        word_f1=_mean([_harmonic(p or 0.0, r or 0.0) for p, r in worded]),
        word_recall=_mean([r for _, r in worded]),
        quotes=_mean([quoted(truth, text) for truth, text in pairs]),
    )


def quoted(truth: str, text: str) -> float | None:
    """Return the share of the truth's sentences found verbatim, None without any."""
    lines = (_folded(line) for line in truth.splitlines())
    sentences = [
        each
        for line in lines
        for each in _SENTENCE_END.split(line)
        if len(each) >= _SHORTEST_QUOTE
    ]
    folded = _folded(text)
    return fmean(each in folded for each in sentences) if sentences else None


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    found = _WORD.findall(text)
    if len(found) <= _SHINGLE:
        return Counter([tuple(found)] if found else [])
    return Counter(zip(*(found[n:] for n in range(_SHINGLE)), strict=False))


def _words(text: str) -> Counter[tuple[str, ...]]:
    return Counter((word,) for word in _WORD.findall(text.lower()))


def _overlap(
    truth: Counter[tuple[str, ...]], found: Counter[tuple[str, ...]]
) -> tuple[float | None, float | None]:
    """Return precision and recall; None for the one that has nothing to count."""
    common = (truth & found).total()
    return (
        common / found.total() if found else None,
        common / truth.total() if truth else None,
    )


def _folded(text: str) -> str:
    return " ".join(text.translate(_TYPOGRAPHY).split())


def _harmonic(one: float, other: float) -> float:
    return 2 * one * other / (one + other) if one + other else 0.0


def _mean(values: list[float] | list[float | None]) -> float:
    counted = [value for value in values if value is not None]
    return fmean(counted) if counted else 0.0
