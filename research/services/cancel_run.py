"""Asks a run to stop; one that nobody works on ends at once, another at its tick."""

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.actor import Actor, require
from accounts.errors import Conflict
from accounts.permissions import Action
from accounts.services import record_audit
from research.models import Run
from research.states import ACTIVE_RUN_STATUSES, RunStatus


@transaction.atomic
def cancel_run(*, by: Actor, run: Run) -> None:
    """Raises NotAllowed, or Conflict when the run has ended."""
    require(by, Action.START_RUN, run.organization)
    now = timezone.now()
    still = Run.objects.filter(pk=run.pk, status__in=ACTIVE_RUN_STATUSES)
    if still.update(cancel_requested_at=now) != 1:
        message = f"The run is {run.status} and cannot be cancelled."
        raise Conflict(message, code="run_over")
    # Nobody works on these, so nobody would notice the wish.
    idle = Run.objects.filter(
        Q(status__in=[RunStatus.QUEUED, RunStatus.WAITING])
        | Q(status=RunStatus.RUNNING, lease_expires_at__lte=now),
        pk=run.pk,
    )
    idle.update(
        status=RunStatus.CANCELLED,
        stop_reason="cancelled",
        finished_at=now,
        lease_owner="",
        lease_expires_at=None,
    )
    record_audit(
        organization=run.organization,
        actor=by.user,
        action="run.cancelled",
        target=run.public_id,
        detail={},
    )
