"""Who may read: listed for the organization, chosen by name, refused by name."""

from typing import Any

import pytest

from accounts.models import Feature, Scope
from chat.models import Provider
from research.models import Case, Run, Snapshot
from tests.factories.accounts import Cast, enable
from tests.factories.chat import offer_local_model, set_policy
from tests.research.api.clients import Api, problem

SUBJECT = {"subject": "pkg:pypi/bleach"}


@pytest.fixture(autouse=True)
def keys(settings: Any) -> None:
    """No key of the person who runs the tests."""
    settings.PROVIDER_KEYS = dict.fromkeys(settings.PROVIDER_KEYS, "")


def listed(api: Api) -> dict[str, Any]:
    items = api.read("researchers").json()["items"]
    return {item["name"]: item for item in items}


def test_without_a_model_there_is_the_extractive_one(ada: Api) -> None:
    (only,) = ada.read("researchers").json()["items"]
    assert (only["name"], only["language_model"]) == ("extractive", False)
    nowhere = [only["provider"], only["model"], only["sends_to"]]
    assert nowhere == [None, None, None]


def test_an_offered_model_says_whose_it_is_and_where_documents_go(ada: Api) -> None:
    offer_local_model("tide", base_url="http://10.0.0.7:11434/v1")
    assert list(listed(ada)) == ["extractive", "tide"]
    assert listed(ada)["tide"] == {
        "name": "tide",
        "label": "tide: tide:8b, Ollama",
        "language_model": True,
        "provider": "ollama",
        "model": "tide:8b",
        "sends_to": "Ollama at 10.0.0.7:11434",
        "web_search": False,
    }


def test_a_key_offers_its_provider_and_no_key_does_not(ada: Api, settings: Any) -> None:
    assert "anthropic" not in listed(ada)
    settings.PROVIDER_KEYS = {**settings.PROVIDER_KEYS, "anthropic": "a key"}
    found = ada.read("researchers")
    assert "anthropic" in [item["name"] for item in found.json()["items"]]
    assert b"a key" not in found.content


def test_the_provider_s_own_search_is_told_where_it_would_be_attached(
    ada: Api, cast: Cast, settings: Any
) -> None:
    settings.PROVIDER_KEYS = {**settings.PROVIDER_KEYS, "anthropic": "a key"}
    offer_local_model("tide")
    assert not listed(ada)["anthropic"]["web_search"]
    enable(cast.organization, Feature.SERVER_WEB_SEARCH)
    assert listed(ada)["anthropic"]["web_search"]
    assert not listed(ada)["tide"]["web_search"]


def test_a_policy_holds_for_its_own_organization_alone(
    ada: Api, cy: Api, cast: Cast
) -> None:
    offer_local_model("tide")
    set_policy(cast.organization, allowed_models="another")
    assert "tide" not in listed(ada)
    assert "tide" in listed(cy)


def test_to_list_them_takes_the_scope_to_read(cast: Cast) -> None:
    program = Api(cast.actor(cast.ada), [Scope.RUN])
    problem(program.read("researchers"), 403, "not_allowed")


def test_a_run_carries_the_reader_that_was_chosen(ada: Api) -> None:
    offer_local_model("tide")
    response = ada.send("runs", {**SUBJECT, "researcher": "tide"})
    assert response.status_code == 202
    expected = {"name": "tide", "language_model": True}
    assert response.json()["researcher"] == expected
    assert Run.objects.get().researcher == "tide"


def test_a_form_chooses_alike(ada: Api) -> None:
    offer_local_model("tide")
    assert ada.send_form("runs", {**SUBJECT, "researcher": "tide"}).status_code == 202
    assert Run.objects.get().researcher == "tide"


def test_without_a_choice_the_extractive_one_reads(ada: Api) -> None:
    offer_local_model("tide")
    ada.send("runs", SUBJECT)
    assert Run.objects.get().researcher == "extractive"


@pytest.mark.parametrize(
    "name", ["nobody", "", "x" * 101, "Extractive", "extractive\0", 7, None, ["tide"]]
)
def test_a_name_that_is_none_is_refused_at_its_field_and_nothing_is_written(
    ada: Api, name: Any
) -> None:
    response = ada.send("runs", {**SUBJECT, "researcher": name})
    assert response.status_code == 400, response.content
    assert "researcher" in response.json()["errors"]
    for model in (Case, Run, Snapshot):
        assert not model.objects.exists()


def test_a_model_that_a_policy_leaves_out_is_refused(ada: Api, cast: Cast) -> None:
    offer_local_model("tide")
    set_policy(cast.organization, allowed_models="another")
    response = ada.send("runs", {**SUBJECT, "researcher": "tide"})
    found = problem(response, 400, "model_not_allowed")
    assert "researcher" in found["errors"]


def test_a_model_whose_key_is_missing_is_refused(ada: Api) -> None:
    offer_local_model("claude", provider=Provider.ANTHROPIC, model="claude-haiku-5-5")
    response = ada.send("runs", {**SUBJECT, "researcher": "claude"})
    problem(response, 400, "key_missing")
    assert not Run.objects.exists()


@pytest.mark.parametrize("names", ["nobody", ["tide", "extractive"]])
def test_a_form_is_refused_alike_also_for_two_names(ada: Api, names: Any) -> None:
    offer_local_model("tide")
    response = ada.send_form("runs", {**SUBJECT, "researcher": names})
    assert response.status_code == 400
    assert "researcher" in response.json()["errors"]
    assert not Run.objects.exists()
