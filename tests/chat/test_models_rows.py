"""What an operator can and cannot write into the rows about models."""

import json
from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from accounts.errors import BadInput, Conflict, NotAllowed
from accounts.models import AuditEntry
from chat.models import AgentSettings, ModelChoice, ModelPolicy
from chat.services.change_row import change_row
from tests.factories.accounts import Cast, make_cast
from tests.factories.chat import change_settings, offer_model, operator, set_policy

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast()


def test_without_a_row_the_defaults_hold() -> None:
    settings = AgentSettings.current()
    assert settings._state.adding
    assert settings.search_version == "web_search_20250305"
    assert (settings.search_max_uses, settings.iterations) == (5, 12)
    assert (settings.max_output_tokens, settings.cost_cap) == (16_384, None)
    assert not settings.dynamic_filtering
    assert not settings.disable_parallel_tool_use


def test_there_is_one_row_of_settings() -> None:
    row = change_settings(iterations=20)
    assert AgentSettings.current().iterations == 20
    with pytest.raises(Conflict):
        change_row(by=operator(), row=AgentSettings())
    with pytest.raises(IntegrityError), transaction.atomic():
        AgentSettings.objects.create(id=2, changed_by=row.changed_by)


@pytest.mark.row("A1")
@pytest.mark.parametrize(
    "changes",
    [
        {"search_version": "web_search"},
        {"search_version": "web_fetch_20250910"},
        {"search_version": ""},
        {"dynamic_filtering": True},
        {"search_max_uses": 0},
        {"iterations": 0},
        {"max_output_tokens": 0},
        {"cost_cap": Decimal(0)},
        {"cost_cap": Decimal(-1)},
    ],
)
def test_what_no_search_and_no_run_could_have_is_refused(
    changes: dict[str, object],
) -> None:
    with pytest.raises(BadInput):
        change_settings(**changes)
    assert not AgentSettings.objects.exists()


def test_a_newer_search_may_be_filtered_by_code() -> None:
    row = change_settings(search_version="web_search_20260318", dynamic_filtering=True)
    assert row.server_search().dynamic_filtering


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"name": "extractive"}, "without a model"),
        ({"name": "Two Words"}, "lower-case"),
        ({"provider": "clippy"}, "not a valid choice"),
        ({"provider": "openai_compatible", "window": 8192}, "where this endpoint is"),
        ({"provider": "openrouter", "model": "m/x:online"}, "searches the web unasked"),
        ({"provider": "ollama", "model": "qwen3"}, "how many tokens this server holds"),
        ({"base_url": "ftp://models.example.org"}, "no http or https address"),
        ({"base_url": "models.example.org"}, "no http or https address"),
        ({"base_url": "http://10.0.0.7:99999"}, "no http or https address"),
        ({"base_url": "https://u:hushed@m.example.org"}, "keys are never kept here"),
        ({"base_url": "https://m.example.org?key=x"}, "keys are never kept here"),
        ({"base_url": "https://m.example.org/v1/"}, "Leave out /v1"),
        ({"base_url": "https://openrouter.ai/api"}, "or no policy holds"),
        ({"provider": "vllm", "base_url": "https://EU.OpenRouter.ai."}, "no policy"),
        ({"window": 1000, "max_output": 1000}, "shorter than the window"),
        ({"model": " "}, "Name the model"),
    ],
)
def test_a_choice_that_could_not_be_asked_is_refused(
    fields: dict[str, object], words: str
) -> None:
    with pytest.raises(BadInput, match=words):
        offer_model(**{"name": "local", **fields})
    assert not ModelChoice.objects.exists()


@pytest.mark.parametrize(
    "address", ["http://10.0.0.7:11434/v1", "http://ollama:11434/v1", "http://[::1]/v1"]
)
def test_a_server_of_ones_own_may_have_a_private_address(address: str) -> None:
    row = offer_model("local", provider="ollama", base_url=address, window=32_768)
    assert row.base_url == address


def test_the_database_refuses_what_a_form_would(cast: Cast) -> None:
    for fields in (
        {"name": "extractive", "provider": "anthropic"},
        {"name": "a", "provider": "clippy"},
        {"name": "b", "provider": "openai_compatible"},
        {"name": "c", "provider": "openrouter", "model": "m/x:online"},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            ModelChoice.objects.create(changed_by=cast.ada, **fields)


def test_a_name_is_offered_once(cast: Cast) -> None:
    offer_model("sonnet")
    twin = ModelChoice(name="sonnet", provider="anthropic", model="claude-opus-5")
    with pytest.raises(Conflict, match="offered already"):
        change_row(by=operator(), row=twin)


def test_without_a_policy_all_is_allowed_and_nothing_is_kept(cast: Cast) -> None:
    policy = ModelPolicy.of(cast.organization)
    assert policy.allows("anything", "any/model")
    assert (policy.data_collection, policy.zero_data_retention) == ("deny", False)


def test_a_policy_names_models_or_offers_a_line_each(cast: Cast) -> None:
    set_policy(cast.organization, allowed_models="sonnet\n\n  qwen/qwen3 \r\n")
    policy = ModelPolicy.of(cast.organization)
    assert policy.allows("sonnet", "claude-sonnet-5-5")
    assert policy.allows("local", "qwen/qwen3")
    assert not policy.allows("local", "qwen")
    assert ModelPolicy.of(cast.other_organization).allows("local", "qwen")


def test_a_policy_of_endless_lines_is_refused(cast: Cast) -> None:
    for text in ("model\n" * 201, "m" * 121):
        with pytest.raises(BadInput, match="are the most"):
            set_policy(cast.organization, allowed_models=text)


def test_each_change_says_who_and_when_and_what(cast: Cast) -> None:
    change_settings(iterations=20)
    change_settings(iterations=30, cost_cap=Decimal("1.50"))
    set_policy(cast.organization, allowed_models="sonnet")
    assert AgentSettings.current().changed_by == operator()
    entries = AuditEntry.objects.filter(action="agent_settings.changed").order_by("pk")
    told = [json.loads(entry.detail) for entry in entries]
    assert [each["iterations"] for each in told] == [20, 30]
    assert told[1]["cost_cap"] == "1.50"
    entry = AuditEntry.objects.get(action="model_policy.changed")
    assert (entry.organization, entry.actor) == (cast.organization, operator())


def test_only_an_operator_changes_them(cast: Cast) -> None:
    with pytest.raises(NotAllowed):
        change_row(by=cast.ada, row=AgentSettings())
    assert not AgentSettings.objects.exists()


def test_a_row_is_checked_wherever_it_is_made(cast: Cast) -> None:
    with pytest.raises(ValidationError):
        AgentSettings(dynamic_filtering=True, changed_by=cast.ada).full_clean()
