"""Where signing in leads: to a page of ours, whatever `next` says."""

from urllib.parse import quote

import pytest
from django.test import Client
from django.utils.html import escape

from tests.factories.accounts import PASSWORD, make_cast

pytestmark = pytest.mark.django_db
GOOD = "/o/harbour/cases/new/"
HOSTILE = [
    "//evil.example",
    "///evil.example",
    "https://evil.example/",
    "http:evil.example",
    "https:///evil.example",
    "\\\\evil.example",
    "/\\evil.example",
    "\t//evil.example",
    "/\t/evil.example",
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "data:text/html,x",
    "https://testserver@evil.example/",
    "https://testserver.evil.example/",
    "\x00//evil.example",
]


@pytest.fixture(autouse=True)
def _cast() -> None:
    make_cast()


def sign_in(client: Client, address: str, **more: str) -> str:
    """Where it leads."""
    fields = {"username": "mia@example.org", "password": PASSWORD, **more}
    answer = client.post(address, fields)
    assert answer.status_code == 302
    return answer["Location"]


def test_a_visitor_is_brought_back_to_the_page_they_asked_for(client: Client) -> None:
    asked = client.get(GOOD)
    assert asked["Location"] == f"/sign-in/?next={GOOD}"

    form = client.get(asked["Location"])
    assert f'name="next" value="{GOOD}"' in form.content.decode()

    assert sign_in(client, asked["Location"], next=form.context["next"]) == GOOD
    assert client.get(GOOD).status_code == 200


def test_a_visitor_who_asked_for_nothing_goes_home(client: Client) -> None:
    assert client.get("/sign-in/").context["next"] == ""
    assert sign_in(client, "/sign-in/", next="") == "/"


@pytest.mark.parametrize("target", HOSTILE)
def test_a_hostile_target_in_the_address_leads_home(
    client: Client, target: str
) -> None:
    address = f"/sign-in/?next={quote(target, safe='')}"

    form = client.get(address)

    assert 'name="next" value=""' in form.content.decode()
    assert escape(target.strip()) not in form.content.decode()
    assert sign_in(client, address) == "/"


@pytest.mark.parametrize("target", HOSTILE)
def test_a_hostile_target_in_the_form_leads_home(client: Client, target: str) -> None:
    assert sign_in(client, "/sign-in/", next=target) == "/"
    assert sign_in(Client(), f"/sign-in/?next={GOOD}", next=target) == "/"


@pytest.mark.parametrize("target", HOSTILE)
def test_a_hostile_target_leads_home_also_who_is_signed_in(
    client: Client, target: str
) -> None:
    sign_in(client, "/sign-in/")

    answer = client.get(f"/sign-in/?next={quote(target, safe='')}")

    assert answer["Location"] == "/"
