"""Switching features: by an organization for itself, by an operator for everybody."""

from django.db import transaction
from django.utils import timezone

from accounts.actor import Actor, require
from accounts.errors import NotAllowed
from accounts.models import OrganizationFeature, PlatformSwitch, User
from accounts.permissions import Action
from accounts.services.audit import record_audit
from accounts.services.saving import lock_organization, save_checked


@transaction.atomic
def set_feature(*, by: Actor, feature: str, enabled: bool) -> OrganizationFeature:
    """Switch a feature on or off for the actor's organization."""
    require(by, Action.MANAGE_FEATURES, by.organization)
    lock_organization(by.organization)
    rows = OrganizationFeature.objects.for_organization(by.organization)
    row = rows.filter(feature=feature).first() or OrganizationFeature(
        organization=by.organization, feature=feature
    )
    row.enabled, row.changed_by, row.changed_at = enabled, by.user, timezone.now()
    save_checked(row)
    record_audit(
        organization=by.organization,
        actor=by.user,
        action="feature.on" if enabled else "feature.off",
        target=feature,
        detail={"as": by.role},
    )
    return row


@transaction.atomic
def set_platform_switch(
    *, by: User, feature: str, off: bool, reason: str = ""
) -> PlatformSwitch:
    """Kill a feature for every organization, or leave it to them again."""
    if not (by.is_active and by.is_superuser):
        raise NotAllowed("Only a platform operator may do this.")
    rows = PlatformSwitch.objects.select_for_update()
    row = rows.filter(feature=feature).first() or PlatformSwitch(feature=feature)
    row.off, row.reason = off, reason
    row.changed_by, row.changed_at = by, timezone.now()
    save_checked(row)
    record_audit(
        organization=None,
        actor=by,
        action="platform_switch.off" if off else "platform_switch.released",
        target=feature,
        detail={"reason": reason},
    )
    return row
