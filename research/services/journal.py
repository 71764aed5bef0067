"""A run's journal: append under the lease, read back, check the chain."""

import json
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from chat import engine
from research.canonical import canonical_json, sha256_hex
from research.models import Run, RunEvent
from research.states import RunStatus

GENESIS = "0" * 64
# Lines that are not the engine's: "run.claimed", "run.collected", "run.finished".
OWN_KINDS = "run."
# Stops after which trying again may help, when nothing reviewable was found.
WORTH_A_RETRY = frozenset(
    {
        engine.StopReason.ERROR,
        engine.StopReason.PROVIDER_UNAVAILABLE,
        engine.StopReason.LLM_TIMEOUT,
    }
)


class LeaseLost(engine.Abandon):
    """Another worker holds the run, or it ended; this one must stop writing."""


def append_event(run: Run, owner: str, kind: str, payload: Any) -> RunEvent:
    """Call inside a transaction. Raises LeaseLost unless `owner` holds the lease."""
    hold_lease(run, owner)
    last = run.events.order_by("-seq").only("seq", "hash").first()
    seq = last.seq + 1 if last else 0
    at = timezone.now()
    text = canonical_json(payload)
    prev_hash = last.hash if last else GENESIS
    return RunEvent.objects.create(
        run=run,
        seq=seq,
        kind=kind,
        payload=text,
        at=at,
        prev_hash=prev_hash,
        hash=event_hash(prev_hash, seq, kind, text, at.isoformat()),
    )


def hold_lease(run: Run, owner: str) -> None:
    """Prolongs the lease, or raises LeaseLost: the fence before every write."""
    now = timezone.now()
    held = Run.objects.filter(
        pk=run.pk,
        status=RunStatus.RUNNING,
        lease_owner=owner,
        lease_expires_at__gt=now,
    ).update(lease_expires_at=now + timedelta(seconds=settings.RUN_LEASE_S))
    if held != 1:
        message = f"{owner} no longer holds {run.public_id}."
        raise LeaseLost(message)


def event_hash(prev_hash: str, seq: int, kind: str, payload: str, at: str) -> str:
    return sha256_hex(canonical_json([prev_hash, seq, kind, payload, at]))


def engine_history(run: Run) -> list[engine.JournaledEvent]:
    """The engine's own events, oldest first, as `engine.run(history=...)` takes them.

    A stop that was worth a retry is left out: the next attempt goes on instead.
    """
    rows = run.events.exclude(kind__startswith=OWN_KINDS).order_by("seq")
    events = [engine.event_from_json(json.loads(row.payload)) for row in rows]
    return [event for event in events if not _is_retryable_stop(event)]


def _is_retryable_stop(event: engine.JournaledEvent) -> bool:
    return isinstance(event, engine.Stopping) and event.stop in WORTH_A_RETRY


def broken_link(run: Run) -> int | None:
    """The seq of the first event that does not fit the chain; None when it holds."""
    prev_hash = GENESIS
    for number, row in enumerate(run.events.order_by("seq").iterator()):
        expected = event_hash(
            prev_hash, row.seq, row.kind, row.payload, row.at.isoformat()
        )
        if row.seq != number or row.prev_hash != prev_hash or row.hash != expected:
            return row.seq
        prev_hash = row.hash
    return None


@transaction.atomic
def note_event(run: Run, owner: str, kind: str, payload: Any) -> RunEvent:
    """One event in a transaction of its own."""
    return append_event(run, owner, kind, payload)
