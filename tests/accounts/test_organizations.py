"""Founding and renaming an organization."""

import pytest

from accounts.errors import BadInput, Conflict, NotAllowed
from accounts.models import AuditEntry, Membership, Organization, Role
from accounts.services import create_organization, rename_organization
from tests.factories.accounts import make_cast, make_user

pytestmark = pytest.mark.django_db


def test_the_founder_owns_it_and_the_act_is_on_record() -> None:
    ada = make_user("ada@example.org")
    made = create_organization(name="Harbour & Sons", owner=ada)

    assert made.slug == "harbour-sons"
    assert Membership.objects.get(organization=made).role == Role.OWNER
    entry = AuditEntry.objects.for_organization(made).get()
    assert (entry.action, entry.actor) == ("organization.created", ada)


def test_slugs_made_from_names_do_not_clash() -> None:
    ada = make_user()
    slugs = [create_organization(name="My_Org", owner=ada).slug for _ in range(3)]

    assert slugs == ["my-org", "my-org-2", "my-org-3"]


def test_a_name_without_latin_letters_still_gets_a_slug() -> None:
    assert create_organization(name="港", owner=make_user()).slug == "organization"


def test_a_slug_that_is_taken_is_a_conflict_and_leaves_nothing() -> None:
    ada = make_user()
    create_organization(name="One", slug="one", owner=ada)

    with pytest.raises(Conflict, match="slug"):
        create_organization(name="Two", slug="one", owner=ada)
    assert Organization.objects.count() == Membership.objects.count() == 1


@pytest.mark.parametrize("slug", ["One", "a b", "-a", "a--b", "a_b", "a/b", "é", "a\n"])
def test_a_slug_that_is_no_slug_is_refused(slug: str) -> None:
    with pytest.raises(BadInput) as refused:
        create_organization(name="One", slug=slug, owner=make_user())
    assert refused.value.field == "slug"


@pytest.mark.parametrize("name", ["", "   ", "a\x00b", "a\ud800b", "x" * 151])
def test_a_name_that_cannot_be_stored_is_refused(name: str) -> None:
    with pytest.raises(BadInput) as refused:
        create_organization(name=name, owner=make_user())
    assert refused.value.field == "name"
    assert not Organization.objects.exists()


def test_an_owner_renames_it_and_nobody_less() -> None:
    cast = make_cast()
    renamed = rename_organization(by=cast.actor(cast.ada), name=" Quay ")

    assert (renamed.name, renamed.slug) == ("Quay", cast.organization.slug)
    assert AuditEntry.objects.filter(action="organization.renamed").count() == 1
    with pytest.raises(NotAllowed):
        rename_organization(by=cast.actor(cast.ben), name="Pier")
    with pytest.raises(BadInput):
        rename_organization(by=cast.actor(cast.ada), name=" ")
