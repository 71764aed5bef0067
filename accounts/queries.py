"""Reads: who belongs where, what is switched on, what models cost.

Whatever is missing is a no, and a price that is missing is unknown.
"""

from collections.abc import Iterable

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from accounts.actor import Actor
from accounts.errors import FeatureOff, NotAllowed, NotFound
from accounts.models import (
    Feature,
    Membership,
    Organization,
    OrganizationFeature,
    PlatformSwitch,
    Price,
    TenantQuerySet,
    User,
)
from accounts.permissions import OPERATOR
from accounts.price_row import PriceRow


def organizations_for(user: User | AnonymousUser) -> QuerySet[Organization]:
    """The organizations an active person belongs to, by name."""
    if not user.is_authenticated:
        return Organization.objects.none()
    return Organization.objects.filter(
        memberships__user=user, memberships__user__is_active=True
    )


def actor_for(user: User | AnonymousUser, organization: str) -> Actor:
    """The person as a member; `organization` is a slug or a public id.

    Raises NotFound where there is no membership, and for an inactive user.
    """
    if user.is_authenticated and "\x00" not in organization:
        named = Q(organization__slug=organization)
        named |= Q(organization__public_id=organization)
        membership = _active_memberships(user).filter(named).first()
        if membership is not None:
            return Actor(membership.user, membership.organization, membership.role)
    raise NotFound("There is no such organization, or you are no member of it.")


def member_role(user: User, organization: Organization) -> str | None:
    """The role of an active member as the database has it now, or None."""
    rows = _active_memberships(user).for_organization(organization)
    membership = rows.first()
    return membership.role if membership else None


def operator_for(user: User, organization: Organization) -> Actor:
    """A superuser managing an organization from outside; sees none of its work."""
    operators = User.objects.filter(is_active=True, is_superuser=True)
    if not operators.filter(pk=user.pk).exists():
        raise NotAllowed("Only a platform operator may do this.")
    return Actor(user, organization, OPERATOR)


def enabled_features(organization: Organization) -> frozenset[str]:
    """What is on for this organization and not killed for the platform; one query."""
    killed = PlatformSwitch.objects.filter(off=True).values("feature")
    rows = OrganizationFeature.objects.for_organization(organization)
    on = rows.filter(enabled=True).exclude(feature__in=killed)
    return frozenset(on.values_list("feature", flat=True)) & frozenset(Feature.values)


def feature_enabled(organization: Organization, feature: str) -> bool:
    """On for this organization, and not killed for the whole platform."""
    return feature in enabled_features(organization)


def require_feature(organization: Organization, feature: str) -> None:
    """Raise FeatureOff, saying whether the organization or the platform has it off."""
    if feature_enabled(organization, feature):
        return
    if feature not in Feature.values:
        raise FeatureOff("There is no such feature, so it is off.", field="feature")
    if _killed(feature):
        raise FeatureOff(f"The platform has the feature {feature} switched off.")
    raise FeatureOff(f"Your organization has the feature {feature} switched off.")


def price_rows(floor: Iterable[PriceRow] = ()) -> tuple[PriceRow, ...]:
    """The imported prices, all revisions and days, above the built-in ones.

    floor: the built-in table, which accounts does not know; it speaks where nothing
    that was imported holds.
    """
    return (*floor, *(price.as_row() for price in Price.objects.all()))


def _killed(feature: str) -> bool:
    return PlatformSwitch.objects.filter(feature=feature, off=True).exists()


def _active_memberships(user: User) -> TenantQuerySet[Membership]:
    rows = Membership.objects.select_related("user", "organization")
    return rows.filter(user=user, user__is_active=True)
