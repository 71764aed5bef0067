"""What the commands' arguments name."""

from accounts.errors import NotFound
from accounts.models import Organization, User


def find_user(email: str) -> User:
    """The person with this address; raises NotFound."""
    user = User.objects.filter(email=email).first()
    if user is None:
        raise NotFound(f"There is no user with the address {email}.")
    return user


def find_organization(slug: str) -> Organization:
    """The organization with this slug; raises NotFound."""
    organization = Organization.objects.filter(slug=slug).first()
    if organization is None:
        raise NotFound(f"There is no organization with the slug {slug}.")
    return organization
