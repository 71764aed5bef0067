"""Whatever a model writes: the HTML is safe, and no word of it is lost."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.engine import Citation, StopReason
from chat.output_gate import Answer, gate
from tests.chat.output_gate.reading import faults, hrefs, seen
from tests.chat.output_gate.test_markup import HOSTILE

pytestmark = pytest.mark.row("A13")

SIGNS = [*"*_`[]()<>|!#-+=~:\\&;\"'@/ .\n\t\r", "\n\n", "```", "|---|", "1. ", "> "]
SIGNS += ["](", "]:", "https://e.org", "http://", "javascript:", "&lt;", "&#x41;"]
SIGNS += ["\ue000", "1\ue001", "\u202e", "\0", "\ud800", "é", "<a href=", "onclick="]
WORDS = [f"word{number}" for number in range(9)]
PIECES = st.lists(st.sampled_from([*SIGNS, *WORDS, *HOSTILE]), max_size=60)
PLACES = st.tuples(st.integers(-2, 80), st.integers(-2, 80))


@given(PIECES, st.lists(PLACES, max_size=5))
def test_markup_is_safe_and_words_stay(
    pieces: list[str], places: list[tuple[int, int]]
) -> None:
    text = "".join(pieces)
    citations = tuple(Citation("x", *each, "https://e.org") for each in places)
    found = gate(Answer(text, StopReason.COMPLETED, citations=citations))

    assert faults(found.html) == []
    words = sorted(re.findall(r"word\d", text))
    in_sight = re.findall(r"word\d", seen(found.html) + " ".join(hrefs(found.html)))
    assert set(words) <= set(in_sight)
    assert sorted(re.findall(r"word\d", found.text)) == words
    assert len(found.citations) + sum((found.refused or {}).values()) == len(citations)


@given(st.text())
def test_any_text_at_all_has_safe_markup(text: str) -> None:
    found = gate(Answer(text, StopReason.COMPLETED))

    assert faults(found.html) == []
    assert letters(seen(found.html)) <= letters(found.text)
    found.html.encode()


@given(PIECES)
def test_no_letter_is_added(pieces: list[str]) -> None:
    found = gate(Answer("".join(pieces), StopReason.COMPLETED))

    assert letters(seen(found.html)) <= letters(found.text)


def letters(text: str) -> int:
    return sum(map(str.isalnum, text))


@given(PIECES, PLACES)
def test_a_cited_stretch_has_the_same_letters_in_the_gated_text(
    pieces: list[str], place: tuple[int, int]
) -> None:
    text = "".join(pieces)
    citation = Citation("x", *place, "https://e.org")
    found = gate(Answer(text, StopReason.COMPLETED, citations=(citation,)))

    for one in found.citations:
        cited = re.sub(r"[^a-z]", "", text[slice(*place)])
        assert re.sub(r"[^a-z]", "", found.text[one.start : one.end]) == cited
