"""One table: which role may do what, and how far a token's scopes narrow it."""

from collections.abc import Iterable, Mapping
from enum import StrEnum

from accounts.models import Role, Scope


class Action(StrEnum):
    VIEW = "view"
    ASK = "ask"
    START_RUN = "start_run"
    DECIDE = "decide"
    MANAGE_MEMBERS = "manage_members"
    MANAGE_OWNERS = "manage_owners"
    MANAGE_FEATURES = "manage_features"
    MANAGE_TOKENS = "manage_tokens"


# A platform superuser at the admin site or a command: no membership has this role.
OPERATOR = "operator"

_MEMBER = frozenset({Action.VIEW, Action.ASK})
_REVIEWER = _MEMBER | {Action.START_RUN, Action.DECIDE}
_MANAGE = frozenset(
    {Action.MANAGE_MEMBERS, Action.MANAGE_FEATURES, Action.MANAGE_TOKENS}
)

ROLE_ACTIONS: Mapping[str, frozenset[Action]] = {
    Role.MEMBER.value: _MEMBER,
    Role.REVIEWER.value: _REVIEWER,
    Role.ADMIN.value: _REVIEWER | _MANAGE,
    Role.OWNER.value: frozenset(Action),
    OPERATOR: _MANAGE | {Action.MANAGE_OWNERS},
}
# No scope manages anything: a token cannot make tokens, members or features.
SCOPE_ACTIONS: Mapping[str, frozenset[Action]] = {
    Scope.READ.value: frozenset({Action.VIEW}),
    Scope.ASK.value: frozenset({Action.ASK}),
    Scope.RUN.value: frozenset({Action.START_RUN}),
    Scope.DECIDE.value: frozenset({Action.DECIDE}),
}


def allowed(membership_role: str, action: str) -> bool:
    """Whether the role may do it; an unknown role or action may not."""
    return action in ROLE_ACTIONS.get(membership_role, frozenset())


def scopes_for(action: str) -> list[str]:
    """The scopes that cover it; none covers what manages an organization."""
    return [scope for scope, actions in SCOPE_ACTIONS.items() if action in actions]


def allowed_by_scopes(scopes: Iterable[str], action: str) -> bool:
    """Whether any of the scopes covers it; an unknown scope covers nothing."""
    return any(action in SCOPE_ACTIONS.get(scope, frozenset()) for scope in scopes)
