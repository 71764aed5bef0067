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
    seq, head = Run.objects.values_list("journal_length", "journal_head").get(pk=run.pk)
    prev_hash = head or genesis(run)
    at = timezone.now()
    text = canonical_json(payload)
    own_hash = event_hash(prev_hash, seq, kind, sha256_hex(text), at.isoformat())
    Run.objects.filter(pk=run.pk).update(journal_length=seq + 1, journal_head=own_hash)
    return RunEvent.objects.create(
        run=run,
        seq=seq,
        kind=kind,
        payload=text,
        at=at,
        prev_hash=prev_hash,
        hash=own_hash,
    )


def genesis(run: Run) -> str:
    """What the first line is chained to: a journal belongs to one run."""
    return sha256_hex(run.public_id)


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


def event_hash(
    prev_hash: str, seq: int, kind: str, payload_sha256: str, at: str
) -> str:
    """The hash of one line, over the hash of its payload and not the payload itself.

    So the chain can be checked by somebody who may not see every payload, and payloads
    can be removed by retention later.
    """
    return sha256_hex(canonical_json([prev_hash, seq, kind, payload_sha256, at]))


def engine_history(run: Run) -> list[engine.JournaledEvent]:
    """The engine's own events, oldest first, as `engine.run(history=...)` takes them.

    What an attempt did once it had stopped for a reason worth a retry is left out, the
    failed requests before it too: the next attempt goes on from before the fault.
    """
    events: list[engine.JournaledEvent] = []
    stopped = False
    for row in run.events.order_by("seq").iterator():
        if row.kind.startswith(OWN_KINDS):
            stopped = stopped and row.kind != "run.claimed"
        elif not stopped:
            event = engine.event_from_json(json.loads(row.payload))
            stopped = isinstance(event, engine.Stopping) and event.stop in WORTH_A_RETRY
            if stopped:
                _drop_failed_requests(events)
            else:
                events.append(event)
    return events


def _drop_failed_requests(events: list[engine.JournaledEvent]) -> None:
    """Takes requests that failed, and the waits between them, off the end.

    But for those that were paid for, or may have been: the run's budget counts them
    still. They are no attempts any more; the next one is the first again.
    """
    paid: list[engine.JournaledEvent] = []
    while events and isinstance(events[-1], engine.ModelFailed | engine.RetryScheduled):
        event = events.pop()
        if isinstance(event, engine.ModelFailed):
            request = events.pop()
            if _may_be_paid(event):
                paid[:0] = [request, event]
    if paid:
        again = engine.RetryScheduled(1, 0.0, elapsed_s=paid[-1].elapsed_s)
        events.extend([*paid, again])


def _may_be_paid(failed: engine.ModelFailed) -> bool:
    late = failed.error_kind is engine.ErrorKind.TIMEOUT
    return failed.usage is not None or late


def broken_link(run: Run) -> int | None:
    """The seq of the first line that does not fit the chain; None when it holds.

    Lines missing at the end are named by the seq of the first of them.
    """
    prev_hash, number = genesis(run), 0
    for number, row in enumerate(run.events.order_by("seq").iterator(), start=1):
        payload_sha256 = sha256_hex(row.payload)
        expected = event_hash(
            prev_hash, row.seq, row.kind, payload_sha256, row.at.isoformat()
        )
        if row.seq != number - 1 or row.prev_hash != prev_hash or row.hash != expected:
            return row.seq
        prev_hash = row.hash
    run.refresh_from_db(fields=["journal_length", "journal_head"])
    whole = number == run.journal_length and prev_hash == (
        run.journal_head or genesis(run)
    )
    return None if whole else number


@transaction.atomic
def note_event(run: Run, owner: str, kind: str, payload: Any) -> RunEvent:
    """One event in a transaction of its own."""
    return append_event(run, owner, kind, payload)
