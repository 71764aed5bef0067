"""Who may do what; whatever is unknown may nothing."""

import pytest

from accounts.actor import Actor, require
from accounts.errors import NotAllowed, NotFound
from accounts.models import Organization, Role, Scope, User
from accounts.permissions import OPERATOR, Action, allowed

MEMBER = {Action.VIEW, Action.ASK}
REVIEWER = MEMBER | {Action.START_RUN, Action.DECIDE}
TABLE = {
    Role.MEMBER: MEMBER,
    Role.REVIEWER: REVIEWER,
    Role.ADMIN: set(Action) - {Action.MANAGE_OWNERS},
    Role.OWNER: set(Action),
    OPERATOR: {action for action in Action if action.startswith("manage")},
}
HARBOUR = Organization(pk=1, name="Harbour")
DEPOT = Organization(pk=2, name="Depot")


def actor(role: str, scopes: frozenset[Scope] | None = None) -> Actor:
    return Actor(User(pk=1), HARBOUR, role, scopes)


@pytest.mark.parametrize(("role", "actions"), TABLE.items())
def test_a_role_may_exactly_what_the_table_says(
    role: str, actions: set[Action]
) -> None:
    assert {action for action in Action if allowed(role, action)} == actions


@pytest.mark.parametrize("role", ["", "Owner", "root", "OPERATOR"])
def test_an_unknown_role_may_nothing(role: str) -> None:
    assert not any(allowed(role, action) for action in Action)


@pytest.mark.parametrize("action", ["", "delete", "VIEW", "view "])
def test_an_unknown_action_is_allowed_to_nobody(action: str) -> None:
    assert not any(allowed(role, action) for role in [*Role.values, OPERATOR])


def test_scopes_only_narrow_a_role() -> None:
    token = actor(Role.MEMBER, frozenset({Scope.READ, Scope.DECIDE}))

    assert {action for action in Action if token.may(action)} == {Action.VIEW}


def test_a_token_without_scopes_may_nothing() -> None:
    token = actor(Role.OWNER, frozenset())

    assert not any(token.may(action) for action in Action)


def test_a_token_with_every_scope_manages_nothing() -> None:
    token = actor(Role.OWNER, frozenset(Scope))

    assert {action for action in Action if token.may(action)} == REVIEWER


def test_the_refusal_says_whether_the_role_or_the_token_is_too_small() -> None:
    with pytest.raises(NotAllowed, match="role member"):
        require(actor(Role.MEMBER), Action.DECIDE, HARBOUR)
    with pytest.raises(NotAllowed, match="lacks the scope"):
        require(actor(Role.OWNER, frozenset({Scope.READ})), Action.DECIDE, HARBOUR)


@pytest.mark.parametrize("organization", [DEPOT, Organization(name="Unsaved")])
def test_another_organization_is_not_found_even_for_an_owner(
    organization: Organization,
) -> None:
    with pytest.raises(NotFound):
        require(actor(Role.OWNER), Action.VIEW, organization)
