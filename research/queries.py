"""Reads, always within one organization: what is another's is not found."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Count, Model, OuterRef, QuerySet, Subquery

from accounts.errors import NotFound
from accounts.models import Organization
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

Row = TypeVar("Row", bound=Model)
HISTORY_SHOWN = 100


@dataclass(frozen=True)
class Part(Generic[Row]):
    """The newest rows, and how many there are in all."""

    total: int
    newest: Sequence[Row]


@dataclass(frozen=True)
class CaseHistory:
    """A case with the newest 100 of everything that hangs on it."""

    case: Case
    current_dossier: Dossier | None
    asks: Part[Ask]
    dossiers: Part[Dossier]
    runs: Part[Run]
    decisions: Part[Decision]


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
    """The newest that has been collected: what reviewers are shown and decide on."""
    return (
        case.dossiers.filter(collected_at__isnull=False)
        .select_related("case__organization")
        .order_by("-number")
        .first()
    )


def case_history(case: Case) -> CaseHistory:
    """Nine queries, however long the history is."""
    asks = case.asks.select_related("asked_by").order_by("-at", "-id")
    runs = case.runs.select_related("case", "dossier", "requested_by")
    decisions = case.decisions.select_related("case", "dossier", "decided_by")
    return CaseHistory(
        case=case,
        current_dossier=newest_dossier(case),
        asks=_part(asks),
        dossiers=_part(case.dossiers.all()),
        runs=_part(runs),
        decisions=_part(decisions),
    )


def events_after(run: Run, seq: int, limit: int = 500) -> Iterable[RunEvent]:
    """The journal from the event after `seq` on; -1 begins at the start."""
    return run.events.filter(seq__gt=seq).order_by("seq")[:limit]


def evidence_digest(dossier: Dossier) -> str:
    """The digest that a decision freezes; see Evidence.digest."""
    return load_evidence(dossier).digest


def _part(rows: QuerySet[Row]) -> Part[Row]:
    return Part(total=rows.count(), newest=list(rows[:HISTORY_SHOWN]))


def _one(rows: "QuerySet[Row]", public_id: str, noun: str) -> "Row":
    try:
        return rows.get(public_id=public_id)
    except ObjectDoesNotExist:
        message = f"There is no {noun} {public_id[:60]!r} here."
        raise NotFound(message, code=f"{noun}_not_found") from None
