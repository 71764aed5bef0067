"""Makes a model ready to be asked: its key, its search, its prices, its limits.

The clients of providers are imported when one is made, so that nothing else waits for
them: the SDK alone takes most of a second.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from accounts.errors import BadInput
from accounts.models import Feature, KeyType, Organization
from accounts.queries import feature_enabled, price_rows
from chat import engine
from chat.models import AgentSettings, DataCollection, ModelPolicy, Provider
from chat.services.offers import Offer, key_for, offer_named

MODEL_TIMEOUT_S = 600.0
# Of a window that is known: most of a small one stays for what is read.
REPLY_SHARE = 4
RESULTS_A_SEARCH = 5


@dataclass(frozen=True, slots=True)
class Equipped:
    """A model, and what it changes of engine.Limits, by name; whose key pays.

    key_type: of accounts.models.KeyType, NONE where no key is sent.
    """

    model: engine.Model
    changes: Mapping[str, Any]
    key_type: str

    def close(self) -> None:
        """Close the model's connections, unless the client was given."""
        close_model(self.model)


def close_model(model: engine.Model) -> None:
    """Close its connections; a model that has none is left alone."""
    close = getattr(model, "close", None)
    if close is not None:
        close()


def equip(
    organization: Organization,
    name: str,
    *,
    search: bool = True,
    http_client: Any = None,
) -> Equipped:
    """Make the model that is offered under a name; to be closed.

    search: whether the provider may search the web, where the organization has the
    feature for it; False for judges, extraction, finalizers and titles. http_client: of
    the provider's own library, closed by whoever made it. Raises BadInput.
    """
    offer = offer_named(organization, name)
    chosen = AgentSettings.current()
    searches = search and feature_enabled(organization, Feature.SERVER_WEB_SEARCH)
    make = _anthropic if offer.provider == Provider.ANTHROPIC else _compatible
    try:
        model = make(organization, offer, chosen if searches else None, http_client)
        changes = _changes(offer, chosen)
    except engine.ConfigurationError as refused:
        message = f"The model {name!r} cannot be asked: {refused}"
        raise BadInput(message, code="model_unusable") from refused
    key = key_for(offer.provider)
    return Equipped(model, changes, KeyType.PLATFORM if key else KeyType.NONE)


def _anthropic(
    organization: Organization, offer: Offer, chosen: AgentSettings | None, client: Any
) -> engine.Model:
    """chosen: with the search as set, None for a model that does not search."""
    from chat.providers.anthropic import AnthropicModel
    from chat.toolset import CITED_TOOLS

    return AnthropicModel(
        offer.model,
        api_key=key_for(offer.provider),
        base_url=offer.base_url or None,
        http_client=client,
        search=chosen.server_search() if chosen else None,
        prices=_prices(),
        cited_tools=CITED_TOOLS,
    )


def _compatible(
    organization: Organization, offer: Offer, chosen: AgentSettings | None, client: Any
) -> engine.Model:
    """chosen: as above; OpenRouter alone searches, by its own tool."""
    from chat.providers.openai_compatible import OpenAICompatibleModel

    router = offer.provider == Provider.OPENROUTER
    named = offer.provider != Provider.OPENAI_COMPATIBLE
    return OpenAICompatibleModel(
        offer.model,
        api_key=key_for(offer.provider),
        base_url=offer.base_url or None,
        preset=offer.provider if named else None,
        http_client=client,
        search=_router_search(chosen) if router and chosen else None,
        routing=_routing(organization) if router else None,
        prices=_prices(),
        window=offer.window,
        max_output=offer.max_output,
    )


def _router_search(chosen: AgentSettings) -> Any:
    from chat.providers.openai_compatible.search import WebSearchTool

    return WebSearchTool(
        max_results=RESULTS_A_SEARCH,
        max_total_results=RESULTS_A_SEARCH * chosen.search_max_uses,
    )


def _routing(organization: Organization) -> Any:
    """The organization's policy, as OpenRouter takes it."""
    from chat.providers.openai_compatible.routing import Routing

    policy = ModelPolicy.of(organization)
    denied = policy.data_collection != DataCollection.ALLOW
    return Routing(
        data_collection="deny" if denied else "allow",
        zdr=policy.zero_data_retention or None,
    )


def _prices() -> Any:
    """The imported prices above the built-in ones, read once for this model."""
    from chat.providers.prices import PRICES, cost

    return partial(cost, rows=price_rows(PRICES))


def _changes(offer: Offer, chosen: AgentSettings) -> dict[str, Any]:
    """Checked here, so that what no run could have is refused before one begins."""
    able = [chosen.max_output_tokens, offer.max_output, _share(offer.window)]
    changes: dict[str, Any] = {
        "iterations": chosen.iterations,
        "max_output_tokens": min(figure for figure in able if figure),
        "disable_parallel_tool_use": chosen.disable_parallel_tool_use,
        "cost": chosen.cost_cap,
        "model_timeout_s": MODEL_TIMEOUT_S,
        "window": offer.window,
    }
    engine.Limits(**changes)
    return changes


def _share(window: int | None) -> int | None:
    return max(1, window // REPLY_SHARE) if window else None
