"""Opens a case for a subject, a new version of its dossier, and lists its sources."""

from collections.abc import Sequence

from django.db.models import Max

from accounts.actor import Actor
from research.models import Case, Dossier, Snapshot, Source
from research.subjects.values import Subject


def open_case(by: Actor, subject: Subject) -> Case:
    """The organization's one case for the subject, opened if there is none."""
    case, _ = Case.objects.get_or_create(
        organization=by.organization,
        subject_kind=subject.kind,
        subject_key=subject.key,
        defaults={"title": subject.title, "created_by": by.user},
    )
    return case


def open_dossier(by: Actor, case: Case, version: str) -> Dossier:
    """The next number; call inside a transaction that starts a run on it."""
    Case.objects.select_for_update().get(pk=case.pk)
    latest = case.dossiers.aggregate(number=Max("number"))["number"] or 0
    return Dossier.objects.create(
        case=case, number=latest + 1, subject_version=version, created_by=by.user
    )


def add_sources(
    dossier: Dossier, snapshots: Sequence[Snapshot], *, origin: str
) -> None:
    """Saves the snapshots and lists them, after those already there."""
    first = dossier.sources.count()
    for offset, snapshot in enumerate(snapshots):
        snapshot.save()
        Source.objects.create(
            dossier=dossier,
            position=first + offset,
            uri=snapshot.uri,
            origin=origin,
            snapshot=snapshot,
        )
