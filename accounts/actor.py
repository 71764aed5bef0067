"""Who acts, for which organization, and how far: what services take as `by`."""

from dataclasses import dataclass

from accounts.errors import NotAllowed, NotFound
from accounts.models import Organization, Scope, User
from accounts.permissions import allowed, allowed_by_scopes, scopes_for


@dataclass(frozen=True)
class Actor:
    """As read at the entrance. Work that waits asks queries.actor_for again.

    `scopes` is None for a signed-in person, a set for a token.
    """

    user: User
    organization: Organization
    role: str
    scopes: frozenset[Scope] | None = None

    def may(self, action: str) -> bool:
        """Whether the role, and a token's scopes where it is one, allow it."""
        if not allowed(self.role, action):
            return False
        return self.scopes is None or allowed_by_scopes(self.scopes, action)


def require(actor: Actor, action: str, organization: Organization) -> None:
    """Raise NotFound for another organization's actor, NotAllowed for a lesser one."""
    if organization.pk is None or actor.organization.pk != organization.pk:
        raise NotFound("There is no such organization.")
    if actor.may(action):
        return
    if allowed(actor.role, action):
        scopes = scopes_for(action)
        lacking = f"it lacks the scope {scopes[0]}" if scopes else "no token may"
        doing = action.replace("_", " ")
        raise NotAllowed(f"This token does not allow it to {doing}: {lacking}.")
    raise NotAllowed(f"The role {actor.role} does not include: {action}.")
