"""`manage.py issue_token`: a token for a program, printed once."""

from datetime import datetime, timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from accounts.errors import ProductError
from accounts.management.lookup import find_user
from accounts.models import Scope
from accounts.queries import actor_for
from accounts.services import issue_token


class Command(BaseCommand):
    help = "Make an API token that acts as a person of an organization; shown once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--organization", required=True, help="Its slug or id.")
        parser.add_argument(
            "--user", required=True, help="The address of the person it acts as."
        )
        parser.add_argument("--name", required=True, help="What will use it.")
        parser.add_argument(
            "--scope",
            dest="scopes",
            action="append",
            required=True,
            choices=Scope.values,
            help="May be given more than once.",
        )
        parser.add_argument("--days", type=int, help="Days until it expires.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            by = actor_for(find_user(options["user"]), options["organization"])
            token, plain_text = issue_token(
                by=by,
                name=options["name"],
                scopes=options["scopes"],
                expires_at=_expiry(options["days"]),
            )
        except ProductError as refused:
            raise CommandError(refused.message) from refused
        self.stderr.write(f"{token.public_id}: keep this, it is not shown again.")
        self.stdout.write(plain_text)


def _expiry(days: int | None) -> datetime | None:
    if days is None:
        return None
    if not 1 <= days <= 3650:
        raise CommandError("--days takes 1 to 3650.")
    return timezone.now() + timedelta(days=days)
