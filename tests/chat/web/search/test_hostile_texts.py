"""Texts made to be slow to cut: the work grows with their length and no faster."""

import pytest

from chat.web.search.units import UnitKind, split_units
from tests.fakes.hostile import run_within_limit

SPLIT = """
import sys
from chat.web.search.passages import split_passages
from chat.web.search.units import split_units
head, middle, tail = (part.encode().decode("unicode_escape") for part in sys.argv[1:4])
text = head + middle * (int(sys.argv[4]) // len(middle)) + tail
assert sum(1 for _ in split_units(text)) >= 1
for start, end in split_passages(text):
    assert 0 <= start < end <= len(text)
"""


@pytest.mark.parametrize(
    ("head", "middle", "tail"),
    [
        ("# a", " ", "b"),
        ("# a", "# ", "b"),
        ("a ", "#", " b"),
        ("", "> ", "x"),
        (">", " ", "x"),
        ("", ">", "[!"),
        ("", ". ", ""),
        ("", ".", "a"),
        ("", "a.) ", "b"),
        ("", "a | ", "b"),
        ("|", " ", "a"),
        ("<", "a ", ""),
        ("<p ", "<p ", ""),
        ("[", "[", ""),
        ("+", "-+", "x"),
        (":a", " :a", ""),
        ("- ", " ", ""),
        ("..", " ", "_"),
        ("=", "=", "x"),
        ("", "```\\n", ""),
        ("a::\\n", "\\n", "b"),
        ("", "a::\\n\\n", ""),
        ("", "===\\n", ""),
        ("", "a\\n=\\n", ""),
        ("A: b\\n", "A: ", ""),
    ],
)
def test_runs_of_marks_and_blanks_are_cut_in_linear_time(
    head: str, middle: str, tail: str
) -> None:
    # 300,000 characters: quadratic work is hours of it, cubic work more than a life.
    run_within_limit(SPLIT, head, middle, tail, "300000")


def test_a_line_that_is_longer_than_any_mark_is_text() -> None:
    text = "# " + "word " * 1_000
    kinds = [unit.kind for unit in split_units(text + "\n\nShort text.\n")]
    assert kinds == [UnitKind.SENTENCE, UnitKind.SENTENCE]


def test_a_heading_keeps_its_words_without_its_marks() -> None:
    text = "##   Use  of #it ##  \n\n# #\n\n####### seven\n"
    assert [text[u.start : u.end] for u in split_units(text)] == [
        "Use  of #it",
        "",
        "####### seven",
    ]


def test_an_endless_paragraph_is_cut_at_the_end_of_a_line() -> None:
    text = "word word\n" * 5_000
    units = list(split_units(text))
    assert all(unit.end - unit.start < 11_000 for unit in units)
    assert " ".join(text[u.start : u.end] for u in units).split() == text.split()
