"""What a call used: unknown is not free."""

from dataclasses import fields, replace
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from accounts.errors import BadInput
from accounts.models import Organization, UsageRecord
from accounts.services import Counts, record_usage
from tests.factories.accounts import make_cast, make_organization

pytestmark = pytest.mark.django_db
USED = Counts(10, 2, 300, 40, 15, searches=1)
COLUMNS = [part.name for part in fields(Counts)]


@pytest.fixture
def organization() -> Organization:
    return make_organization()


def record(organization: Organization, **changes: Any) -> UsageRecord:
    values: dict[str, Any] = {
        "usage_source": "mcp-research",
        "purpose": "loop",
        "key_type": "platform",
        "model": "some-model",
        "counts": USED,
        "cost": Decimal("0.25"),
        "subject_ref": "run_1",
    }
    return record_usage(organization=organization, **{**values, **changes})


def test_an_unknown_cost_is_kept_as_unknown(organization: Organization) -> None:
    unknown, free = (
        record(organization, cost=None),
        record(organization, cost=Decimal()),
    )

    unknown.refresh_from_db()
    free.refresh_from_db()
    assert (unknown.cost, free.cost) == (None, Decimal(0))


def test_a_fraction_of_a_millionth_is_rounded_up(organization: Organization) -> None:
    assert record(organization, cost=Decimal("0.0000001")).cost == Decimal("0.000001")


@pytest.mark.parametrize(
    "changes",
    [
        {"cost": Decimal(-1)},
        {"cost": Decimal("NaN")},
        {"cost": Decimal("Infinity")},
        {"cost": Decimal("100000000")},
        {"purpose": "fun"},
        {"key_type": "mine"},
        {"usage_source": "MCP research"},
        {"usage_source": ""},
        {"model": ""},
        {"subject_ref": "x" * 61},
    ],
)
def test_a_record_that_makes_no_sense_is_refused(
    organization: Organization, changes: dict[str, Any]
) -> None:
    with pytest.raises(BadInput) as refused:
        record(organization, **changes)
    assert refused.value.field in changes
    assert not UsageRecord.objects.exists()


@pytest.mark.parametrize("name", COLUMNS)
def test_no_count_is_less_than_none(organization: Organization, name: str) -> None:
    with pytest.raises(BadInput) as refused:
        record(organization, counts=replace(USED, **{name: -1}))
    assert refused.value.field == name


def test_the_raw_counts_are_kept_apart(organization: Organization) -> None:
    made = record(organization)
    made.refresh_from_db()
    assert [getattr(made, name) for name in COLUMNS] == [10, 2, 300, 40, 15, 1]
    assert made.failed is False


def test_a_call_that_gave_no_reply_and_was_paid_says_so(
    organization: Organization,
) -> None:
    made = record(organization, failed=True)
    made.refresh_from_db()
    assert (made.failed, made.cost) == (True, Decimal("0.25"))


def test_counts_that_nobody_reported_are_unknown_and_never_none(
    organization: Organization,
) -> None:
    made = record(organization, counts=None, cost=None)
    made.refresh_from_db()
    assert [getattr(made, name) for name in COLUMNS] == [None] * 6


def test_without_counts_no_cost_is_known(organization: Organization) -> None:
    with pytest.raises(BadInput, match="no cost"):
        record(organization, counts=None)


@pytest.mark.parametrize("name", COLUMNS)
def test_counts_are_known_all_or_none(organization: Organization, name: str) -> None:
    made = record(organization)
    with pytest.raises(IntegrityError), transaction.atomic():
        UsageRecord.objects.filter(pk=made.pk).update(**{name: None})


def test_no_more_is_kept_for_an_hour_than_is_written(
    organization: Organization,
) -> None:
    with pytest.raises(BadInput, match="hour"):
        record(organization, counts=replace(USED, cache_write_1h_tokens=41))


def test_every_column_says_what_it_counts() -> None:
    for name in [*COLUMNS, "failed", "cost"]:
        assert UsageRecord._meta.get_field(name).help_text


def test_the_database_itself_refuses_a_negative_cost(
    organization: Organization,
) -> None:
    made = record(organization)
    with pytest.raises(IntegrityError), transaction.atomic():
        UsageRecord.objects.filter(pk=made.pk).update(cost=-1)


def test_another_organizations_usage_is_invisible() -> None:
    cast = make_cast()
    record(cast.organization)

    assert UsageRecord.objects.for_organization(cast.organization).count() == 1
    assert not UsageRecord.objects.for_organization(cast.other_organization).exists()


def test_an_organization_that_has_spent_is_not_deleted(
    organization: Organization,
) -> None:
    record(organization)
    with pytest.raises(ProtectedError):
        organization.delete()
