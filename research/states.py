"""What a run and a case may become, in one table each. Terminal states are final."""

from collections.abc import Mapping

from django.db.models import TextChoices


class RunStatus(TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    WAITING = "waiting"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


class CaseStatus(TextChoices):
    UNREVIEWED = "unreviewed"
    REQUESTED = "requested"
    APPROVED = "approved"
    DENIED = "denied"
    SUPERSEDED = "superseded"


RUN_MOVES: Mapping[RunStatus, frozenset[RunStatus]] = {
    RunStatus.QUEUED: frozenset(
        {RunStatus.RUNNING, RunStatus.FAILED, RunStatus.CANCELLED}
    ),
    RunStatus.RUNNING: frozenset(
        {
            RunStatus.WAITING,
            RunStatus.COMPLETED,
            RunStatus.FAILED,
            RunStatus.CANCELLED,
            RunStatus.QUEUED,  # handed over by a worker that is stopping
        }
    ),
    RunStatus.WAITING: frozenset(
        {RunStatus.RUNNING, RunStatus.FAILED, RunStatus.CANCELLED}
    ),
    RunStatus.COMPLETED: frozenset(),
    RunStatus.FAILED: frozenset(),
    RunStatus.CANCELLED: frozenset(),
}

# A case is superseded when newer evidence has replaced what was decided on.
CASE_MOVES: Mapping[CaseStatus, frozenset[CaseStatus]] = {
    CaseStatus.UNREVIEWED: frozenset(
        {CaseStatus.REQUESTED, CaseStatus.APPROVED, CaseStatus.DENIED}
    ),
    CaseStatus.REQUESTED: frozenset({CaseStatus.APPROVED, CaseStatus.DENIED}),
    # Asking for what is approved adds to the demand and changes nothing: only those
    # who may decide can take an approval back.
    CaseStatus.APPROVED: frozenset({CaseStatus.DENIED, CaseStatus.SUPERSEDED}),
    CaseStatus.DENIED: frozenset(
        {CaseStatus.APPROVED, CaseStatus.SUPERSEDED, CaseStatus.REQUESTED}
    ),
    CaseStatus.SUPERSEDED: frozenset(
        {CaseStatus.REQUESTED, CaseStatus.APPROVED, CaseStatus.DENIED}
    ),
}

ACTIVE_RUN_STATUSES = frozenset(
    status for status, onward in RUN_MOVES.items() if onward
)
TERMINAL_RUN_STATUSES = frozenset(RUN_MOVES) - ACTIVE_RUN_STATUSES


def run_sources(target: RunStatus) -> list[RunStatus]:
    """The statuses from which a run may become `target`."""
    return [status for status, onward in RUN_MOVES.items() if target in onward]


def case_sources(target: CaseStatus) -> list[CaseStatus]:
    """The statuses from which a case may become `target`."""
    return [status for status, onward in CASE_MOVES.items() if target in onward]
