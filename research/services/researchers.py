"""Who does the reading, by the name that a run carries."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from accounts.errors import BadInput
from accounts.models import KeyType, Organization
from chat import engine
from chat.models import Provider
from chat.providers.extractive import ExtractiveModel
from chat.services.equip import close_model, equip
from chat.services.offers import Offer, known_offer, offer_named, offers
from research.models import Run

EXTRACTIVE = "extractive"
LIMITS = engine.Limits(tool_calls=120, context_calls=240, iterations=12)

# Those that code installs, without an operator's row: from an AppConfig.ready().
RESEARCHERS: dict[str, Callable[[], engine.Model]] = {EXTRACTIVE: ExtractiveModel}
_LABELS = {EXTRACTIVE: "Extractive: copies passages by fixed rules, no language model"}


@dataclass(frozen=True, slots=True)
class Researcher:
    """A model with the limits of its run, and whose key pays; to be closed."""

    model: engine.Model
    limits: engine.Limits = LIMITS
    key_type: str = KeyType.NONE

    def close(self) -> None:
        """Close the model's connections."""
        close_model(self.model)


class OfferedResearcher(NamedTuple):
    """One choice for a new run; the label is for people.

    offer: the model behind it; None for a researcher that code installs.
    """

    name: str
    label: str
    language_model: bool
    offer: Offer | None = None


def make_researcher(run: Run) -> Researcher:
    """A fresh one for this run; raises BadInput where it may not be had now."""
    factory = RESEARCHERS.get(run.researcher)
    if factory is not None:
        return Researcher(factory())
    equipped = equip(run.organization, run.researcher)
    limits = replace(LIMITS, **equipped.changes)
    return Researcher(equipped.model, limits, equipped.key_type)


def offered_researchers(organization: Organization) -> list[OfferedResearcher]:
    """Those that a run can be started with now: extractive first."""
    installed = [
        OfferedResearcher(name, _LABELS.get(name, name), bool(is_language_model(name)))
        for name in RESEARCHERS
    ]
    chosen = [offer for offer in offers(organization) if offer.name not in RESEARCHERS]
    return installed + [
        OfferedResearcher(offer.name, _label(offer), language_model=True, offer=offer)
        for offer in chosen
    ]


def check_researcher(organization: Organization, name: str) -> None:
    """Raises BadInput where no run can be started with it, with what is to be done."""
    if name in RESEARCHERS:
        return
    try:
        offer_named(organization, name)
    except BadInput as refused:
        message, code = refused.message, refused.code
        raise BadInput(message, code=code, field="researcher") from refused


def is_language_model(name: str) -> bool | None:
    """Whether the researcher is one; None where nobody here knows it.

    Asks for no key and makes no client, so that pages of old runs can ask.
    """
    if name == EXTRACTIVE:
        return False
    if name in RESEARCHERS:
        return RESEARCHERS[name]().profile.language_model
    return True if known_offer(name) else None


def _label(offer: Offer) -> str:
    return f"{offer.name}: {offer.model}, {Provider(offer.provider).label}"
