"""GET /api/v1/cases and GET /api/v1/cases/{id}."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from research.models import Ask, Case
from research.states import CaseStatus
from tests.factories.accounts import Cast
from tests.factories.research import EvidenceRows, make_case
from tests.research.api.clients import Api, problem


def make_cases(cast: Cast, count: int) -> list[Case]:
    return [
        make_case(cast.organization, cast.ada, subject_key=f"pkg:pypi/p{number}")
        for number in range(count)
    ]


def read_all(api: Api, query: str = "") -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    address = f"/api/v1/cases{query}"
    while address:
        page = api.get(address).json()
        items += page["items"]
        address = page["next"]
    return items


def test_a_line_shows_the_subject_and_where_it_stands(
    ada: Api, evidence: EvidenceRows
) -> None:
    Ask.objects.create(
        case=evidence.case, asked_by=evidence.case.created_by, justification="Please."
    )
    (line,) = ada.read("cases").json()["items"]
    assert line["id"] == evidence.case.public_id
    assert line["subject"] == {"kind": "package", "key": "pkg:pypi/bleach"}
    assert line["newest_run_status"] == "completed"
    assert (line["status"], line["asks"]) == ("unreviewed", 1)


def test_all_pages_together_hold_every_case_once_newest_first(
    ada: Api, cast: Cast
) -> None:
    made = make_cases(cast, 205)
    found = [line["id"] for line in read_all(ada)]
    assert found == sorted((case.public_id for case in made), reverse=True)


def test_a_case_that_changes_between_pages_is_not_missed(ada: Api, cast: Cast) -> None:
    oldest = min(make_cases(cast, 101), key=lambda case: case.public_id)
    first = ada.read("cases").json()
    oldest.save()  # now the one that changed last
    rest = ada.get(first["next"]).json()
    assert [line["id"] for line in rest["items"]] == [oldest.public_id]


def test_cases_are_filtered_by_status_on_every_page(ada: Api, cast: Cast) -> None:
    make_cases(cast, 150)
    Case.objects.update(status=CaseStatus.REQUESTED)
    make_case(cast.organization, cast.ada)
    assert len(read_all(ada, "?status=requested")) == 150
    assert len(read_all(ada, "?status=unreviewed")) == 1


def test_a_case_is_found_by_its_subject_in_any_version(
    ada: Api, evidence: EvidenceRows
) -> None:
    (line,) = read_all(ada, "?subject=pkg:pypi/Bleach@5.0")
    assert line["id"] == evidence.case.public_id
    assert read_all(ada, "?subject=pkg:pypi/django") == []


@pytest.mark.parametrize(
    ("name", "value"),
    [("after", "1"), ("after", "case_\0"), ("status", "open"), ("page", "2")],
)
def test_a_bad_parameter_is_refused(ada: Api, name: str, value: str) -> None:
    response = ada.read("cases", **{name: value})
    assert list(problem(response, 400, "bad_input")["errors"]) == [name]


def test_a_subject_that_is_none_is_refused(ada: Api) -> None:
    problem(ada.read("cases", subject="bleach"), 400, "unknown_subject")


def test_the_list_takes_few_queries(
    ada: Api, cast: Cast, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    make_cases(cast, 100)
    with django_assert_max_num_queries(6):
        ada.read("cases")


def test_a_case_shows_its_history(ada: Api, evidence: EvidenceRows) -> None:
    body = ada.read(f"cases/{evidence.case.public_id}").json()
    assert body["current_dossier"] == evidence.dossier.public_id
    assert body["dossiers"]["total"] == 1
    assert body["dossiers"]["newest"][0]["id"] == evidence.dossier.public_id
    assert body["runs"]["newest"][0]["id"] == evidence.run.public_id
    assert body["asks"] == body["decisions"] == {"total": 0, "newest": []}


def test_a_case_without_collected_evidence_has_no_current_dossier(
    ada: Api, cast: Cast
) -> None:
    case = make_case(cast.organization, cast.ada)
    assert ada.read(f"cases/{case.public_id}").json()["current_dossier"] is None


def test_a_long_history_is_counted_whole_and_shown_in_part(
    ada: Api,
    evidence: EvidenceRows,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    Ask.objects.bulk_create(
        Ask(
            case=evidence.case,
            asked_by=evidence.case.created_by,
            justification=f"Reason {number}",
        )
        for number in range(120)
    )
    with django_assert_max_num_queries(15):
        asks = ada.read(f"cases/{evidence.case.public_id}").json()["asks"]
    assert (asks["total"], len(asks["newest"])) == (120, 100)
    assert asks["newest"][0]["justification"] == "Reason 119"
