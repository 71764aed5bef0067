"""Who may work on a run: one conditional update claims it, a lease holds it."""

import os
import secrets
import socket
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from chat.output_gate import harmless
from research.models import Run
from research.states import ACTIVE_RUN_STATUSES, RunStatus, run_sources

MAX_ATTEMPTS = 3
BACK_OFF_S = (15, 60)
MOST_ERROR_CHARS = 1000


def make_owner() -> str:
    """Names one process on one machine, once: pids come round again."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


def claim_run(public_id: str, owner: str) -> Run | None:
    """The run, now held by `owner`; None when another holds it, or it is not due.

    A duplicate delivery ends here: only one caller changes the row.
    """
    now = timezone.now()
    changed = (
        Run.objects.filter(public_id=public_id, attempts__lt=MAX_ATTEMPTS)
        .filter(claimable(now))
        .update(
            status=RunStatus.RUNNING,
            lease_owner=owner,
            lease_expires_at=now + timedelta(seconds=settings.RUN_LEASE_S),
            not_before=None,
            attempts=F("attempts") + 1,
            started_at=Coalesce("started_at", now),
        )
    )
    if changed != 1:
        return None
    return Run.objects.select_related(
        "organization", "case", "dossier", "requested_by"
    ).get(public_id=public_id)


def claimable(now: datetime) -> Q:
    """Queued, waiting and due, or held by a lease that ran out."""
    return Q(status=RunStatus.QUEUED) | (
        Q(status=RunStatus.WAITING) & (Q(not_before=None) | Q(not_before__lte=now))
        | Q(status=RunStatus.RUNNING, lease_expires_at__lte=now)
    )


def release_run(run: Run, owner: str) -> bool:
    """Hands a run over untouched, for a worker that is stopping."""
    return _let_go(run, owner, status=RunStatus.QUEUED, attempts=F("attempts") - 1)


def postpone_run(run: Run, owner: str, reason: str) -> bool:
    """Tries again later; fails the run for good after the third attempt.

    A run that somebody asked to cancel is not tried again.
    """
    run.refresh_from_db(fields=["attempts", "cancel_requested_at"])
    if run.cancel_requested_at is not None:
        return finish_run(run, owner, RunStatus.CANCELLED, stop_reason="cancelled")
    if run.attempts >= MAX_ATTEMPTS:
        return finish_run(run, owner, RunStatus.FAILED, error=reason)
    wait = timedelta(seconds=BACK_OFF_S[run.attempts - 1])
    return _let_go(
        run,
        owner,
        status=RunStatus.WAITING,
        not_before=timezone.now() + wait,
        error=_storable(reason),
    )


def finish_run(
    run: Run,
    owner: str,
    status: RunStatus,
    *,
    stop_reason: str = "",
    error: str = "",
    report: str = "",
) -> bool:
    """Ends a held run in a terminal status; False when the lease was lost."""
    return _let_go(
        run,
        owner,
        status=status,
        stop_reason=stop_reason,
        error=_storable(error),
        report=report,
        finished_at=timezone.now(),
    )


def _storable(sentence: str) -> str:
    """Fit for the column and for readers: a model or its API may have written it."""
    return harmless(sentence)[:MOST_ERROR_CHARS]


def _let_go(run: Run, owner: str, *, status: RunStatus, **fields: object) -> bool:
    # Forget the last ring: a run that is due again is rung for at the next tick.
    changed = Run.objects.filter(
        pk=run.pk, lease_owner=owner, status__in=run_sources(status)
    ).update(
        status=status, lease_owner="", lease_expires_at=None, rung_at=None, **fields
    )
    return changed == 1


def end_worn_out_runs() -> int:
    """Ends runs whose lease ran out on the last attempt: nobody will claim them."""
    now = timezone.now()
    worn_out = Run.objects.filter(
        claimable(now), attempts__gte=MAX_ATTEMPTS, status__in=ACTIVE_RUN_STATUSES
    )
    over = {"lease_owner": "", "lease_expires_at": None, "finished_at": now}
    cancelled = worn_out.filter(cancel_requested_at__isnull=False).update(
        status=RunStatus.CANCELLED, stop_reason="cancelled", **over
    )
    return cancelled + worn_out.update(
        status=RunStatus.FAILED,
        error=f"The run was tried {MAX_ATTEMPTS} times and did not end.",
        **over,
    )


@transaction.atomic
def runs_to_ring(limit: int = 50) -> list[str]:
    """Marks and names the runs that are due and were not rung for lately.

    The first ring at the start of a run counts, so that a healthy queue is left alone.
    """
    now = timezone.now()
    quiet = Q(rung_at=None) | Q(
        rung_at__lte=now - timedelta(seconds=settings.RING_AGAIN_S)
    )
    due = list(
        Run.objects.filter(claimable(now), quiet, attempts__lt=MAX_ATTEMPTS)
        .order_by("queued_at")
        .values_list("public_id", flat=True)[:limit]
    )
    Run.objects.filter(public_id__in=due).update(rung_at=now)
    return due
