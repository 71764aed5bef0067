"""Rings the queue's doorbell for a run. Called by name, so services import no task."""

from django_q.tasks import async_task

from research.models import Run
from research.services.claim_run import end_worn_out_runs, runs_to_ring

EXECUTE = "research.tasks.execute_run"


def ring(public_id: str) -> None:
    """Call on commit. A lost ring costs a minute: the dispatcher rings again."""
    async_task(EXECUTE, public_id, task_name=public_id)


def forget_ring(public_id: str) -> None:
    """For a worker that is stopping: whoever ticks next rings again, elsewhere."""
    Run.objects.filter(public_id=public_id).update(rung_at=None)


def ring_again() -> int:
    """What the dispatcher does at each tick; returns how many runs it rang for."""
    end_worn_out_runs()
    due = runs_to_ring()
    for public_id in due:
        ring(public_id)
    return len(due)
