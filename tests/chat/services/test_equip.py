"""What a model is equipped with, seen in what it sends."""

from collections.abc import Callable, Iterator
from contextlib import closing
from decimal import Decimal
from typing import Any

import pytest

from accounts.errors import BadInput
from accounts.models import Feature, KeyType, Organization
from accounts.price_row import PriceRow, Rates
from accounts.services import import_prices, set_platform_switch
from chat import engine
from chat.providers.price_table import READ
from chat.services.equip import Equipped, equip
from tests.chat.services.keys import ALL_KEYS
from tests.factories.accounts import Cast, enable
from tests.factories.chat import change_settings, offer_model, operator, set_policy
from tests.fakes.model_server import ModelServer, Reply, say, serving, wire
from tests.fakes.model_server.chat.dialects import VLLM
from tests.fakes.model_server.chat.replies import chat

pytestmark = pytest.mark.django_db
LOOKUP = engine.Tool(
    "lookup",
    "Look something up.",
    {"properties": {}, "additionalProperties": False},
    lambda arguments: engine.ToolResult("Nothing."),
    idempotent=True,
)
Body = dict[str, Any]


@pytest.fixture
def cast(cast: Cast) -> Cast:
    enable(cast.organization, Feature.SERVER_WEB_SEARCH)
    return cast


def answer(request: Any) -> Reply:
    """What either kind of endpoint says."""
    return chat("Yes.") if "chat" in request.path else say("Yes.")


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with wire(answer) as serving:
        yield serving


@pytest.fixture
def sent(server: ModelServer) -> Callable[..., Body]:
    """The body that a model of this name sends in an ordinary turn, or a last one."""

    def send(
        organization: Organization, name: str, *, last: bool = False, **options: Any
    ) -> Body:
        with closing(equip(organization, name, **options)) as equipped:
            ask(equipped, last=last)
        body: Body = server.seen[-1].body
        return body

    return send


def ask(equipped: Equipped, *, last: bool = False) -> engine.ModelReply:
    request = engine.ModelRequest(
        engine.Task("Is it so?"),
        (engine.Message.user("Is it so?"),),
        tools=() if last else (LOOKUP,),
        declared=(LOOKUP,),
        max_output_tokens=equipped.changes["max_output_tokens"],
        disable_parallel_tool_use=equipped.changes["disable_parallel_tool_use"],
        timeout_s=20.0,
        closing=last,
    )
    return equipped.model.complete(request)


def serve_both(server: ModelServer) -> None:
    offer_model("anthropic", base_url=server.base_url)
    offer_model(
        "openrouter",
        provider="openrouter",
        model="anthropic/claude-sonnet-5.5",
        base_url=f"{server.base_url}/api/v1",
    )


def searches(body: Body) -> list[str]:
    """The types of the tools that a provider would run itself."""
    types = [tool.get("type", "") for tool in body.get("tools", [])]
    return [kind for kind in types if "web_search" in kind]


@pytest.mark.row("A1")
def test_the_search_is_the_one_of_the_settings(
    cast: Cast, server: ModelServer, sent: Callable[..., Body]
) -> None:
    serve_both(server)
    body = sent(cast.organization, "anthropic")
    (tool,) = [tool for tool in body["tools"] if tool["name"] == "web_search"]
    assert (tool["type"], tool["max_uses"]) == ("web_search_20250305", 5)
    change_settings(search_version="web_search_20260209", search_max_uses=3)
    body = sent(cast.organization, "anthropic")
    (tool,) = [tool for tool in body["tools"] if tool["name"] == "web_search"]
    assert (tool["type"], tool["max_uses"]) == ("web_search_20260209", 3)
    assert tool["allowed_callers"] == ["direct"]
    body = sent(cast.organization, "openrouter")
    (tool,) = [tool for tool in body["tools"] if tool["type"] != "function"]
    assert tool["type"] == "openrouter:web_search"
    assert tool["parameters"]["max_total_results"] == 15


@pytest.mark.row("A1")
@pytest.mark.parametrize("name", ["anthropic", "openrouter"])
def test_a_judge_an_extraction_and_a_title_are_asked_without_the_search(
    cast: Cast, server: ModelServer, sent: Callable[..., Body], name: str
) -> None:
    serve_both(server)
    assert searches(sent(cast.organization, name)) != []
    assert searches(sent(cast.organization, name, search=False)) == []


@pytest.mark.row("A1")
@pytest.mark.parametrize("name", ["anthropic", "openrouter"])
def test_a_last_turn_is_asked_without_the_search_that_its_model_has(
    cast: Cast, server: ModelServer, sent: Callable[..., Body], name: str
) -> None:
    serve_both(server)
    assert searches(sent(cast.organization, name, last=True)) == []


@pytest.mark.row("A1")
def test_without_the_feature_nobody_searches(
    cast: Cast, server: ModelServer, sent: Callable[..., Body]
) -> None:
    serve_both(server)
    assert searches(sent(cast.other_organization, "anthropic")) == []
    set_platform_switch(by=operator(), feature="server_web_search", off=True)
    for name in ("anthropic", "openrouter"):
        assert searches(sent(cast.organization, name)) == []


@pytest.fixture
def own() -> Iterator[ModelServer]:
    """A server of the operator's own, which knows the endpoints' token alone."""
    token = ALL_KEYS["endpoint"]
    with serving(ModelServer(answer, dialect=VLLM, keys=(token,))) as server:
        yield server
    server.check()


def serve_own(server: ModelServer, provider: str) -> None:
    address = f"{server.base_url}/v1"
    offer_model("own", provider=provider, model="m", base_url=address, window=32_768)


@pytest.mark.parametrize("provider", ["vllm", "openai_compatible"])
def test_a_server_of_ones_own_has_no_search_and_gets_the_endpoints_token(
    cast: Cast, own: ModelServer, provider: str
) -> None:
    serve_own(own, provider)
    with closing(equip(cast.organization, "own")) as equipped:
        ask(equipped)
    (request,) = own.seen
    assert searches(request.body) == []
    assert "provider" not in request.body
    assert request.headers["authorization"] == f"Bearer {ALL_KEYS['endpoint']}"
    assert equipped.key_type == KeyType.PLATFORM


def test_without_a_key_none_is_sent_and_none_is_said_to_pay(
    cast: Cast, own: ModelServer, settings: Any
) -> None:
    settings.PROVIDER_KEYS["endpoint"] = ""
    serve_own(own, "vllm")
    with closing(equip(cast.organization, "own")) as equipped:
        ask(equipped)
    assert "authorization" not in own.seen[0].headers
    assert equipped.key_type == KeyType.NONE


def test_the_policy_chooses_among_the_providers_of_openrouter(
    cast: Cast, server: ModelServer, sent: Callable[..., Body]
) -> None:
    serve_both(server)
    body = sent(cast.organization, "openrouter")
    assert body["provider"] == {"data_collection": "deny"}
    set_policy(cast.organization, data_collection="allow", zero_data_retention=True)
    body = sent(cast.organization, "openrouter")
    assert body["provider"] == {"data_collection": "allow", "zdr": True}


def limits_of(organization: Organization, name: str) -> engine.Limits:
    with closing(equip(organization, name)) as equipped:
        return engine.Limits(**equipped.changes)


def price_of_a_million(organization: Organization) -> Decimal | None:
    with closing(equip(organization, "anthropic")) as equipped:
        return equipped.model.price(engine.Usage(input_tokens=1_000_000))


@pytest.mark.row("A6")
def test_the_limits_are_those_of_the_settings(cast: Cast) -> None:
    limits = limits_of(cast.organization, "anthropic")
    assert (limits.iterations, limits.max_output_tokens) == (12, 16_384)
    assert (limits.cost, limits.model_timeout_s) == (None, 600.0)
    change_settings(
        iterations=7,
        max_output_tokens=4_000,
        cost_cap=Decimal("2.50"),
        disable_parallel_tool_use=True,
    )
    limits = limits_of(cast.organization, "anthropic")
    assert (limits.iterations, limits.max_output_tokens) == (7, 4_000)
    assert (limits.cost, limits.disable_parallel_tool_use) == (Decimal("2.50"), True)


@pytest.mark.row("A6")
@pytest.mark.parametrize(
    ("window", "max_output", "reply"),
    [(8_192, None, 2_048), (200_000, 4_096, 4_096), (1_000_000, None, 16_384)],
)
def test_a_reply_fits_the_window_and_the_model(
    cast: Cast, window: int, max_output: int | None, reply: int
) -> None:
    offer_model(
        "local", provider="ollama", model="m", window=window, max_output=max_output
    )
    limits = limits_of(cast.organization, "local")
    assert (limits.max_output_tokens, limits.window) == (reply, window)


def test_prices_are_the_imported_ones_above_the_built_in(cast: Cast) -> None:
    assert price_of_a_million(cast.organization) == Decimal(2)
    rates = Rates(Decimal(7), Decimal(9))
    row = PriceRow("claude-sonnet-5-5", READ, rates, source="a contract")
    import_prices(by=operator(), rows=[row], origin="a test")
    assert price_of_a_million(cast.organization) == Decimal(7)


def test_what_cannot_be_made_is_refused_in_words(cast: Cast, settings: Any) -> None:
    settings.PROVIDER_KEYS["anthropic"] = "a key with spaces\nand a line"
    with pytest.raises(BadInput, match="characters that no key has") as refused:
        equip(cast.organization, "anthropic")
    assert refused.value.code == "model_unusable"
