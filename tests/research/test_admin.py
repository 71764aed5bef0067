"""The admin site's part of the product: operators look and change nothing."""

from typing import Any

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from research import models
from tests.factories.accounts import make_cast, make_user
from tests.factories.research import EvidenceRows, make_evidence

pytestmark = pytest.mark.django_db
REGISTERED = sorted(
    (
        model
        for model in admin.site._registry
        if model.__module__.startswith("research")
    ),
    key=lambda model: model.__name__,
)


@pytest.fixture
def rows() -> EvidenceRows:
    cast = make_cast()
    return make_evidence(cast.organization, cast.ada)


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(make_user("root@example.org", superuser=True))
    return client


def page(model: Any, name: str, *args: object) -> str:
    return reverse(f"admin:research_{model._meta.model_name}_{name}", args=args)


@pytest.mark.parametrize("model", REGISTERED)
def test_every_list_and_row_opens_and_none_can_be_written(
    operator: Client, rows: EvidenceRows, model: Any
) -> None:
    assert operator.get(page(model, "changelist")).status_code == 200
    assert operator.get(page(model, "add")).status_code == 403
    row = model.objects.first()
    if row is not None:
        assert operator.get(page(model, "change", row.pk)).status_code == 200
        assert operator.post(page(model, "change", row.pk), {}).status_code == 403
        assert operator.post(page(model, "delete", row.pk), {}).status_code == 403


def test_staff_who_are_no_operators_see_nothing(
    client: Client, rows: EvidenceRows
) -> None:
    staff = make_user("staff@example.org")
    staff.is_staff = True
    staff.save()
    client.force_login(staff)

    assert client.get(page(models.Case, "changelist")).status_code == 403


def test_evidence_and_journal_are_among_what_can_be_looked_at() -> None:
    kept = {models.Snapshot, models.Citation, models.Decision, models.RunEvent}

    assert kept <= set(REGISTERED)
