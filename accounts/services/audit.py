"""Writing the audit trail, in the transaction of what it tells about."""

import json
from collections.abc import Mapping
from typing import Any

from django.db import transaction

from accounts.models import AuditEntry, Organization, User
from accounts.services.saving import save_checked


@transaction.atomic
def record_audit(
    *,
    organization: Organization | None,
    actor: User | None,
    action: str,
    target: str = "",
    detail: Mapping[str, Any] | None = None,
) -> AuditEntry:
    """Keep who did what to what; `detail` is JSON and holds no secret."""
    entry = AuditEntry(
        organization=organization,
        actor=actor,
        action=action,
        target=target,
        detail=json.dumps(
            dict(detail or {}), sort_keys=True, separators=(",", ":"), allow_nan=False
        ),
    )
    save_checked(entry)
    return entry
