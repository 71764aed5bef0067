"""Reads, always within one organization: what is another's is not found."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Count, Exists, Model, OuterRef, QuerySet, Subquery, Window

from accounts.errors import NotFound
from accounts.models import Organization, UsageRecord
from research.evidence import load_evidence
from research.models import (
    Ask,
    Case,
    Citation,
    Decision,
    Dossier,
    Run,
    RunEvent,
    Snapshot,
)
from research.states import ACTIVE_RUN_STATUSES, RunStatus
from research.subjects.values import Subject

Row = TypeVar("Row", bound=Model)
HISTORY_SHOWN = 100


@dataclass(frozen=True)
class Part(Generic[Row]):
    """The newest rows, and how many there are in all."""

    total: int
    newest: Sequence[Row]

    @property
    def left_off(self) -> int:
        """How many older ones there are."""
        return self.total - len(self.newest)


@dataclass(frozen=True)
class CaseHistory:
    """A case with the newest 100 of everything that hangs on it, each when asked for.

    One query a part, however long the history is.
    """

    case: Case

    @cached_property
    def asks(self) -> Part[Ask]:
        return _part(self.case.asks.select_related("asked_by").order_by("-at", "-id"))

    @cached_property
    def dossiers(self) -> Part[Dossier]:
        return _part(self.case.dossiers.order_by("-number"))

    @cached_property
    def runs(self) -> Part[Run]:
        return _part(
            self.case.runs.select_related("case", "dossier", "requested_by").defer(
                "answer"
            )
        )

    @cached_property
    def decisions(self) -> Part[Decision]:
        return _part(
            self.case.decisions.select_related("case", "dossier", "decided_by")
        )

    @cached_property
    def current_dossier(self) -> Dossier | None:
        """What newest_dossier finds, of this very case."""
        return newest_dossier(self.case)

    def dossier(self, public_id: str) -> Dossier:
        """Any dossier of the case, however old. Raises NotFound."""
        for dossier in self.dossiers.newest:
            if dossier.public_id == public_id:
                return dossier
        return _one(self.case.dossiers.all(), public_id, "dossier")

    @cached_property
    def latest_run(self) -> Run | None:
        """Without its report and its answer, which are long."""
        return (
            self.case.runs.select_related("requested_by")
            .defer("report", "answer")
            .first()
        )


def cases_of(organization: Organization) -> QuerySet[Case]:
    """The list of cases with what a line of it shows, in one query."""
    latest = Run.objects.filter(case=OuterRef("pk")).order_by("-queued_at", "-id")
    return (
        Case.objects.for_organization(organization)
        .select_related("created_by")
        .annotate(
            run_status=Subquery(latest.values("status")[:1]),
            asks_count=Count("asks", distinct=True),
        )
        # Grouping drops the model's own order.
        .order_by("-changed_at", "-id")
    )


def case_by_id(organization: Organization, public_id: str) -> Case:
    return _one(
        Case.objects.for_organization(organization).select_related(
            "organization", "created_by"
        ),
        public_id,
        "case",
    )


def run_by_id(organization: Organization, public_id: str) -> Run:
    rows = Run.objects.for_organization(organization).select_related(
        "organization", "case", "dossier", "requested_by"
    )
    return _one(rows, public_id, "run")


def models_that_answered(run: Run) -> list[str]:
    """The ids that their replies are recorded under, the first to answer first."""
    records = UsageRecord.objects.filter(
        organization_id=run.organization_id, subject_ref=run.public_id, failed=False
    )
    return list(dict.fromkeys(records.order_by("pk").values_list("model", flat=True)))


def dossier_by_id(organization: Organization, public_id: str) -> Dossier:
    rows = Dossier.objects.for_organization(organization).select_related(
        "case__organization"
    )
    return _one(rows, public_id, "dossier")


def snapshot_by_id(organization: Organization, public_id: str) -> Snapshot:
    rows = Snapshot.objects.for_organization(organization).select_related(
        "organization"
    )
    return _one(rows, public_id, "snapshot")


def citation_by_id(organization: Organization, public_id: str) -> Citation:
    rows = Citation.objects.for_organization(organization).select_related(
        "snapshot__organization", "claim__question", "claim__run__case"
    )
    return _one(rows, public_id, "citation")


def newest_dossier(case: Case) -> Dossier | None:
    """What reviewers are shown and decide on: the newest that a run has completed.

    Until there is one, the newest that has been collected; nobody can decide on that.
    """
    completed = Run.objects.filter(dossier=OuterRef("pk"), status=RunStatus.COMPLETED)
    return (
        case.dossiers.filter(collected_at__isnull=False)
        .annotate(completed=Exists(completed))
        .select_related("case__organization")
        .order_by("-completed", "-number")
        .first()
    )


def newest_completed_dossier(
    organization: Organization, subject: Subject, version: str
) -> Dossier | None:
    """The newest of this version of the subject that a run has completed."""
    runs = _runs_on(organization, subject).filter(
        dossier__subject_version=version, status=RunStatus.COMPLETED
    )
    run = runs.select_related("dossier").order_by("-queued_at", "-id").first()
    return run.dossier if run else None


def active_run(organization: Organization, subject: Subject) -> Run | None:
    """The run on the subject that is queued or under way; there is at most one."""
    runs = _runs_on(organization, subject).filter(status__in=ACTIVE_RUN_STATUSES)
    return runs.select_related("organization", "case", "dossier").first()


def events_after(run: Run, seq: int, limit: int = 500) -> Iterable[RunEvent]:
    """The journal from the event after `seq` on; -1 begins at the start."""
    return run.events.filter(seq__gt=seq).order_by("seq")[:limit]


def evidence_digest(dossier: Dossier) -> str:
    """The digest that a decision freezes; see Evidence.digest."""
    return load_evidence(dossier).digest


def _runs_on(organization: Organization, subject: Subject) -> QuerySet[Run]:
    return Run.objects.for_organization(organization).filter(
        case__subject_kind=subject.kind, case__subject_key=subject.key
    )


def _part(rows: QuerySet[Row]) -> Part[Row]:
    counted = rows.annotate(rows_in_all=Window(Count("*")))
    newest = list(counted[:HISTORY_SHOWN])
    total: int = newest[0].rows_in_all if newest else 0  # type: ignore[attr-defined]
    return Part(total, newest)


def _one(rows: "QuerySet[Row]", public_id: str, noun: str) -> "Row":
    try:
        # No id has a NUL, and PostgreSQL would not even be asked with one.
        found = rows.none() if "\0" in public_id else rows
        return found.get(public_id=public_id)
    except ObjectDoesNotExist:
        message = f"There is no {noun} {public_id[:60]!r} here."
        raise NotFound(message, code=f"{noun}_not_found") from None
