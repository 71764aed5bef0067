"""How an operator's decision about models is kept: checked, with who and when."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.errors import NotAllowed
from accounts.models import User
from accounts.services import record_audit, save_checked
from chat.models import AgentSettings, ModelChoice, ModelPolicy

Row = AgentSettings | ModelChoice | ModelPolicy
_BESIDE = frozenset({"id", "changed_at", "changed_by"})


@transaction.atomic
def change_row(*, by: User, row: Row) -> None:
    """Save a new or changed row; the audit trail has all its values.

    Raises NotAllowed, BadInput or Conflict.
    """
    if not (by.is_active and by.is_superuser):
        raise NotAllowed("Only a platform operator may do this.")
    row.changed_by, row.changed_at = by, timezone.now()
    save_checked(row)
    record_audit(
        organization=row.organization if isinstance(row, ModelPolicy) else None,
        actor=by,
        action=f"{row._meta.verbose_name}.changed".replace(" ", "_"),
        target=f"{row._meta.model_name}:{row.pk}",
        detail=_values(row),
    )


def _values(row: Row) -> dict[str, Any]:
    """What can be set, as JSON; none of it is a secret."""
    fields = [each for each in row._meta.concrete_fields if each.name not in _BESIDE]
    return {each.name: _plain(each.value_from_object(row)) for each in fields}


def _plain(value: object) -> object:
    return value if value is None or isinstance(value, bool | int) else str(value)
