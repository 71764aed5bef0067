"""Who belongs to an organization, and as what. There is always an active owner."""

from django.db import transaction
from django.utils import timezone

from accounts.actor import Actor, require
from accounts.errors import Conflict, NotFound
from accounts.models import ApiToken, Membership, Role, User
from accounts.permissions import Action
from accounts.services.audit import record_audit
from accounts.services.saving import lock_organization, save_checked


@transaction.atomic
def add_member(*, by: Actor, user: User, role: str) -> Membership:
    """Let a person in; only who may manage owners names another owner."""
    _require(by, role)
    membership = Membership(organization=by.organization, user=user, role=role)
    save_checked(membership)
    _record(by, "member.added", membership, {"role": role})
    return membership


@transaction.atomic
def change_role(*, by: Actor, membership: Membership, role: str) -> Membership:
    """Give a member another role. Raises Conflict for the last owner."""
    current = _locked(by, membership)
    _require(by, current.role, role)
    before, current.role = current.role, role
    if before == Role.OWNER and role != Role.OWNER:
        _keep_an_owner(current)
    save_checked(current)
    _record(by, "member.role_changed", current, {"from": before, "to": role})
    return current


@transaction.atomic
def remove_member(*, by: Actor, membership: Membership) -> None:
    """End a membership and revoke that person's tokens here."""
    current = _locked(by, membership)
    _require(by, current.role)
    if current.role == Role.OWNER:
        _keep_an_owner(current)
    tokens = ApiToken.objects.for_organization(by.organization)
    revoked = tokens.filter(user=current.user, revoked_at=None).update(
        revoked_at=timezone.now()
    )
    _record(
        by,
        "member.removed",
        current,
        {"role": current.role, "tokens_revoked": revoked},
    )
    current.delete()


def _require(by: Actor, *roles: str) -> None:
    require(by, Action.MANAGE_MEMBERS, by.organization)
    if Role.OWNER in roles:
        require(by, Action.MANAGE_OWNERS, by.organization)


def _locked(by: Actor, membership: Membership) -> Membership:
    """The row as it is now; two demotions at once wait for each other here."""
    require(by, Action.MANAGE_MEMBERS, by.organization)
    lock_organization(by.organization)
    rows = Membership.objects.for_organization(by.organization)
    current = rows.select_related("user").filter(pk=membership.pk).first()
    if current is None:
        raise NotFound("There is no such member.")
    return current


def _keep_an_owner(leaving: Membership) -> None:
    owners = Membership.objects.for_organization(leaving.organization).filter(
        role=Role.OWNER, user__is_active=True
    )
    if not owners.exclude(pk=leaving.pk).exists():
        raise Conflict(
            "The last owner cannot be demoted or removed.", code="last_owner"
        )


def _record(
    by: Actor, action: str, membership: Membership, detail: dict[str, object]
) -> None:
    record_audit(
        organization=by.organization,
        actor=by.user,
        action=action,
        target=f"user:{membership.user_id}",
        detail={"as": by.role, "email": membership.user.email, **detail},
    )
