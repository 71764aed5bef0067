"""The admin site, as an operator uses it."""

import json
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth import authenticate
from django.test import Client
from django.urls import reverse

from accounts.models import (
    ApiToken,
    AuditEntry,
    Feature,
    Membership,
    Organization,
    OrganizationFeature,
    PlatformSwitch,
    Role,
    User,
)
from accounts.queries import feature_enabled
from accounts.services import issue_token, record_usage
from tests.factories.accounts import PASSWORD, Cast, enable, make_cast, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast()


@pytest.fixture
def operator() -> User:
    return make_user("root@example.org", superuser=True)


@pytest.fixture
def site(operator: User) -> Client:
    client = Client()
    client.force_login(operator)
    return client


def url(model: str, page: str, *args: Any) -> str:
    return reverse(f"admin:accounts_{model}_{page}", args=args)


def organization_form(
    cast: Cast,
    members: list[dict[str, Any]] | None = None,
    features: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """What a browser would post: the rows named, those with an id first."""
    data: dict[str, Any] = {"name": cast.organization.name}
    for prefix, rows in (("memberships", members or []), ("features", features or [])):
        data[f"{prefix}-TOTAL_FORMS"] = len(rows)
        data[f"{prefix}-INITIAL_FORMS"] = sum("id" in row for row in rows)
        for number, row in enumerate(rows):
            named = {"organization": cast.organization.pk, **row}
            data.update({f"{prefix}-{number}-{key}": named[key] for key in named})
    return data


def row_of(user: User, **changes: Any) -> dict[str, Any]:
    row = Membership.objects.get(user=user)
    return {"id": row.pk, "user": user.pk, "role": row.role, **changes}


def post_organization(site: Client, cast: Cast, **rows: Any) -> str:
    """Post the change form; the text of the page that follows."""
    page = url("organization", "change", cast.organization.pk)
    answer = site.post(page, organization_form(cast, **rows), follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_every_list_opens(site: Client, cast: Cast) -> None:
    issue_token(by=cast.actor(cast.ada), name="ci", scopes=["read"])
    enable(cast.organization, Feature.CHAT)
    record_usage(
        organization=cast.organization,
        usage_source="chat",
        purpose="loop",
        key_type="none",
        model="extractive",
        counts=None,
        cost=None,
    )
    models = [m for m in admin.site._registry if m._meta.app_label == "accounts"]
    assert len(models) == 7
    for model in models:
        name = model._meta.model_name or ""
        assert site.get(url(name, "changelist")).status_code == 200
        row = model._default_manager.first()
        if row is not None:
            assert site.get(url(name, "change", row.pk)).status_code == 200


def test_staff_who_are_no_superusers_see_nothing(cast: Cast) -> None:
    User.objects.filter(pk=cast.ben.pk).update(is_staff=True)
    client = Client()
    client.force_login(User.objects.get(pk=cast.ben.pk))

    for name in ("user", "organization", "platformswitch", "apitoken", "auditentry"):
        assert client.get(url(name, "changelist")).status_code == 403
    assert client.get(url("user", "change", cast.ada.pk)).status_code == 403


def test_a_user_is_made_and_signs_in(site: Client, operator: User) -> None:
    phrase = "seven grey herons wade"
    answer = site.post(
        url("user", "add"),
        {
            "email": "New@Example.org",
            "name": "New",
            "usable_password": "true",
            "password1": phrase,
            "password2": phrase,
        },
    )

    assert answer.status_code == 302
    made = authenticate(username="new@example.org", password=phrase)
    assert made is not None
    entry = AuditEntry.objects.get(action="user.created")
    assert (entry.actor, entry.target) == (operator, f"user:{made.pk}")
    assert phrase not in entry.detail


def test_a_users_password_is_changed_and_its_hash_not_shown(
    site: Client, cast: Cast
) -> None:
    page = reverse("admin:auth_user_password_change", args=[cast.mia.pk])
    assert site.get(page).status_code == 200
    phrase = "four red kites circle"
    data = {"usable_password": "true", "password1": phrase, "password2": phrase}

    assert site.post(page, data).status_code == 302
    assert authenticate(username="mia@example.org", password=phrase) == cast.mia
    shown = site.get(url("user", "change", cast.mia.pk)).content.decode()
    stored = User.objects.get(pk=cast.mia.pk).password
    assert stored not in shown
    entry = AuditEntry.objects.get(action="user.changed")
    assert json.loads(entry.detail)["changed"] == ["password"]
    assert stored not in entry.detail
    assert phrase not in entry.detail


def test_a_user_is_switched_off(site: Client, cast: Cast, operator: User) -> None:
    data = {"email": "mia@example.org", "name": "Mia"}

    assert site.post(url("user", "change", cast.mia.pk), data).status_code == 302
    assert not User.objects.get(pk=cast.mia.pk).is_active
    assert authenticate(username="mia@example.org", password=PASSWORD) is None
    entry = AuditEntry.objects.get(action="user.changed")
    assert (entry.actor, entry.target) == (operator, f"user:{cast.mia.pk}")
    assert json.loads(entry.detail) == {
        "email": "mia@example.org",
        "is_active": False,
        "is_staff": False,
        "is_superuser": False,
        "changed": ["Is active"],
    }


def test_a_user_saved_as_it_was_is_no_change(site: Client, cast: Cast) -> None:
    data = {"email": "mia@example.org", "name": "Mia", "is_active": "on"}

    assert site.post(url("user", "change", cast.mia.pk), data).status_code == 302
    assert not AuditEntry.objects.filter(action="user.changed").exists()


def test_users_are_not_deleted(site: Client, cast: Cast) -> None:
    assert site.get(url("user", "delete", cast.mia.pk)).status_code == 403


def test_an_organization_is_founded_with_its_owner(site: Client, cast: Cast) -> None:
    data = {"name": "Quay", "slug": "quay", "owner": cast.mia.pk}

    assert site.post(url("organization", "add"), data).status_code == 302
    made = Organization.objects.get(slug="quay")
    assert Membership.objects.get(organization=made).user == cast.mia
    assert AuditEntry.objects.for_organization(made).exists()


def test_an_organization_is_renamed_by_the_service(
    site: Client, cast: Cast, operator: User
) -> None:
    post_organization(site, cast)
    assert not AuditEntry.objects.filter(action="organization.renamed").exists()

    page = url("organization", "change", cast.organization.pk)
    site.post(page, {**organization_form(cast), "name": "Quay & Sons"})

    assert Organization.objects.get(pk=cast.organization.pk).name == "Quay & Sons"
    entry = AuditEntry.objects.get(action="organization.renamed")
    assert (entry.actor, entry.organization) == (operator, cast.organization)
    assert json.loads(entry.detail) == {
        "as": "operator",
        "from": "Harbour",
        "to": "Quay & Sons",
    }


def test_members_are_added_changed_and_removed_by_the_services(
    site: Client, cast: Cast, operator: User
) -> None:
    members = [
        row_of(cast.ben, role=Role.OWNER),
        row_of(cast.mia, DELETE="on"),
        {"user": cast.cy.pk, "role": Role.MEMBER},
    ]
    post_organization(site, cast, members=members)

    rows = Membership.objects.for_organization(cast.organization)
    assert dict(rows.values_list("user__email", "role")) == {
        "ada@example.org": "owner",
        "ben@example.org": "owner",
        "cy@example.org": "member",
    }
    entries = AuditEntry.objects.filter(actor=operator, action__startswith="member.")
    assert entries.count() == 3


def test_the_last_owner_stays_and_nothing_is_half_saved(
    site: Client, cast: Cast
) -> None:
    members = [
        {"user": cast.cy.pk, "role": Role.MEMBER},
        row_of(cast.ada, role=Role.MEMBER),
    ]
    page = post_organization(site, cast, members=members[::-1])

    assert "The last owner cannot be demoted" in page
    assert Membership.objects.get(user=cast.ada).role == Role.OWNER
    assert Membership.objects.filter(user=cast.cy).count() == 1


def test_a_membership_does_not_change_hands(site: Client, cast: Cast) -> None:
    swapped = row_of(cast.ada) | {"user": cast.mia.pk}
    Membership.objects.filter(user=cast.mia).delete()
    page = post_organization(site, cast, members=[swapped])

    assert "Add another row" in page
    assert Membership.objects.get(user=cast.ada).role == Role.OWNER


def test_a_feature_is_switched_in_the_operators_name(
    site: Client, cast: Cast, operator: User
) -> None:
    post_organization(site, cast, features=[{"feature": "chat", "enabled": "on"}])

    row = OrganizationFeature.objects.get()
    assert (row.feature, row.enabled, row.changed_by) == ("chat", True, operator)

    post_organization(site, cast, features=[{"id": row.pk, "feature": "chat"}])
    assert not feature_enabled(cast.organization, "chat")


def test_the_kill_switch_is_thrown_and_released(
    site: Client, cast: Cast, operator: User
) -> None:
    enable(cast.organization, Feature.CHAT)
    data = {"feature": "chat", "off": "on", "reason": "incident"}
    assert site.post(url("platformswitch", "add"), data).status_code == 302
    assert not feature_enabled(cast.organization, "chat")

    row = PlatformSwitch.objects.get()
    assert row.changed_by == operator
    site.post(url("platformswitch", "change", row.pk), {"reason": ""})
    assert feature_enabled(cast.organization, "chat")


def test_a_token_is_revoked_and_its_digest_never_shown(
    site: Client, cast: Cast
) -> None:
    token, plain = issue_token(by=cast.actor(cast.ada), name="ci", scopes=["read"])
    pages = [url("apitoken", "changelist"), url("apitoken", "change", token.pk)]
    for page in pages:
        text = site.get(page).content.decode()
        assert token.digest not in text
        assert plain not in text

    site.post(pages[0], {"action": "revoke", "_selected_action": [token.pk]})
    assert ApiToken.objects.get().revoked_at is not None
    assert site.get(url("apitoken", "add")).status_code == 403
    assert site.get(url("apitoken", "delete", token.pk)).status_code == 403


def test_the_audit_trail_is_only_looked_at(site: Client, cast: Cast) -> None:
    entry = AuditEntry.objects.order_by("pk")[0]
    change = url("auditentry", "change", entry.pk)

    assert site.post(change, {"action": "other"}).status_code == 403
    assert site.get(url("auditentry", "delete", entry.pk)).status_code == 403
    assert site.get(url("auditentry", "add")).status_code == 403
