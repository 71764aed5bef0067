from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client

from tests.factories.accounts import PASSWORD, Cast, make_cast, make_user

pytestmark = pytest.mark.django_db
URL = "/sign-in/"


@pytest.fixture
def cast() -> Cast:
    return make_cast()


@pytest.fixture(autouse=True)
def _no_failures_yet() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def attempt(client: Client, password: str, email: str = "mia@example.org") -> int:
    answer = client.post(URL, {"username": email, "password": password})
    return answer.status_code


def test_a_person_signs_in_by_email_in_any_case(cast: Cast, client: Client) -> None:
    assert attempt(client, PASSWORD, "Mia@Example.org") == 302
    assert client.get("/")["Location"] == "/o/harbour/cases/"


def test_signing_in_leads_back_to_the_page_that_was_asked_for(
    cast: Cast, client: Client
) -> None:
    fields = {"username": "mia@example.org", "password": PASSWORD}

    answer = client.post(URL, {**fields, "next": "/o/harbour/cases/new/"})

    assert answer["Location"] == "/o/harbour/cases/new/"


def test_signing_in_never_leads_to_another_site(cast: Cast, client: Client) -> None:
    fields = {"username": "mia@example.org", "password": PASSWORD}

    answer = client.post(URL, {**fields, "next": "https://elsewhere.example/"})

    assert answer["Location"] == "/"


@pytest.mark.parametrize("email", ["mia@example.org", "nobody@example.org"])
def test_a_wrong_password_and_an_unknown_address_read_alike(
    cast: Cast, client: Client, email: str
) -> None:
    answer = client.post(URL, {"username": email, "password": "wrong"})

    assert answer.status_code == 400
    assert "The email address and the password do not go together." in (
        answer.content.decode()
    )


def test_an_inactive_person_cannot_sign_in(client: Client) -> None:
    make_user("gone@example.org", is_active=False)

    assert attempt(client, PASSWORD, "gone@example.org") == 400


def test_after_five_failures_even_the_right_password_waits(
    cast: Cast, client: Client
) -> None:
    for _ in range(5):
        assert attempt(client, "wrong") == 400

    assert attempt(client, PASSWORD) == 429
    assert attempt(client, PASSWORD, "ben@example.org") == 302


def test_a_success_forgets_the_failures(cast: Cast, client: Client) -> None:
    for _ in range(4):
        attempt(client, "wrong")
    attempt(client, PASSWORD)
    client.post("/sign-out/")

    assert attempt(client, "wrong") == 400
    assert attempt(client, PASSWORD) == 302


def test_signing_out_takes_a_form_and_ends_the_session(
    cast: Cast, client: Client
) -> None:
    client.force_login(cast.mia)

    assert client.get("/sign-out/").status_code == 405
    assert client.post("/sign-out/")["Location"] == URL
    assert client.get("/")["Location"] == "/sign-in/?next=/"
