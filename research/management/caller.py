"""Who a command acts as, and for which organization."""

from accounts.actor import Actor
from accounts.errors import BadInput, NotFound
from accounts.management.lookup import find_organization, find_user
from accounts.models import Membership, Organization, Role
from accounts.queries import actor_for


def find_actor(slug: str = "", email: str = "") -> Actor:
    """The named user in the named organization.

    By default the only organization and its first owner. Raises NotFound, or BadInput
    where there are several to choose from.
    """
    organization = organization_or_only(slug)
    if email:
        return actor_for(find_user(email), organization.slug)
    return _first_owner(organization)


def organization_or_only(slug: str = "") -> Organization:
    """The named one, else the only one. Raises NotFound or BadInput."""
    return find_organization(slug) if slug else _only_organization()


def _only_organization() -> Organization:
    found = list(Organization.objects.order_by("slug")[:6])
    if not found:
        raise NotFound(
            "There is no organization yet; `manage.py quickstart` makes one."
        )
    if len(found) > 1:
        named = ", ".join(organization.slug for organization in found[:5])
        more = ", ..." if len(found) > 5 else ""
        raise BadInput(
            f"Name one of the organizations with --organization: {named}{more}."
        )
    return found[0]


def _first_owner(organization: Organization) -> Actor:
    rows = Membership.objects.for_organization(organization).select_related("user")
    owner = rows.filter(role=Role.OWNER, user__is_active=True).order_by("pk").first()
    if owner is None:
        raise NotFound(f"{organization.slug} has no active owner; name a --user.")
    return Actor(owner.user, organization, owner.role)
