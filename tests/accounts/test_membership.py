"""Who is a member, and the last owner."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from accounts.errors import BadInput, Conflict, NotAllowed, NotFound
from accounts.models import AuditEntry, Membership, Organization, Role, User
from accounts.queries import actor_for, operator_for, organizations_for
from accounts.services import add_member, change_role, issue_token, remove_member
from tests.factories.accounts import Cast, make_cast, make_member, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast()


def membership_of(user: User) -> Membership:
    return Membership.objects.get(user=user)


def test_a_member_is_found_by_slug_and_by_public_id(cast: Cast) -> None:
    for name in (cast.organization.slug, cast.organization.public_id):
        actor = actor_for(cast.ben, name)
        assert (actor.organization, actor.role) == (cast.organization, Role.REVIEWER)
        assert actor.scopes is None


@pytest.mark.parametrize("name", ["", "nowhere", "HARBOUR", "har\x00bour", "1"])
def test_an_organization_that_is_not_there_is_not_found(cast: Cast, name: str) -> None:
    with pytest.raises(NotFound):
        actor_for(cast.ada, name)


def test_an_outsider_is_told_the_same_as_about_nothing(cast: Cast) -> None:
    with pytest.raises(NotFound) as outside:
        actor_for(cast.cy, cast.organization.slug)
    with pytest.raises(NotFound) as nothing:
        actor_for(cast.cy, "nowhere")
    assert outside.value.message == nothing.value.message


def test_nobody_signed_in_belongs_nowhere(cast: Cast) -> None:
    with pytest.raises(NotFound):
        actor_for(AnonymousUser(), cast.organization.slug)
    assert not organizations_for(AnonymousUser()).exists()


def test_a_user_switched_off_meanwhile_belongs_nowhere(cast: Cast) -> None:
    User.objects.filter(pk=cast.ada.pk).update(is_active=False)

    with pytest.raises(NotFound):
        actor_for(cast.ada, cast.organization.slug)
    assert not organizations_for(cast.ada).exists()


def test_a_superuser_without_membership_gets_nothing(cast: Cast) -> None:
    with pytest.raises(NotFound):
        actor_for(make_user(superuser=True), cast.organization.slug)


def test_people_see_their_own_organizations_only(cast: Cast) -> None:
    assert list(organizations_for(cast.mia)) == [cast.organization]
    assert list(organizations_for(cast.cy)) == [cast.other_organization]


def test_rows_are_kept_apart_by_organization(cast: Cast) -> None:
    rows = Membership.objects.for_organization(cast.other_organization)

    assert [row.user for row in rows] == [cast.cy]


def test_rows_of_an_unsaved_organization_are_an_error(cast: Cast) -> None:
    with pytest.raises(ValueError, match="saved"):
        AuditEntry.objects.for_organization(Organization(name="Unsaved"))


@pytest.mark.parametrize("role", ["", "root", "operator", "Owner"])
def test_an_unknown_role_is_refused(cast: Cast, role: str) -> None:
    with pytest.raises(BadInput) as refused:
        add_member(by=cast.actor(cast.ada), user=cast.cy, role=role)
    assert refused.value.field == "role"


def test_the_database_itself_refuses_an_unknown_role(cast: Cast) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        make_member(cast.organization, cast.cy, "operator")


def test_nobody_is_a_member_twice(cast: Cast) -> None:
    with pytest.raises(Conflict, match="member already"):
        add_member(by=cast.actor(cast.ada), user=cast.mia, role=Role.REVIEWER)


def test_reviewers_and_members_do_not_let_people_in(cast: Cast) -> None:
    for user in (cast.ben, cast.mia):
        with pytest.raises(NotAllowed):
            add_member(by=cast.actor(user), user=cast.cy, role=Role.MEMBER)
    assert not organizations_for(cast.cy).filter(pk=cast.organization.pk).exists()


def test_an_admin_makes_no_owner_and_unmakes_none(cast: Cast) -> None:
    admin = make_user("dee@example.org")
    make_member(cast.organization, admin, Role.ADMIN)
    by = cast.actor(admin)

    with pytest.raises(NotAllowed):
        change_role(by=by, membership=membership_of(admin), role=Role.OWNER)
    with pytest.raises(NotAllowed):
        change_role(by=by, membership=membership_of(cast.ada), role=Role.MEMBER)
    with pytest.raises(NotAllowed):
        remove_member(by=by, membership=membership_of(cast.ada))


def test_the_last_owner_is_neither_demoted_nor_removed(cast: Cast) -> None:
    by, owner = cast.actor(cast.ada), membership_of(cast.ada)

    with pytest.raises(Conflict, match="last owner"):
        change_role(by=by, membership=owner, role=Role.ADMIN)
    with pytest.raises(Conflict, match="last owner"):
        remove_member(by=by, membership=owner)
    assert membership_of(cast.ada).role == Role.OWNER


def test_an_inactive_owner_does_not_count_as_an_owner(cast: Cast) -> None:
    gone = make_user("gus@example.org", is_active=False)
    make_member(cast.organization, gone, Role.OWNER)

    with pytest.raises(Conflict, match="last owner"):
        remove_member(by=cast.actor(cast.ada), membership=membership_of(cast.ada))


def test_an_owner_steps_back_once_there_is_another(cast: Cast) -> None:
    by = cast.actor(cast.ada)
    change_role(by=by, membership=membership_of(cast.ben), role=Role.OWNER)
    change_role(by=by, membership=membership_of(cast.ada), role=Role.MEMBER)

    assert membership_of(cast.ada).role == Role.MEMBER
    actions = AuditEntry.objects.values_list("action", flat=True)
    assert list(actions).count("member.role_changed") == 2


def test_another_organizations_member_is_not_found(cast: Cast) -> None:
    by = cast.actor(cast.cy)

    with pytest.raises(NotFound):
        change_role(by=by, membership=membership_of(cast.mia), role=Role.ADMIN)
    with pytest.raises(NotFound):
        remove_member(by=by, membership=membership_of(cast.mia))


def test_a_removed_member_loses_their_tokens_for_good(cast: Cast) -> None:
    change_role(
        by=cast.actor(cast.ada), membership=membership_of(cast.ben), role=Role.ADMIN
    )
    token, _ = issue_token(by=cast.actor(cast.ben), name="ci", scopes=["read"])
    remove_member(by=cast.actor(cast.ada), membership=membership_of(cast.ben))

    token.refresh_from_db()
    assert token.revoked_at is not None


def test_a_person_who_belongs_somewhere_is_not_deleted(cast: Cast) -> None:
    with pytest.raises(ProtectedError):
        cast.mia.delete()


def test_only_an_active_superuser_is_an_operator(cast: Cast) -> None:
    operator = make_user(superuser=True)
    assert operator_for(operator, cast.organization).role == "operator"

    User.objects.filter(pk=operator.pk).update(is_active=False)
    for user in (operator, cast.ada):
        with pytest.raises(NotAllowed):
            operator_for(user, cast.organization)
