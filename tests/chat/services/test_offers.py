"""Which models can be chosen, and what is said of one that cannot."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from accounts.errors import BadInput
from accounts.models import Organization
from chat.services.offers import Offer, known_offer, offer_named, offers
from tests.chat.services.keys import NO_KEYS
from tests.factories.accounts import Cast
from tests.factories.chat import offer_model, set_policy

pytestmark = pytest.mark.django_db
STARTED = """
import sys
import django
django.setup()
from django.conf import settings
from django.db import connection
from accounts.models import Organization
from chat.models import ModelChoice, ModelPolicy
from chat.services.offers import offers
from research.services.researchers import offered_researchers
settings.PROVIDER_KEYS["anthropic"] = "a-key"
connection.disable_constraint_checking()
with connection.schema_editor() as editor:
    for model in (Organization, ModelChoice, ModelPolicy):
        editor.create_model(model)
assert [each.name for each in offers(Organization(pk=1))] == ["anthropic"]
assert len(offered_researchers(Organization(pk=1))) == 2
clients = ("anthropic", "httpx2", "chat.providers.openai_compatible")
print([name for name in clients if name in sys.modules])
"""


def names(organization: Organization) -> list[str]:
    return [offer.name for offer in offers(organization)]


def refused(organization: Organization, name: str) -> BadInput:
    with pytest.raises(BadInput) as caught:
        offer_named(organization, name)
    return caught.value


def test_a_key_offers_its_model_without_any_row(cast: Cast, settings: Any) -> None:
    assert names(cast.organization) == ["anthropic", "openrouter"]
    settings.PROVIDER_KEYS["openrouter"] = ""
    assert names(cast.organization) == ["anthropic"]
    (offer,) = offers(cast.organization)
    assert (offer.provider, offer.model) == ("anthropic", "claude-sonnet-5-5")


def test_without_a_key_there_is_nothing_and_it_is_said_which(
    cast: Cast, settings: Any
) -> None:
    settings.PROVIDER_KEYS = dict(NO_KEYS)
    assert names(cast.organization) == []
    missing = refused(cast.organization, "openrouter")
    assert missing.code == "key_missing"
    assert "set OPENROUTER_API_KEY" in missing.message


def test_a_server_of_ones_own_needs_no_key(cast: Cast, settings: Any) -> None:
    settings.PROVIDER_KEYS = dict(NO_KEYS)
    offer_model("local", provider="ollama", model="qwen3", window=32_768)
    assert offers(cast.organization) == [
        Offer("local", "ollama", "qwen3", window=32_768)
    ]


def test_a_row_takes_the_place_of_the_built_in_one(cast: Cast) -> None:
    offer_model("anthropic", model="claude-opus-5-5", base_url="https://gw.example.org")
    offer = offer_named(cast.organization, "anthropic")
    assert (offer.model, offer.base_url) == (
        "claude-opus-5-5",
        "https://gw.example.org",
    )
    assert names(cast.organization) == ["anthropic", "openrouter"]


def test_a_disabled_row_is_offered_to_nobody(cast: Cast) -> None:
    offer_model("anthropic", enabled=False)
    assert names(cast.organization) == ["openrouter"]
    assert refused(cast.organization, "anthropic").code == "researcher_unknown"


@pytest.mark.parametrize(
    "name", ["nobody", "", "a\0b", "\ud800", "Two Words", "x" * 999]
)
def test_a_name_that_nothing_has_is_refused(cast: Cast, name: str) -> None:
    unknown = refused(cast.organization, name)
    assert unknown.code == "researcher_unknown"
    assert "choose another" in unknown.message
    assert len(unknown.message) < 500
    assert not known_offer(name)


def test_a_policy_holds_for_its_organization_alone(cast: Cast) -> None:
    set_policy(cast.organization, allowed_models="anthropic/claude-sonnet-5.5")
    assert names(cast.organization) == ["openrouter"]
    assert names(cast.other_organization) == ["anthropic", "openrouter"]
    forbidden = refused(cast.organization, "anthropic")
    assert forbidden.code == "model_not_allowed"
    assert "policy" in forbidden.message


def test_a_model_is_known_after_its_key_and_its_leave_are_gone(settings: Any) -> None:
    settings.PROVIDER_KEYS = dict(NO_KEYS)
    offer_model("sonnet", enabled=False)
    assert known_offer("sonnet")
    assert known_offer("anthropic")
    assert not known_offer("opus")


def test_neither_starting_nor_offering_waits_for_a_client(tmp_path: Path) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(Path(__file__).parents[3]),
        "DJANGO_SETTINGS_MODULE": "research.settings",
        "WEIGHHOUSE_DATA_DIR": str(tmp_path),
        "DATABASE_URL": "sqlite://:memory:",
    }
    done = subprocess.run(
        [sys.executable, "-c", STARTED],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout.strip(), done.returncode) == ("[]", 0), done.stderr
