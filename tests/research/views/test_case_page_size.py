"""500 citations cost no more queries than three."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from research.models import Ask, Citation, Dossier
from research.states import RunStatus
from tests.factories.accounts import Cast
from tests.factories.research import EvidenceRows, make_evidence, make_run
from tests.research.views.reading import parsed, words

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


def test_a_case_of_500_citations_takes_18_queries(
    ben: Client, long: EvidenceRows, django_assert_max_num_queries: Any
) -> None:
    assert Citation.objects.count() == 500
    url = f"/o/harbour/cases/{long.case.public_id}/"

    with django_assert_max_num_queries(18):
        page = ben.get(url, {"citation": long.citations[321].public_id})

    assert "500 of 500 quotes found in their snapshots." in words(page, ".findings")
    assert "Quote 322 of 500" in words(page, "#weighing")


def test_a_case_that_was_asked_for_often_shows_the_newest_and_counts_the_rest(
    cast: Cast, ben: Client, rows: EvidenceRows, django_assert_max_num_queries: Any
) -> None:
    Ask.objects.bulk_create(
        Ask(case=rows.case, asked_by=cast.mia, justification=f"Reason {number}.")
        for number in range(103)
    )
    Dossier.objects.bulk_create(
        Dossier(case=rows.case, number=number, created_by=cast.ada)
        for number in range(2, 104)
    )
    url = f"/o/harbour/cases/{rows.case.public_id}/"

    with django_assert_max_num_queries(19):
        page = ben.get(url)

    assert len(parsed(page).css(".asks li")) == 100
    asks = words(page, ".asks")
    assert "Reason 102." in asks
    assert "Reason 2." not in asks
    assert "And 3 earlier asks." in asks
    assert "And 3 earlier dossiers." in words(page, ".dossiers")
    assert "3 of 3 quotes found in their snapshots." in words(page, ".findings")


def test_a_dossier_that_is_no_longer_listed_still_opens(
    cast: Cast, ben: Client, rows: EvidenceRows
) -> None:
    ended = {"status": RunStatus.COMPLETED, "finished_at": timezone.now()}
    for _ in range(101):
        newer = make_run(rows.case, cast.ada, **ended).dossier
    Dossier.objects.filter(pk=newer.pk).update(collected_at=timezone.now())
    url = f"/o/harbour/cases/{rows.case.public_id}/"

    page = ben.get(url, {"dossier": rows.dossier.public_id})

    assert "This is dossier 1, an earlier one." in words(page)
    assert "3 of 3 quotes found in their snapshots." in words(page, ".findings")
