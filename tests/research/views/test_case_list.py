import pytest
from django.test import Client
from django.utils import timezone

from research.models import Ask
from tests.factories.accounts import Cast
from tests.factories.research import make_case, make_run
from tests.research.views.reading import links, words

URL = "/o/harbour/cases/"


def test_a_line_says_kind_status_run_and_asks_in_words(cast: Cast, mia: Client) -> None:
    case = make_case(cast.organization, cast.ada, title="bleach", status="requested")
    make_run(case, cast.ben)
    Ask.objects.create(case=case, asked_by=cast.mia, justification="Why not")

    line = words(mia.get(URL), "tbody tr")

    assert "bleach Package Requested, not decided Waiting in the queue 1" in line


def test_the_list_can_be_kept_to_one_status(cast: Cast, mia: Client) -> None:
    make_case(cast.organization, cast.ada, subject_key="a", title="earliest")
    make_case(
        cast.organization, cast.ada, subject_key="b", title="second", status="denied"
    )

    page = words(mia.get(URL, {"status": "denied"}))

    assert "second" in page
    assert "earliest" not in page


def test_an_unknown_status_shows_all(cast: Cast, mia: Client) -> None:
    make_case(cast.organization, cast.ada, title="earliest")

    assert "earliest" in words(mia.get(URL, {"status": "lovely"}))


def test_fifty_cases_fill_a_page_and_keep_the_filter(cast: Cast, mia: Client) -> None:
    for number in range(51):
        make_case(
            cast.organization,
            cast.ada,
            subject_key=f"pkg:pypi/p{number}",
            title=f"p{number}",
            status="requested",
        )

    first = mia.get(URL, {"status": "requested"})

    assert "1 to 50 of 51 cases" in words(first)
    assert "?status=requested&page=2" in links(first, ".pages a")
    second = mia.get(URL, {"status": "requested", "page": "2"})
    assert "51 to 51 of 51 cases" in words(second)


def test_the_list_takes_few_queries_however_many_cases(
    cast: Cast, mia: Client, django_assert_max_num_queries: object
) -> None:
    for number in range(20):
        case = make_case(cast.organization, cast.ada, subject_key=f"k{number}")
        make_run(case, cast.ben, status="completed", finished_at=timezone.now())

    with django_assert_max_num_queries(6):  # type: ignore[operator]
        mia.get(URL)


def test_an_empty_list_says_what_to_do(mia: Client) -> None:
    page = mia.get(URL)

    assert "Nothing has been brought to the scales yet." in words(page)
    assert "/o/harbour/cases/new/" in links(page, "main a")


def test_an_empty_filter_leads_back_to_all(cast: Cast, mia: Client) -> None:
    make_case(cast.organization, cast.ada)

    page = mia.get(URL, {"status": "denied"})

    assert "No case is “Denied”." in words(page)
    assert "?" in links(page, ".blank a")


def test_another_organizations_cases_are_neither_shown_nor_counted(
    cast: Cast, cy: Client
) -> None:
    make_case(cast.organization, cast.ada, title="hidden from Cy")

    page = cy.get("/o/depot/cases/")

    assert "hidden from Cy" not in words(page)
    assert "Nothing has been brought" in words(page)


@pytest.mark.parametrize("slug", ["harbour", "no-such-place"])
def test_an_organization_one_has_no_part_in_is_not_there(cy: Client, slug: str) -> None:
    page = cy.get(f"/o/{slug}/cases/")

    assert page.status_code == 404
    assert "There is nothing here" in words(page)


def test_who_is_not_signed_in_is_asked_to(client: Client) -> None:
    answer = client.get(URL)

    assert answer.status_code == 302
    assert answer["Location"] == "/sign-in/?next=/o/harbour/cases/"
