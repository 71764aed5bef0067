"""Imported prices: all of them or none, once, and never overwritten."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from decimal import Decimal
from threading import Barrier
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from accounts.errors import BadInput, Conflict, NotAllowed
from accounts.models import AuditEntry, ImmutableRowError, Price
from accounts.price_row import PriceRow, Rates
from accounts.queries import price_rows
from accounts.services import PriceImport, import_prices
from chat.engine import Usage
from chat.providers.prices import PRICES, cost
from tests.factories.accounts import make_user

DAY = date(2026, 12, 1)


def row(figures: str = "2.5 10", **changes: Any) -> PriceRow:
    rates = Rates(*(Decimal(figure) for figure in figures.split()))
    made = PriceRow("some-model", DAY, rates, source="example.org/pricing")
    return replace(made, **changes)


def bring(*rows: PriceRow, **changes: Any) -> PriceImport:
    return import_prices(by=None, rows=rows, origin="prices.json", **changes)


@pytest.mark.django_db
class TestImport:
    def test_rows_are_saved_and_audited(self) -> None:
        operator = make_user(superuser=True)
        done = import_prices(by=operator, rows=[row()], origin="prices.json")
        assert done == PriceImport((row(revision=1),), ())
        assert price_rows() == (row(revision=1),)
        price, entry = Price.objects.get(), AuditEntry.objects.get()
        assert price.imported_by == operator
        assert (entry.action, entry.target) == ("prices.imported", "prices.json")
        assert (entry.actor, entry.organization) == (operator, None)
        assert json.loads(entry.detail)["rows"] == [
            {
                "model": "some-model",
                "speed": "standard",
                "valid_from": "2026-12-01",
                "revision": 1,
            }
        ]

    def test_a_second_import_of_the_same_writes_nothing(self) -> None:
        bring(row(), row(model="b"))
        done = bring(row("2.50 10.000"), row(model="b"))
        assert (len(done.added), len(done.present)) == (0, 2)
        assert Price.objects.count() == 2
        assert AuditEntry.objects.count() == 1

    def test_a_correction_is_a_new_revision_and_can_be_taken_back(self) -> None:
        for figures in ("1 1", "2 2", "1 1"):
            bring(row(figures))
        assert [price.revision for price in Price.objects.all()] == [3, 2, 1]
        assert cost("some-model", Usage(10**6), at=DAY, rows=price_rows()) == 1

    def test_a_dry_run_tells_the_same_and_writes_nothing(self) -> None:
        bring(row())
        rows = (row("3 3"), row(model="b"))
        told = bring(*rows, dry_run=True)
        assert Price.objects.count() == AuditEntry.objects.count() == 1
        assert told == bring(*rows)

    def test_one_bad_row_keeps_all_out(self) -> None:
        bad = row("1 1", model="b", batch_factor=Decimal(2))
        with pytest.raises(BadInput, match="batch_factor"):
            bring(row(), bad)
        with pytest.raises(BadInput, match="two rows"):
            bring(row(), row("3 3"))
        assert not Price.objects.exists()
        assert not AuditEntry.objects.exists()

    @pytest.mark.parametrize(
        "changes",
        [
            {"model": "a b"},
            {"model": "a\x00"},
            {"source": ""},
            {"rates": Rates(Decimal("NaN"), Decimal(1))},
            {"rates": Rates(Decimal("0.0000001"), Decimal(1))},
            {"rates": Rates(Decimal(-1), Decimal(1))},
        ],
    )
    def test_the_service_trusts_no_row(self, changes: dict[str, Any]) -> None:
        with pytest.raises(BadInput):
            bring(row(**changes))

    def test_only_an_operator_is_named(self) -> None:
        with pytest.raises(NotAllowed):
            import_prices(by=make_user(), rows=[row()], origin="x")

    def test_the_built_in_table_is_the_floor(self) -> None:
        usage = Usage(10**6)
        assert cost("claude-sonnet-5-5", usage, rows=price_rows(PRICES)) == 2
        agreed = row("1.5 9", model="claude-sonnet-5-5", valid_from=date(2026, 1, 1))
        bring(agreed)
        assert cost("claude-sonnet-5-5", usage, rows=price_rows(PRICES)) == Decimal(
            "1.5"
        )
        assert cost("claude-haiku-4-5", usage, rows=price_rows(PRICES)) == 1

    def test_every_built_in_row_comes_back_as_it_was(self) -> None:
        bring(*PRICES)
        stored = {each.key: replace(each, revision=0) for each in price_rows()}
        assert stored == {each.key: each for each in PRICES}


@pytest.mark.django_db
class TestRow:
    def test_a_price_is_neither_changed_nor_deleted(self) -> None:
        bring(row())
        price = Price.objects.get()
        for write in (price.save, price.delete):
            with pytest.raises(ImmutableRowError):
                write()
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            Price.objects.update(input=0)
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            Price.objects.all().delete()

    @pytest.mark.parametrize(
        "changes",
        [
            {"input": -1},
            {"cache_read": -1},
            {"batch_factor": 2},
            {"speed": "warp"},
            {"revision": 0},
            {"cliff_above": 5},
            {"cliff_above": 5, "cliff_input": 5},
            {"cliff_input": 5, "cliff_output": 5},
            {"cliff_above": 0, "cliff_input": 5, "cliff_output": 5},
            {"cliff_cache_read": 5},
            {"revision": 1},
        ],
    )
    def test_the_database_itself_refuses_what_makes_no_sense(
        self, changes: dict[str, Any]
    ) -> None:
        bring(row())
        values = {"input": 1, "output": 1, "revision": 2, "source": "x", **changes}
        made = Price(model="some-model", valid_from=DAY, **values)
        with pytest.raises(IntegrityError), transaction.atomic():
            made.save()


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgres
def test_of_two_imports_of_the_same_at_once_one_is_told() -> None:
    barrier = Barrier(2)

    def act(_: int) -> object:
        barrier.wait(10)
        try:
            return bring(row(), row(model="b"))
        except Conflict as refused:
            return refused
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(act, range(2)))
    assert Price.objects.count() == 2
    added = [done for done in outcomes if isinstance(done, PriceImport) and done.added]
    assert len(added) == 1
