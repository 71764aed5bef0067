"""Founding an organization."""

from itertools import count

from django.db import transaction
from django.utils.text import slugify

from accounts.models import Membership, Organization, Role, User
from accounts.services.audit import record_audit
from accounts.services.saving import save_checked


@transaction.atomic
def create_organization(*, name: str, owner: User, slug: str = "") -> Organization:
    """Save it with its first owner; without a slug one is made from the name."""
    organization = Organization(name=name.strip(), slug=slug or _free_slug(name))
    save_checked(organization)
    save_checked(Membership(organization=organization, user=owner, role=Role.OWNER))
    record_audit(
        organization=organization,
        actor=owner,
        action="organization.created",
        target=organization.public_id,
        detail={"name": organization.name, "slug": organization.slug},
    )
    return organization


def _free_slug(name: str) -> str:
    base = slugify(name.replace("_", " "))[:50].strip("-") or "organization"
    alike = Organization.objects.filter(slug__startswith=base)
    taken = set(alike.values_list("slug", flat=True))
    if base not in taken:
        return base
    return next(slug for n in count(2) if (slug := f"{base}-{n}") not in taken)
