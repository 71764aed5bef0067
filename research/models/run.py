"""One research run by the agent. Its row is the truth; the queue is a doorbell."""

from django.conf import settings
from django.db import models

from accounts.models.public_id import PublicIdField
from accounts.models.tenancy import TenantQuerySet
from research.models.case import Case
from research.models.dossier import Dossier
from research.states import ACTIVE_RUN_STATUSES, TERMINAL_RUN_STATUSES, RunStatus


class RunQuerySet(TenantQuerySet["Run"]):
    pass


class Run(models.Model):
    """Claimed by one conditional update, held by a lease, resumed from its journal."""

    public_id = PublicIdField("run")
    organization = models.ForeignKey(
        "accounts.Organization", on_delete=models.PROTECT, related_name="runs"
    )
    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="runs")
    dossier = models.ForeignKey(Dossier, on_delete=models.PROTECT, related_name="runs")
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    researcher = models.CharField(max_length=100)
    status = models.CharField(
        max_length=20, choices=RunStatus.choices, default=RunStatus.QUEUED
    )
    # Why the loop ended: an engine stop reason, apart from the status.
    stop_reason = models.CharField(max_length=40, blank=True)
    error = models.CharField(max_length=1000, blank=True)
    deadline_s = models.PositiveIntegerField()
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_owner = models.CharField(max_length=200, blank=True)
    lease_expires_at = models.DateTimeField(null=True, blank=True)
    not_before = models.DateTimeField(null=True, blank=True)
    rung_at = models.DateTimeField(null=True, blank=True)
    cancel_requested_at = models.DateTimeField(null=True, blank=True)
    queued_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    # The journal's end, so that lines cut off its tail are missed.
    journal_length = models.PositiveIntegerField(default=0)
    journal_head = models.CharField(max_length=64, blank=True)
    # The engine's RunReport as JSON text; counters only, no text of the task.
    report = models.TextField(blank=True)
    # The researcher's last words as JSON text of chat.output_gate.Answer; no evidence.
    # Shown through research.presentation.answers alone.
    answer = models.TextField(blank=True)

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ["-queued_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["case"],
                condition=models.Q(status__in=sorted(ACTIVE_RUN_STATUSES)),
                name="one_active_run_per_case",
            ),
            models.CheckConstraint(
                condition=models.Q(status__in=RunStatus.values),
                name="run_status_is_known",
            ),
            models.CheckConstraint(
                condition=models.Q(lease_owner="", lease_expires_at__isnull=True)
                | (
                    ~models.Q(lease_owner="") & models.Q(lease_expires_at__isnull=False)
                ),
                name="a_lease_has_owner_and_end",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    status__in=sorted(TERMINAL_RUN_STATUSES), finished_at__isnull=False
                )
                | (
                    ~models.Q(status__in=sorted(TERMINAL_RUN_STATUSES))
                    & models.Q(finished_at__isnull=True)
                ),
                name="a_finished_run_has_an_end",
            ),
        ]
        indexes = [
            models.Index(
                fields=["status", "lease_expires_at"], name="runs_to_ring_for"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.public_id} ({self.status})"

    @property
    def is_terminal(self) -> bool:
        return self.status in TERMINAL_RUN_STATUSES


class RunEventQuerySet(TenantQuerySet["RunEvent"]):
    organization_path = "run__organization"


class RunEvent(models.Model):
    """One line of a run's journal; the database refuses its change and removal."""

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="events")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=40)
    # Canonical ASCII JSON as text: jsonb would reorder keys and refuse NUL.
    payload = models.TextField()
    at = models.DateTimeField()
    prev_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    objects = RunEventQuerySet.as_manager()

    class Meta:
        ordering = ["run", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["run", "seq"], name="journal_has_one_line"),
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.kind}"
