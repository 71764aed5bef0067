"""Both databases refuse to change or remove evidence."""

import pytest
from django.db import DatabaseError, connection, transaction

from accounts.models import AuditEntry, Price
from research.immutability import APPEND_ONLY, lift_triggers, missing_triggers
from research.models import (
    Citation,
    Claim,
    Decision,
    Fact,
    Lookup,
    Question,
    RetentionPermit,
    RunEvent,
    Snapshot,
    Source,
)
from tests.factories.accounts import make_cast
from tests.factories.research import make_evidence

pytestmark = pytest.mark.django_db


def test_every_append_only_table_is_guarded() -> None:
    assert missing_triggers(connection) == []


def test_the_guarded_tables_are_those_of_the_evidence() -> None:
    models = (Snapshot, Source, Lookup, Fact, Question, Claim, Citation)
    models += (Decision, RunEvent, AuditEntry, Price)
    assert {model._meta.db_table for model in models} == set(APPEND_ONLY)


def test_a_snapshot_cannot_be_changed() -> None:
    cast = make_cast()
    make_evidence(cast.organization, cast.ben)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Snapshot.objects.update(uri="dist:other==1/METADATA")


def test_a_citation_cannot_be_removed() -> None:
    cast = make_cast()
    make_evidence(cast.organization, cast.ben)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Citation.objects.all().delete()


def test_a_permit_lifts_the_refusal_until_it_is_gone() -> None:
    cast = make_cast()
    rows = make_evidence(cast.organization, cast.ben)
    permit = RetentionPermit.objects.create(reason="The period has ended.")
    Citation.objects.filter(pk=rows.citations[0].pk).delete()
    permit.delete()
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Citation.objects.filter(pk=rows.citations[1].pk).delete()


@pytest.mark.sqlite
def test_replacing_a_row_is_removing_it() -> None:
    cast = make_cast()
    rows = make_evidence(cast.organization, cast.ben)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT * FROM research_snapshot WHERE id = %s", [rows.snapshot.pk]
        )
        values = cursor.fetchone()
        marks = ", ".join(["%s"] * len(values))
        with pytest.raises(DatabaseError, match="append-only"):
            cursor.execute(
                f"INSERT OR REPLACE INTO research_snapshot VALUES ({marks})", values
            )


@pytest.mark.postgres
def test_a_temporary_permit_lifts_nothing() -> None:
    cast = make_cast()
    make_evidence(cast.organization, cast.ben)
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE research_retentionpermit AS SELECT 1")
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            cursor.execute("DELETE FROM public.research_citation")
        cursor.execute("DROP TABLE pg_temp.research_retentionpermit")


@pytest.mark.django_db(transaction=True)
def test_lifted_triggers_are_reported_missing_and_come_back_after_a_migration() -> None:
    from django.core.management import call_command

    lift_triggers(connection)
    assert set(missing_triggers(connection)) == set(APPEND_ONLY)
    call_command("migrate", verbosity=0)
    assert missing_triggers(connection) == []
