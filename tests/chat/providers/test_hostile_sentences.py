"""Sentences made to be slow to weigh: patterns and comparisons stay linear."""

import pytest

from chat.providers.extractive.gate import Source
from chat.providers.extractive.plan import MOST_QUOTES, best_quotes
from chat.providers.extractive.seen import Seen, Stretch
from chat.web.search.units import split_units
from research.subjects.identity import parse_subject
from research.subjects.questions import questions_for
from tests.fakes.hostile import run_within_limit

WEIGH = """
import sys
from chat.providers.extractive.plan import best_quotes, _source
from chat.providers.extractive.seen import Seen, Stretch
from research.subjects.identity import parse_subject
from research.subjects.questions import questions_for
subject, uri, word, end, width = sys.argv[1:6]
line = word * (int(width) // len(word)) + end
text = line * (400_000 // len(line))
questions = [q.as_context() for q in questions_for(parse_subject(subject))]
source = _source(Stretch(uri, 0, len(text), text), questions)
for question in questions:
    best_quotes(question, [source], Seen())
"""
PACKAGE, SERVER, VENDOR = "pkg:pypi/bleach", "https://mcp.example.org/", "example.org"
CITED = "https://a.example/page"


@pytest.mark.parametrize(
    ("subject", "uri", "word", "end", "width"),
    [
        (PACKAGE, "dist:a/README", "- ", "Add a.\n\n", "850"),
        (PACKAGE, "dist:a/README", "available under ", "Add.\n\n", "850"),
        (PACKAGE, "dist:a/README", ":License: a ", "b.\n\n", "850"),
        (PACKAGE, "dist:a/README", "requires-A-", " a b c d.\n\n", "850"),
        (PACKAGE, "dist:a/RECORD", "../", "\n", "3900"),
        (PACKAGE, "dist:a/METADATA", "Project-URL: change", "\n", "3900"),
        (PACKAGE, "dist:a/" + "change" * 300 + "/x", "A security word. ", "\n", "850"),
        (VENDOR, "dist:a/README", "9 SLA ", ".\n\n", "850"),
        (VENDOR, "dist:a/README", "95% ", ".\n\n", "850"),
        (VENDOR, "dist:a/README", "copyright © ", ".\n\n", "850"),
        (VENDOR, "dist:a/README", "terms between in ", ".\n\n", "850"),
        (SERVER, "dist:a/README", "we collect it stores ", ".\n\n", "850"),
    ],
)
def test_what_a_document_repeats_is_weighed_in_bounded_time(
    subject: str, uri: str, word: str, end: str, width: str
) -> None:
    run_within_limit(WEIGH, subject, uri, word, end, width)


def test_thousands_of_sentences_that_match_are_not_compared_with_each_other() -> None:
    text = "".join(f"It is no longer maintained number {n}.\n\n" for n in range(20_000))
    asked = questions_for(parse_subject(PACKAGE))
    (question,) = [each.as_context() for each in asked if each.key == "maintained"]
    source = Source(Stretch(CITED, 0, len(text), text), tuple(split_units(text)), False)
    assert len(best_quotes(question, [source], Seen())) == MOST_QUOTES
