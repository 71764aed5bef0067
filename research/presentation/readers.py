"""Who can be chosen to read, in words that say where the documents go."""

from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import urlsplit

from accounts.models import Feature, Organization
from chat.models import Provider
from chat.providers.openai_compatible.presets import preset_named
from chat.services.offers import Offer
from research.services.researchers import (
    EXTRACTIVE,
    OfferedResearcher,
    offered_researchers,
)

NOTHING_SENT = "Nothing leaves Weighhouse."
SENT = "A language model: the documents and facts of this run are sent to {place}."
SEARCHES = "It searches the web there, in words of its own."

# Those whose own web search chat.services.equip attaches, where it is switched on.
SEARCHING = frozenset({Provider.ANTHROPIC, Provider.OPENROUTER})


@dataclass(frozen=True)
class Reader:
    """One choice. provider, model: "" without one. web_search: the provider's own.

    place: where the documents and facts of a run are sent, "" where they stay here.
    """

    name: str
    label: str
    language_model: bool
    sentence: str = ""
    provider: str = ""
    model: str = ""
    place: str = ""
    web_search: bool = False


def readers_for(organization: Organization, features: Collection[str]) -> list[Reader]:
    """Those that the organization may choose now, the extractive one first.

    features: what is on for it, as enabled_features says.
    """
    searching = Feature.SERVER_WEB_SEARCH in features
    offered = offered_researchers(organization)
    return [_reader(each, searching=searching) for each in offered]


def place_of(offer: Offer) -> str:
    """Whose server it is, and at which address where that is not the provider's own."""
    whose = Provider(offer.provider).label
    address = offer.base_url
    if not address and offer.provider not in SEARCHING:
        address = preset_named(offer.provider).base_url or ""
    host = urlsplit(address).netloc
    if offer.provider == Provider.OPENAI_COMPATIBLE:
        return f"the endpoint at {host}"
    return f"{whose} at {host}" if host else whose


def _reader(each: OfferedResearcher, *, searching: bool) -> Reader:
    if each.offer is None:
        sentence = NOTHING_SENT if each.name == EXTRACTIVE else ""
        return Reader(each.name, each.label, each.language_model, sentence)
    offer = each.offer
    place, web_search = place_of(offer), searching and offer.provider in SEARCHING
    sent = SENT.format(place=place)
    return Reader(
        name=each.name,
        label=each.label,
        language_model=True,
        sentence=f"{sent} {SEARCHES}" if web_search else sent,
        provider=offer.provider,
        model=offer.model,
        place=place,
        web_search=web_search,
    )
