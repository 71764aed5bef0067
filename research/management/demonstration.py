"""What quickstart sets up: an organization with its features, a person, and cases."""

import secrets
from dataclasses import dataclass

from django.db import connection, transaction

from accounts.actor import Actor
from accounts.models import Feature, Organization, Role, User
from accounts.queries import actor_for, feature_enabled, member_role, operator_for
from accounts.services import add_member, create_organization, set_feature
from research.collectors.pinning import pin_version
from research.models import Dossier, Run
from research.queries import active_run, newest_completed_dossier
from research.services.start_run import start_run
from research.subjects.values import Subject

NAME = "Demo"
SLUG = "demo"
EMAIL = "admin@example.org"
FEATURES = (Feature.MCP_APPROVAL, Feature.MCP_RESEARCH)


@dataclass(frozen=True)
class Demonstration:
    """Who may sign in. `password` is empty unless the person was made just now."""

    actor: Actor
    password: str


def serves_others() -> bool:
    """Whether this database belongs to people who did not ask for a demonstration."""
    if Organization._meta.db_table not in connection.introspection.table_names():
        return False
    return Organization.objects.exclude(slug=SLUG).exists()


@transaction.atomic
def set_up_demonstration() -> Demonstration:
    """Makes what is missing and leaves alone what is there."""
    user, password = _operator()
    organization = Organization.objects.filter(slug=SLUG).first()
    if organization is None:
        organization = create_organization(name=NAME, owner=user, slug=SLUG)
    if member_role(user, organization) is None:
        by = operator_for(user, organization)
        add_member(by=by, user=user, role=Role.OWNER)
    actor = actor_for(user, SLUG)
    for feature in FEATURES:
        if not feature_enabled(organization, feature):
            set_feature(by=actor, feature=feature, enabled=True)
    return Demonstration(actor, password)


def _operator() -> tuple[User, str]:
    user = User.objects.filter(email=EMAIL).first()
    if user is not None:
        return user, ""
    password = secrets.token_urlsafe(12)
    return User.objects.create_superuser(EMAIL, password, name="Admin"), password


def reviewable_dossier(by: Actor, subject: Subject) -> Dossier | None:
    """The newest of the installed version that a run has completed, if there is one."""
    version = pin_version(subject, has_documents=False)
    return newest_completed_dossier(by.organization, subject, version)


def open_run(by: Actor, subject: Subject) -> Run:
    """A new run, or the one that a call which was killed has left under way."""
    under_way = active_run(by.organization, subject)
    return under_way or start_run(by=by, subject=subject, ring_bell=False)
