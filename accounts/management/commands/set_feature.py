"""`manage.py set_feature`: a feature of one organization, on or off."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.actor import Actor
from accounts.errors import ProductError
from accounts.management.lookup import find_organization, find_user
from accounts.models import Feature
from accounts.queries import actor_for, operator_for
from accounts.services import set_feature


class Command(BaseCommand):
    help = "Switch a feature of one organization on or off, in somebody's name."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--organization", required=True, help="Its slug.")
        parser.add_argument("--feature", required=True, choices=Feature.values)
        state = parser.add_mutually_exclusive_group(required=True)
        state.add_argument("--on", dest="enabled", action="store_true")
        state.add_argument("--off", dest="enabled", action="store_false")
        parser.add_argument(
            "--by",
            required=True,
            help="The address of an owner, an admin or a platform operator.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            row = set_feature(
                by=_actor(options["by"], options["organization"]),
                feature=options["feature"],
                enabled=options["enabled"],
            )
        except ProductError as refused:
            raise CommandError(refused.message) from refused
        self.stdout.write(f"{options['organization']}: {row}")


def _actor(email: str, slug: str) -> Actor:
    user, organization = find_user(email), find_organization(slug)
    if user.is_superuser:
        return operator_for(user, organization)
    return actor_for(user, slug)
