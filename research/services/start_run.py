"""Starts a run: the case, a new version of its dossier, and a line in the queue."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.actor import Actor, require
from accounts.errors import BadInput, Conflict, FeatureOff, NotAllowed, NotFound
from accounts.models import Feature, Organization
from accounts.permissions import Action
from accounts.queries import actor_for, enabled_features, require_feature
from accounts.services import record_audit
from research.collectors.pinning import pin_version
from research.models import Run, Snapshot
from research.queries import active_run
from research.services.archive_snapshot import store_source
from research.services.ask import ask_for
from research.services.bring_documents import Document, read_documents
from research.services.open_dossier import add_sources, open_case, open_dossier
from research.services.researchers import EXTRACTIVE, check_researcher
from research.services.ring import ring
from research.subjects.values import Subject

RUN_FEATURES = frozenset({Feature.MCP_APPROVAL, Feature.MCP_RESEARCH})


@dataclass(frozen=True)
class Order:
    """What is to be researched, at which version, by whom."""

    subject: Subject
    version: str
    researcher: str
    justification: str = ""


def start_run(
    *,
    by: Actor,
    subject: Subject,
    documents: Sequence[Document] = (),
    researcher: str = EXTRACTIVE,
    justification: str = "",
    ring_bell: bool = True,
) -> Run:
    """Raises NotAllowed, FeatureOff, BadInput, TooLarge, NotFound or Conflict.

    With a justification it is an ask too. Documents are read and archived one after
    the other, then all rows are written in one transaction; the queue hears of them
    only when it has committed.
    """
    require(by, Action.START_RUN, by.organization)
    require_features(by.organization)
    check_researcher(by.organization, researcher)
    version = pin_version(subject, has_documents=bool(documents))
    _refuse_second_run(by, subject)
    read = read_documents(documents)
    snapshots = [store_source(by.organization, source) for source in read]
    order = Order(subject, version, researcher, justification)
    try:
        return _write(by, order, snapshots, ring_bell=ring_bell)
    except IntegrityError:
        # Two starts at once: the index on active runs let one of them through.
        _refuse_second_run(by, subject)
        raise


def require_features(organization: Organization) -> None:
    """Raises FeatureOff unless approval and research are both on."""
    for feature in sorted(RUN_FEATURES - enabled_features(organization)):
        require_feature(organization, feature)


def feature_fault(run: Run) -> str:
    """Why a run may not go on now, in one sentence; empty when it may."""
    try:
        require_features(run.organization)
    except FeatureOff as off:
        return off.message
    return ""


def run_fault(run: Run) -> str:
    """Why a run may not begin, in one sentence; empty when it may.

    Who asked for it left, a feature is off, or its researcher can no longer be had.
    """
    try:
        by = actor_for(run.requested_by, run.organization.public_id)
        require(by, Action.START_RUN, run.organization)
    except (NotFound, NotAllowed):
        return "The person who started this run may no longer start runs here."
    return feature_fault(run) or _researcher_fault(run)


def _researcher_fault(run: Run) -> str:
    try:
        check_researcher(run.organization, run.researcher)
    except BadInput as refused:
        return refused.message
    return ""


def _refuse_second_run(by: Actor, subject: Subject) -> None:
    if active_run(by.organization, subject):
        raise _already_running(subject)


def _already_running(subject: Subject) -> Conflict:
    message = f"A run for {subject.title} is under way; wait for it or cancel it."
    return Conflict(message, code="run_active")


@transaction.atomic
def _write(
    by: Actor, order: Order, snapshots: Sequence[Snapshot], *, ring_bell: bool
) -> Run:
    if order.justification:
        ask_for(by=by, subject=order.subject, justification=order.justification)
    case = open_case(by, order.subject)
    dossier = open_dossier(by, case, order.version)
    add_sources(dossier, snapshots, origin="document")
    now = timezone.now()
    run = Run.objects.create(
        organization=by.organization,
        case=case,
        dossier=dossier,
        requested_by=by.user,
        researcher=order.researcher,
        deadline_s=settings.RUN_DEADLINE_S,
        queued_at=now,
        rung_at=now,
    )
    record_audit(
        organization=by.organization,
        actor=by.user,
        action="run.started",
        target=run.public_id,
        detail={
            "case": case.public_id,
            "documents": len(snapshots),
            "researcher": order.researcher,
        },
    )
    if ring_bell:
        # The run stands whether or not the queue can be reached now: robust.
        transaction.on_commit(partial(ring, run.public_id), robust=True)
    return run
