"""The admin site's pages about models, as an operator uses them."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry
from chat.models import AgentSettings, ModelChoice, ModelPolicy
from tests.factories.accounts import make_cast, make_user
from tests.factories.chat import offer_model, operator

pytestmark = pytest.mark.django_db
SETTINGS = {
    "search_version": "web_search_20250305",
    "search_max_uses": "5",
    "iterations": "12",
    "max_output_tokens": "16384",
}
CHOICE = {"name": "sonnet", "provider": "anthropic", "model": "claude-sonnet-5-5"}


@pytest.fixture
def site(client: Client) -> Client:
    client.force_login(operator())
    return client


def page(model: Any, name: str, *args: object) -> str:
    return reverse(f"admin:chat_{model._meta.model_name}_{name}", args=args)


@pytest.mark.row("A1")
def test_the_search_version_is_changed_in_the_browser(site: Client) -> None:
    assert site.get(page(AgentSettings, "add")).status_code == 200
    site.post(page(AgentSettings, "add"), SETTINGS)
    row = AgentSettings.objects.get()
    change = page(AgentSettings, "change", row.pk)
    assert "root@models.example.org" in site.get(change).content.decode()
    newer = {**SETTINGS, "search_version": "web_search_20260209"}
    assert site.post(change, newer).status_code == 302
    assert AgentSettings.current().search_version == "web_search_20260209"
    assert AuditEntry.objects.filter(action="agent_settings.changed").count() == 2


def test_there_is_no_second_row_of_settings_to_add(site: Client) -> None:
    site.post(page(AgentSettings, "add"), SETTINGS)
    assert site.get(page(AgentSettings, "add")).status_code == 403


def test_what_cannot_be_is_said_on_the_form(site: Client) -> None:
    wrong = {**SETTINGS, "dynamic_filtering": "on"}
    answer = site.post(page(AgentSettings, "add"), wrong)
    assert "has no dynamic filtering" in answer.content.decode()
    assert not AgentSettings.objects.exists()
    taken = {**CHOICE, "name": "extractive"}
    answer = site.post(page(ModelChoice, "add"), taken)
    assert "without a model" in answer.content.decode()


def test_a_choice_keeps_its_name_and_is_disabled_never_deleted(site: Client) -> None:
    site.post(page(ModelChoice, "add"), {**CHOICE, "enabled": "on"})
    row = ModelChoice.objects.get()
    change = page(ModelChoice, "change", row.pk)
    site.post(change, {**CHOICE, "name": "opus"})
    row.refresh_from_db()
    assert (row.name, row.enabled) == ("sonnet", False)
    assert site.post(page(ModelChoice, "delete", row.pk)).status_code == 403


def test_a_policy_is_written_for_one_organization(site: Client) -> None:
    cast = make_cast()
    fields = {
        "organization": cast.organization.pk,
        "allowed_models": "sonnet",
        "data_collection": "deny",
    }
    site.post(page(ModelPolicy, "add"), fields)
    row = ModelPolicy.objects.get()
    other = {**fields, "organization": cast.other_organization.pk}
    site.post(page(ModelPolicy, "change", row.pk), other)
    row.refresh_from_db()
    assert row.organization == cast.organization


@pytest.mark.parametrize("model", [AgentSettings, ModelChoice, ModelPolicy])
def test_every_list_opens_and_for_operators_alone(site: Client, model: Any) -> None:
    offer_model("sonnet")
    assert site.get(page(model, "changelist")).status_code == 200
    staff = make_user("staff@example.org")
    staff.is_staff = True
    staff.save()
    site.force_login(staff)
    assert site.get(page(model, "changelist")).status_code == 403
