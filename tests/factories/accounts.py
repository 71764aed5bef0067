"""The cast, made by the same services that people use."""

from dataclasses import dataclass
from itertools import count

from accounts.actor import Actor
from accounts.models import Membership, Organization, Role, User
from accounts.queries import actor_for
from accounts.services import create_organization, set_feature

PASSWORD = "a long enough pass phrase"
_numbers = count(1)


@dataclass(frozen=True)
class Cast:
    """Ada owns the organization, Ben reviews, Mia is a member; Cy owns the other."""

    organization: Organization
    ada: User
    ben: User
    mia: User
    cy: User
    other_organization: Organization

    def actor(self, user: User) -> Actor:
        """The person in their own organization."""
        home = self.other_organization if user == self.cy else self.organization
        return actor_for(user, home.slug)


def make_user(
    email: str = "", *, name: str = "", is_active: bool = True, superuser: bool = False
) -> User:
    """A person who signs in with PASSWORD."""
    return User.objects.create_user(
        email or f"person-{next(_numbers)}@example.org",
        PASSWORD,
        name=name,
        is_active=is_active,
        is_staff=superuser,
        is_superuser=superuser,
    )


def make_organization(
    name: str = "", *, owner: User | None = None, slug: str = ""
) -> Organization:
    name = name or f"Organization {next(_numbers)}"
    return create_organization(name=name, owner=owner or make_user(), slug=slug)


def make_member(organization: Organization, user: User, role: str) -> Membership:
    return Membership.objects.create(organization=organization, user=user, role=role)


def make_cast() -> Cast:
    ada = make_user("ada@example.org", name="Ada")
    ben = make_user("ben@example.org", name="Ben")
    mia = make_user("mia@example.org", name="Mia")
    cy = make_user("cy@example.org", name="Cy")
    organization = make_organization("Harbour", owner=ada)
    make_member(organization, ben, Role.REVIEWER)
    make_member(organization, mia, Role.MEMBER)
    return Cast(organization, ada, ben, mia, cy, make_organization("Depot", owner=cy))


def enable(organization: Organization, *features: str) -> None:
    """Switch features on, as the first owner would."""
    owner = organization.memberships.filter(role=Role.OWNER).select_related("user")[0]
    by = Actor(owner.user, organization, owner.role)
    for feature in features:
        set_feature(by=by, feature=feature, enabled=True)
