"""Founding and renaming an organization."""

from itertools import count

from django.db import transaction
from django.utils.text import slugify

from accounts.actor import Actor, require
from accounts.models import Membership, Organization, Role, User
from accounts.permissions import Action
from accounts.services.audit import record_audit
from accounts.services.saving import lock_organization, save_checked


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


@transaction.atomic
def rename_organization(*, by: Actor, name: str) -> Organization:
    """Give the actor's organization another name; its slug stays."""
    require(by, Action.MANAGE_OWNERS, by.organization)
    lock_organization(by.organization)
    organization = Organization.objects.get(pk=by.organization.pk)
    before, organization.name = organization.name, name.strip()
    save_checked(organization)
    record_audit(
        organization=organization,
        actor=by.user,
        action="organization.renamed",
        target=organization.public_id,
        detail={"as": by.role, "from": before, "to": organization.name},
    )
    return organization


def _free_slug(name: str) -> str:
    base = slugify(name.replace("_", " "))[:50].strip("-") or "organization"
    alike = Organization.objects.filter(slug__startswith=base)
    taken = set(alike.values_list("slug", flat=True))
    if base not in taken:
        return base
    return next(slug for n in count(2) if (slug := f"{base}-{n}") not in taken)
