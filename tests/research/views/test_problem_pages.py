import pytest
from django.template.loader import get_template
from django.test import Client, RequestFactory

from accounts.actor import Actor
from accounts.errors import (
    Conflict,
    FeatureOff,
    NotAllowed,
    NotFound,
    PreconditionFailed,
    ProductError,
    TooLarge,
)
from research.views.entrance import problem_page
from tests.factories.accounts import Cast
from tests.research.views.reading import words


@pytest.mark.parametrize(
    "kind", [ProductError, NotAllowed, NotFound, Conflict, PreconditionFailed, TooLarge]
)
def test_a_refusal_is_a_page_with_its_status_its_sentence_and_a_next_step(
    cast: Cast, rf: RequestFactory, kind: type[ProductError]
) -> None:
    request = rf.get("/")
    request.user = cast.mia
    actor = Actor(cast.mia, cast.organization, "member")

    page = problem_page(request, kind("It is shut."), actor)

    assert page.status_code == kind.status
    assert words(page, ".lede") == "It is shut."
    assert "Go to the cases of Harbour" in words(page)


def test_a_feature_that_is_off_says_whom_to_ask(cast: Cast, rf: RequestFactory) -> None:
    request = rf.get("/")
    request.user = cast.mia

    page = problem_page(request, FeatureOff("It is off."))

    assert "Ask an owner or admin" in words(page)


def test_an_unknown_address_has_a_page(client: Client) -> None:
    answer = client.get("/no/such/page/")

    assert answer.status_code == 404
    assert "There is nothing here" in words(answer)


def test_a_form_without_its_key_is_explained() -> None:
    answer = Client(enforce_csrf_checks=True).post("/sign-in/", {})

    assert answer.status_code == 403
    assert "The form was too old to accept" in words(answer)


@pytest.mark.parametrize("name", ["400.html", "403.html", "404.html", "500.html"])
def test_pages_for_faults_need_nothing_from_the_request(name: str) -> None:
    page = get_template(name).render()

    assert "<h1>" in page
    assert "Go to the start" in page


def test_a_verb_that_a_page_does_not_know_is_refused(mia: Client) -> None:
    assert mia.post("/o/harbour/cases/").status_code == 405
    assert mia.get("/o/harbour/cases/case_x/decide/").status_code == 405
