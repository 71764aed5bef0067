"""500 citations cost no more queries than three."""

from typing import Any

import pytest
from django.test import Client

from research.models import Citation
from tests.factories.accounts import Cast
from tests.factories.research import EvidenceRows, make_evidence
from tests.research.views.reading import words

QUESTIONS = 10
QUOTES = [f"Line {number} of the long document." for number in range(500)]


@pytest.fixture
def long(cast: Cast) -> EvidenceRows:
    each = len(QUOTES) // QUESTIONS
    answers = [
        (f"q{number}", f"Question {number}?", QUOTES[number * each :][:each])
        for number in range(QUESTIONS)
    ]
    return make_evidence(
        cast.organization, cast.ada, text="\n".join(QUOTES), answers=answers
    )


def test_a_case_of_500_citations_takes_under_20_queries(
    ben: Client, long: EvidenceRows, django_assert_max_num_queries: Any
) -> None:
    assert Citation.objects.count() == 500
    url = f"/o/harbour/cases/{long.case.public_id}/"

    with django_assert_max_num_queries(19):
        page = ben.get(url, {"citation": long.citations[321].public_id})

    assert "500 of 500 quotes found in their snapshots." in words(page, ".findings")
    assert "Quote 322 of 500" in words(page, "#weighing")
