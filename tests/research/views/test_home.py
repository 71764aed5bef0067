from django.test import Client

from tests.factories.accounts import Cast, make_member, make_user
from tests.research.views.conftest import SignIn
from tests.research.views.reading import links, words


def test_the_only_organization_is_entered_at_once(mia: Client) -> None:
    assert mia.get("/")["Location"] == "/o/harbour/cases/"


def test_several_organizations_are_a_choice(cast: Cast, mia: Client) -> None:
    make_member(cast.other_organization, cast.mia, "member")

    page = mia.get("/")

    assert links(page, ".choices a") == ["/o/depot/cases/", "/o/harbour/cases/"]


def test_without_an_organization_the_page_says_what_to_do(
    db: None, sign_in: SignIn
) -> None:
    page = sign_in(make_user("lone@example.org")).get("/")

    assert "You belong to no organization yet" in words(page)
    assert "lone@example.org" in words(page)


def test_who_is_not_signed_in_is_asked_to(client: Client) -> None:
    assert client.get("/")["Location"] == "/sign-in/?next=/"
