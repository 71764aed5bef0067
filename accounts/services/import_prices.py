"""Adding prices that operators read somewhere, without a new version of the program."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.db import transaction
from django.utils import timezone

from accounts.errors import NotAllowed
from accounts.models import Price, User
from accounts.price_file import refuse_duplicates
from accounts.price_row import PriceRow, columns
from accounts.services.audit import record_audit
from accounts.services.saving import save_checked

_Key = tuple[str, str, date]


@dataclass(frozen=True)
class PriceImport:
    """What an import wrote, or would write, with revisions, and what was there."""

    added: tuple[PriceRow, ...]
    present: tuple[PriceRow, ...]


@transaction.atomic
def import_prices(
    *, by: User | None, rows: Sequence[PriceRow], origin: str, dry_run: bool = False
) -> PriceImport:
    """Save the rows that are new or correct an earlier one; all of them or none.

    by: a platform operator, or None for whoever may run commands on the machine.
    origin: where the rows come from, for the audit trail. A row that equals the last
    revision of its model, speed and day is left alone, so that a second import of the
    same file writes nothing. Raises NotAllowed, BadInput, and Conflict where somebody
    imported the same at the same moment.
    """
    if by is not None and not (by.is_active and by.is_superuser):
        raise NotAllowed("Only a platform operator may do this.")
    refuse_duplicates(rows)
    last = _last_revisions()
    present = {row.key for row in rows if _same(row, last.get(row.key))}
    added = [_revised(row, last.get(row.key)) for row in rows if row.key not in present]
    if added and not dry_run:
        _save(added, by)
        _record(added, by, origin)
    return PriceImport(tuple(added), tuple(row for row in rows if row.key in present))


def _last_revisions() -> dict[_Key, PriceRow]:
    stored = Price.objects.order_by("revision")
    return {row.key: row for row in (price.as_row() for price in stored)}


def _same(row: PriceRow, stored: PriceRow | None) -> bool:
    return stored is not None and columns(row) == columns(stored)


def _revised(row: PriceRow, stored: PriceRow | None) -> PriceRow:
    return replace(row, revision=stored.revision + 1 if stored else 1)


def _save(rows: Iterable[PriceRow], by: User | None) -> None:
    now = timezone.now()
    for row in rows:
        save_checked(
            Price(
                **columns(row),
                revision=row.revision,
                imported_by=by,
                imported_at=now,
            )
        )


def _record(rows: Sequence[PriceRow], by: User | None, origin: str) -> None:
    record_audit(
        organization=None,
        actor=by,
        action="prices.imported",
        target=origin[:200],
        detail={
            "rows": [
                {
                    "model": row.model,
                    "speed": row.speed.value,
                    "valid_from": row.valid_from.isoformat(),
                    "revision": row.revision,
                }
                for row in rows
            ]
        },
    )
