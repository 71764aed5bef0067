"""Triggers by which both databases refuse to change or remove evidence.

Installed after every migration: a table remake on SQLite drops them silently. A row
in RetentionPermit lifts them: the one way for a retention period to end. No code of the
product writes one yet.
"""

from typing import Any

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

APPEND_ONLY = (
    "research_snapshot",
    "research_source",
    "research_lookup",
    "research_fact",
    "research_question",
    "research_claim",
    "research_citation",
    "research_decision",
    "research_runevent",
    "accounts_auditentry",
    "accounts_price",
)
PERMIT = "research_retentionpermit"
VERBS = ("UPDATE", "DELETE")
# A constant of this module, never input.
UNLESS_PERMITTED = f"NOT EXISTS (SELECT 1 FROM {PERMIT})"  # noqa: S608

# The permit is read in the table's own schema: no temporary table can stand in for it.
POSTGRES_FUNCTION = f"""
CREATE OR REPLACE FUNCTION weighhouse_append_only() RETURNS trigger AS $$
DECLARE permitted boolean;
BEGIN
    EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I.{PERMIT})', TG_TABLE_SCHEMA)
        INTO permitted;
    IF NOT permitted THEN
        RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
    END IF;
    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
    IF TG_OP = 'UPDATE' THEN RETURN NEW; END IF;
    RETURN NULL;
END $$ LANGUAGE plpgsql
"""  # noqa: S608 - a constant of this module, never input


def install_after_migrate(sender: Any, using: str, **_: Any) -> None:
    """A post_migrate receiver; waits until all the tables are there."""
    install_triggers(connections[using])


def install_triggers(connection: BaseDatabaseWrapper) -> None:
    """Idempotent. Tables that do not exist yet are left for a later migration."""
    with connection.cursor() as cursor:
        present = set(connection.introspection.table_names(cursor))
        if PERMIT not in present:
            return
        if connection.vendor == "postgresql":
            cursor.execute(POSTGRES_FUNCTION)
        for table in APPEND_ONLY:
            if table in present:
                for statement in _create(connection.vendor, table):
                    cursor.execute(statement)


def lift_triggers(connection: BaseDatabaseWrapper) -> None:
    """For a test's flush of the whole database; nothing else calls it."""
    with connection.cursor() as cursor:
        present = set(connection.introspection.table_names(cursor))
        for table in present.intersection(APPEND_ONLY):
            for statement in _drop(connection.vendor, table):
                cursor.execute(statement)


def missing_triggers(connection: BaseDatabaseWrapper) -> list[str]:
    """The append-only tables that are not guarded now."""
    query = (
        "SELECT tgname FROM pg_trigger"
        if connection.vendor == "postgresql"
        else "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    )
    with connection.cursor() as cursor:
        cursor.execute(query)
        names = {row[0] for row in cursor.fetchall()}
    return [
        table
        for table in APPEND_ONLY
        if not names.issuperset(_names(connection.vendor, table))
    ]


def _names(vendor: str, table: str) -> list[str]:
    verbs = (*VERBS, "TRUNCATE") if vendor == "postgresql" else VERBS
    return [f"{table}_no_{verb.lower()}" for verb in verbs]


def _create(vendor: str, table: str) -> list[str]:
    if vendor != "postgresql":
        return [
            f"CREATE TRIGGER IF NOT EXISTS {table}_no_{verb.lower()}"
            f" BEFORE {verb} ON {table} WHEN {UNLESS_PERMITTED}"
            f" BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            for verb in VERBS
        ]
    rows = [(verb, "ROW") for verb in VERBS] + [("TRUNCATE", "STATEMENT")]
    return [
        f"CREATE OR REPLACE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table}"
        f" FOR EACH {level} EXECUTE FUNCTION weighhouse_append_only()"
        for verb, level in rows
    ]


def _drop(vendor: str, table: str) -> list[str]:
    suffix = f" ON {table}" if vendor == "postgresql" else ""
    return [f"DROP TRIGGER IF EXISTS {name}{suffix}" for name in _names(vendor, table)]
