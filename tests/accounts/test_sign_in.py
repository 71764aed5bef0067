import time
from collections.abc import Iterator
from typing import Any

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


def test_a_missing_password_forgets_no_failures(cast: Cast, client: Client) -> None:
    for _ in range(5):
        attempt(client, "wrong")
    assert attempt(client, "") == 400

    assert attempt(client, PASSWORD) == 429


def test_the_wait_ends_by_itself_and_trying_on_does_not_prolong_it(
    cast: Cast, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)
    for _ in range(5):
        attempt(client, "wrong")
    now += 14 * 60
    assert attempt(client, PASSWORD) == 429

    now += 2 * 60
    assert attempt(client, PASSWORD) == 302


def test_failures_from_elsewhere_keep_nobody_out(cast: Cast) -> None:
    elsewhere, home = Client(REMOTE_ADDR="192.0.2.1"), Client(REMOTE_ADDR="192.0.2.2")
    for _ in range(200):
        attempt(elsewhere, "wrong")

    assert attempt(elsewhere, PASSWORD) == 429
    assert attempt(home, PASSWORD) == 302


def test_failures_from_very_many_places_are_limited_too(cast: Cast) -> None:
    places = [f"192.0.2.{number}" for number in range(60)]

    answers = [attempt(Client(REMOTE_ADDR=place), "wrong") for place in places]

    assert answers == [400] * 50 + [429] * 10
    assert attempt(Client(REMOTE_ADDR="192.0.2.99"), PASSWORD) == 429
    assert attempt(Client(REMOTE_ADDR="192.0.2.99"), PASSWORD, "ben@example.org") == 302


def test_a_success_does_not_forget_the_failures_of_others(cast: Cast) -> None:
    for number in range(49):
        attempt(Client(REMOTE_ADDR=f"192.0.2.{number}"), "wrong")
    assert attempt(Client(REMOTE_ADDR="192.0.2.99"), PASSWORD) == 302

    assert attempt(Client(REMOTE_ADDR="192.0.2.100"), "wrong") == 400
    assert attempt(Client(REMOTE_ADDR="192.0.2.101"), "wrong") == 429


def test_a_spray_of_made_up_addresses_pushes_no_count_out(
    cast: Cast, client: Client
) -> None:
    for _ in range(5):
        attempt(client, "wrong")
    for number in range(600):
        attempt(client, "wrong", f"nobody-{number}@example.org")

    assert attempt(client, PASSWORD) == 429


def behind_a_proxy(settings: Any, proxies: int) -> None:
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": proxies}


def test_behind_a_proxy_its_own_entry_says_who_it_is(cast: Cast, settings: Any) -> None:
    behind_a_proxy(settings, 1)
    for number in range(6):
        # What the sender claims stands before what the proxy has seen.
        seen = f"198.51.100.{number}, 192.0.2.1"
        attempt(Client(HTTP_X_FORWARDED_FOR=seen), "wrong")

    assert attempt(Client(HTTP_X_FORWARDED_FOR="192.0.2.1"), PASSWORD) == 429
    assert attempt(Client(HTTP_X_FORWARDED_FOR="192.0.2.2"), PASSWORD) == 302


def test_without_a_proxy_nobody_chooses_their_own_address(
    cast: Cast, settings: Any
) -> None:
    behind_a_proxy(settings, 0)
    for number in range(5):
        attempt(Client(HTTP_X_FORWARDED_FOR=f"192.0.2.{number}"), "wrong")

    assert attempt(Client(HTTP_X_FORWARDED_FOR="192.0.2.99"), PASSWORD) == 429


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
def test_signing_in_takes_a_form_and_nothing_else(
    cast: Cast, client: Client, method: str
) -> None:
    assert client.generic(method, URL).status_code == 405
    client.force_login(cast.mia)
    assert client.generic(method, URL).status_code == 405
