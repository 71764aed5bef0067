"""The audit trail is written once."""

from decimal import Decimal

import pytest

from accounts.errors import BadInput
from accounts.models import AuditEntry, ImmutableRowError
from accounts.services import record_audit
from tests.factories.accounts import make_cast, make_organization

pytestmark = pytest.mark.django_db


def test_the_detail_is_canonical_ascii_json() -> None:
    entry = record_audit(
        organization=None,
        actor=None,
        action="test.done",
        detail={"b": "é\x00", "a": [1, None]},
    )

    entry.refresh_from_db()
    assert entry.detail == '{"a":[1,null],"b":"\\u00e9\\u0000"}'


@pytest.mark.parametrize("value", [float("nan"), Decimal(1), object()])
def test_a_detail_that_is_no_json_is_a_programming_error(value: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        record_audit(organization=None, actor=None, action="a", detail={"a": value})
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize("target", ["a\x00", "x" * 201])
def test_a_target_that_cannot_be_stored_is_refused(target: str) -> None:
    with pytest.raises(BadInput):
        record_audit(organization=None, actor=None, action="a", target=target)


def test_an_entry_is_neither_changed_nor_deleted() -> None:
    make_organization()
    entry = AuditEntry.objects.get()
    entry.action = "something.else"

    with pytest.raises(ImmutableRowError):
        entry.save()
    with pytest.raises(ImmutableRowError):
        entry.delete()
    assert AuditEntry.objects.get().action == "organization.created"


def test_entries_of_the_platform_belong_to_no_organization() -> None:
    cast = make_cast()
    record_audit(organization=None, actor=None, action="platform.act")

    seen = AuditEntry.objects.for_organization(cast.organization)
    assert [entry.action for entry in seen] == ["organization.created"]
