"""`manage.py researchers`: who can read, what it takes, and who may be chosen."""

from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.errors import ProductError
from accounts.models import Organization
from accounts.queries import price_rows
from chat.models import ModelChoice, ModelPolicy, Provider
from chat.providers.prices import PRICES, price_row
from chat.services.offers import BUILT_IN, KEY_NAMES, Offer, key_for
from research.management.caller import organization_or_only
from research.management.exit_codes import exit_code_for
from research.management.tables import aligned
from research.presentation.readers import place_of
from research.presentation.visible import one_line
from research.services.researchers import RESEARCHERS

HEADINGS = ("name", "provider", "model", "sent to", "price", "key", "allowed")
Row = tuple[str, ...]


class Command(BaseCommand):
    help = (
        "List who can read for an organization. One can be chosen if it is allowed and"
        " its key is not missing. A price that is unknown is not zero."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--organization", default="", help="Default: the only one.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            organization = organization_or_only(options["organization"])
        except ProductError as refused:
            code = exit_code_for(refused)
            raise CommandError(refused.message, returncode=code) from refused
        installed = [(name, *["-"] * 5, "yes") for name in RESEARCHERS]
        for line in aligned([HEADINGS, *installed, *_models(organization)]):
            self.stdout.write(line)


def _models(organization: Organization) -> Iterator[Row]:
    """All that are known, those that cannot be chosen too, each with the reason."""
    policy, prices = ModelPolicy.of(organization), price_rows(PRICES)
    for offer, enabled in _known():
        known = price_row(offer.model, rows=prices) is not None
        yield (
            offer.name,
            Provider(offer.provider).label,
            one_line(offer.model),
            place_of(offer),
            "known" if known else "unknown",
            _key(offer),
            _allowed(policy, offer, enabled=enabled),
        )


def _known() -> list[tuple[Offer, bool]]:
    """Each with whether it is enabled; a row takes the place of a built-in model."""
    known = {offer.name: (offer, True) for offer in BUILT_IN}
    for row in ModelChoice.objects.all():
        offer = Offer(row.name, row.provider, row.model, row.base_url)
        known[row.name] = (offer, row.enabled)
    return list(known.values())


def _key(offer: Offer) -> str:
    """Only the hosted providers need one; every other endpoint may have one."""
    if key_for(offer.provider):
        return "set"
    needed = KEY_NAMES.get(offer.provider)
    return f"missing: {needed}" if needed else "none"


def _allowed(policy: ModelPolicy, offer: Offer, *, enabled: bool) -> str:
    if not enabled:
        return "no: disabled"
    return "yes" if policy.allows(offer.name, offer.model) else "no: policy"
