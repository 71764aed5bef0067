"""Collects a dossier's facts: the lookups made, and the documents read."""

from dataclasses import replace

from django.db import transaction
from django.utils import timezone

from accounts.errors import NotFound, ProductError
from chat.web.reading import ReadingRefused
from research.collectors.assembler import collect
from research.collectors.values import (
    Collected,
    LookupResult,
    Outcome,
    RawDocument,
)
from research.models import Dossier, Fact, Lookup, Run, Snapshot
from research.services.archive_snapshot import read_source, store_source
from research.services.journal import append_event, hold_lease
from research.services.open_dossier import add_sources
from research.subjects.values import Subject, SubjectKind


def subject_of(dossier: Dossier) -> Subject:
    """The subject at the version that the dossier pins."""
    case = dossier.case
    return Subject(
        kind=SubjectKind(case.subject_kind),
        key=case.subject_key,
        version=dossier.subject_version or None,
        title=case.title,
    )


def collect_dossier(run: Run, owner: str) -> None:
    """Once per dossier, in one transaction; a second attempt finds it done.

    Raises LeaseLost.
    """
    dossier = run.dossier
    if dossier.collected_at is not None:
        return
    collected = _collected(subject_of(dossier))
    snapshots: list[Snapshot] = []
    lookups = list(collected.lookups)
    for document in collected.documents:
        hold_lease(run, owner)
        _archive(run, document, snapshots, lookups)
    _write(run, owner, replace(collected, lookups=tuple(lookups)), snapshots)


def _collected(subject: Subject) -> Collected:
    """What is not there is absent: the subject may have come with its own documents."""
    try:
        return collect(subject)
    except NotFound as error:
        outcome, reason = Outcome.ABSENT, error.message
    except ProductError as error:
        outcome, reason = Outcome.UNKNOWN, error.message
    lookup = LookupResult("collector", subject.key, outcome, reason)
    return Collected(subject.version, (lookup,))


def _archive(
    run: Run,
    document: RawDocument,
    snapshots: list[Snapshot],
    lookups: list[LookupResult],
) -> None:
    try:
        source = read_source(
            uri=document.uri,
            title=document.title,
            media_type=document.media_type,
            body=document.body,
        )
    except ReadingRefused as refused:
        lookups.append(_gap(document, str(refused)))
        return
    snapshots.append(store_source(run.organization, source))


def _gap(document: RawDocument, reason: str) -> LookupResult:
    """A document that cannot be read is a named gap of the dossier."""
    return LookupResult(document.title, document.uri, Outcome.UNKNOWN, reason)


@transaction.atomic
def _write(
    run: Run, owner: str, collected: Collected, snapshots: list[Snapshot]
) -> None:
    documents = run.dossier.sources.count() + len(snapshots)
    append_event(
        run,
        owner,
        "run.collected",
        {"lookups": len(collected.lookups), "documents": documents},
    )
    for position, lookup in enumerate(collected.lookups):
        _write_lookup(run.dossier, position, lookup)
    add_sources(run.dossier, snapshots, origin="collector")
    run.dossier.collected_at = timezone.now()
    run.dossier.save(update_fields=["collected_at"])


def _write_lookup(dossier: Dossier, position: int, result: LookupResult) -> None:
    lookup = Lookup.objects.create(
        dossier=dossier,
        position=position,
        source=result.source[:200],
        uri=result.uri,
        outcome=result.outcome.value,
        reason=result.reason[:500],
        latency_ms=result.latency_ms,
    )
    Fact.objects.bulk_create(
        Fact(
            lookup=lookup,
            position=number,
            name=fact.name,
            value=fact_text(fact.value),
            tier=fact.tier.value,
            uri=fact.uri,
        )
        for number, fact in enumerate(result.facts)
    )


def fact_text(value: object) -> str:
    """A fact's value as people read it; lists have one entry a line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return "\n".join(str(item) for item in value)
    return str(value)
