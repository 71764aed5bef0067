"""Which models an organization can choose among, by the name that a run carries.

Two are built in, each while its key is set. An operator's row adds another one, or
takes the place of the built-in one of its name.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.core.exceptions import ValidationError

from accounts.errors import BadInput
from accounts.models import Organization
from accounts.models.organization import valid_slug
from chat.models import ModelChoice, ModelPolicy, Provider

# Whose key a provider is sent; the other endpoints share one, and may need none.
KEY_NAMES: Final[Mapping[str, str]] = {
    Provider.ANTHROPIC: "ANTHROPIC_API_KEY",
    Provider.OPENROUTER: "OPENROUTER_API_KEY",
}


@dataclass(frozen=True, slots=True)
class Offer:
    """A model that can be asked.

    provider: a Provider. model: its id there. base_url: "" for the provider's own.
    window, max_output: in tokens, None for what the provider's client knows.
    """

    name: str
    provider: str
    model: str
    base_url: str = ""
    window: int | None = None
    max_output: int | None = None


BUILT_IN: Final = (
    Offer("anthropic", Provider.ANTHROPIC, "claude-sonnet-5-5"),
    Offer(
        "openrouter",
        Provider.OPENROUTER,
        "anthropic/claude-sonnet-5.5",
        window=1_000_000,
        max_output=128_000,
    ),
)


def offers(organization: Organization) -> list[Offer]:
    """What can be chosen now: built-in ones first, then the rows by name."""
    policy = ModelPolicy.of(organization)
    standing = _standing(ModelChoice.objects.all())
    return [
        offer
        for offer in standing.values()
        if offer and policy.allows(offer.name, offer.model) and not _key_missing(offer)
    ]


def offer_named(organization: Organization, name: str) -> Offer:
    """The offer of that name; raises BadInput with what is to be done about it.

    Its code is researcher_unknown, model_not_allowed or key_missing.
    """
    offer = _standing(_rows(name)).get(name)
    if offer is None:
        message = (
            f"There is no researcher {name[:60]!r} here; choose another, or have an"
            " operator add or enable a model of that name."
        )
        raise BadInput(message, code="researcher_unknown")
    if not ModelPolicy.of(organization).allows(offer.name, offer.model):
        message = (
            f"Your organization's policy does not allow the model {name!r}; choose"
            " another, or have an operator add it to the policy."
        )
        raise BadInput(message, code="model_not_allowed")
    if _key_missing(offer):
        message = (
            f"The model {name!r} needs a key; set {KEY_NAMES[offer.provider]} and start"
            " again, or choose another."
        )
        raise BadInput(message, code="key_missing")
    return offer


def known_offer(name: str) -> bool:
    """Whether the name is, or was, one of a model; asks neither for key nor policy."""
    built_in = any(offer.name == name for offer in BUILT_IN)
    return built_in or bool(_rows(name))


def key_for(provider: str) -> str:
    """The platform's key that the provider is sent, "" for none."""
    own = provider in KEY_NAMES
    return str(settings.PROVIDER_KEYS[provider if own else "endpoint"]).strip()


def _standing(rows: Iterable[ModelChoice]) -> dict[str, Offer | None]:
    """Each name with its offer; None where an operator has disabled it."""
    standing: dict[str, Offer | None] = {offer.name: offer for offer in BUILT_IN}
    standing.update({row.name: _offer(row) if row.enabled else None for row in rows})
    return standing


def _rows(name: str) -> list[ModelChoice]:
    """The row of that name; what can be no name is not taken to the database."""
    try:
        valid_slug(name)
    except ValidationError:
        return []
    return list(ModelChoice.objects.filter(name=name))


def _offer(row: ModelChoice) -> Offer:
    return Offer(
        row.name, row.provider, row.model, row.base_url, row.window, row.max_output
    )


def _key_missing(offer: Offer) -> bool:
    return offer.provider in KEY_NAMES and not key_for(offer.provider)
