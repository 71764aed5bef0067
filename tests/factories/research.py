"""Cases with evidence, as a finished run leaves them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils import timezone

from accounts.models import Organization, User
from chat.web.reading import locate
from research.models import (
    Case,
    Citation,
    Claim,
    ClaimTier,
    Dossier,
    Fact,
    Lookup,
    Outcome,
    Question,
    QuestionOutcome,
    Run,
    Snapshot,
    Source,
)
from research.services.snapshot_store import put_blob
from research.states import RunStatus

BLEACH = (
    "Metadata-Version: 2.4\nName: bleach\nVersion: 6.4.0\n"
    "License-Expression: Apache-2.0\nRequires-Python: >=3.10\n\n"
    "Bleach is an allowed-list-based HTML sanitizing library.\n\n"
    "Bleach is no longer maintained as of 2026-06-05. There will be no future\n"
    "releases, security fixes included.\n"
)
URI = "dist:bleach==6.4.0/METADATA"
# (question key, wording, the quotes that answer it)
ANSWERS: Sequence[tuple[str, str, Sequence[str]]] = (
    ("licence", "What licence is it under?", ["License-Expression: Apache-2.0"]),
    (
        "maintenance",
        "Is it maintained or deprecated, and by whom?",
        [
            "Bleach is no longer maintained as of 2026-06-05.",
            "There will be no future releases, security fixes included.",
        ],
    ),
    ("advisories", "Are there advisories against it?", []),
)


@dataclass(frozen=True)
class EvidenceRows:
    case: Case
    dossier: Dossier
    run: Run
    snapshot: Snapshot
    citations: list[Citation]


def make_case(organization: Organization, by: User, **fields: object) -> Case:
    values = {
        "subject_kind": "package",
        "subject_key": "pkg:pypi/bleach",
        "title": "pkg:pypi/bleach",
        **fields,
    }
    return Case.objects.create(organization=organization, created_by=by, **values)


def make_run(case: Case, by: User, **fields: object) -> Run:
    """A queued run on a new dossier of the case."""
    dossier = Dossier.objects.create(
        case=case,
        number=case.dossiers.count() + 1,
        subject_version="6.4.0",
        created_by=by,
    )
    values = {
        "researcher": "extractive",
        "deadline_s": 60,
        "queued_at": timezone.now(),
        **fields,
    }
    return Run.objects.create(
        organization=case.organization,
        case=case,
        dossier=dossier,
        requested_by=by,
        **values,
    )


def make_snapshot(organization: Organization, uri: str, text: str) -> Snapshot:
    data = text.encode()
    digest = put_blob(organization, data)
    return Snapshot.objects.create(
        organization=organization,
        uri=uri,
        title=uri.rsplit("/", 1)[-1],
        media_type="text/plain",
        body_sha256=digest,
        body_bytes=len(data),
        text_sha256=digest,
        text_chars=len(text),
        reader_version="test",
        taken_at=timezone.now(),
    )


def make_evidence(
    organization: Organization,
    by: User,
    *,
    text: str = BLEACH,
    answers: Sequence[tuple[str, str, Sequence[str]]] = ANSWERS,
    case_fields: Mapping[str, object] | None = None,
) -> EvidenceRows:
    """A case whose one run is completed, with facts, three questions and quotes."""
    case = make_case(organization, by, **(case_fields or {}))
    now = timezone.now()
    run = make_run(
        case,
        by,
        status=RunStatus.COMPLETED,
        stop_reason="completed",
        started_at=now,
        finished_at=now,
        attempts=1,
    )
    run.dossier.collected_at = now
    run.dossier.save()
    snapshot = make_snapshot(organization, URI, text)
    Source.objects.create(
        dossier=run.dossier,
        position=0,
        uri=URI,
        origin="collector",
        snapshot=snapshot,
    )
    _make_lookups(run.dossier)
    citations: list[Citation] = []
    for position, (key, wording, quotes) in enumerate(answers):
        question = Question.objects.create(
            run=run,
            position=position,
            key=key,
            wording=wording,
            outcome=QuestionOutcome.ANSWERED
            if quotes
            else QuestionOutcome.SEARCHED_NOT_FOUND,
            searches='["advisory vulnerability CVE"]',
            sources_read=1,
        )
        for quote in quotes:
            citations.append(_make_claim(run, question, snapshot, text, quote))
    return EvidenceRows(case, run.dossier, run, snapshot, citations)


def _make_lookups(dossier: Dossier) -> None:
    found = Lookup.objects.create(
        dossier=dossier,
        position=0,
        source="installed distribution",
        uri=URI,
        outcome=Outcome.FOUND,
        latency_ms=3,
    )
    Fact.objects.create(
        lookup=found,
        position=0,
        name="licence",
        value="Apache-2.0",
        tier="declared",
        uri=URI,
    )
    Fact.objects.create(
        lookup=found, position=1, name="native code", value="none", tier="observed"
    )
    Lookup.objects.create(
        dossier=dossier,
        position=1,
        source="licence files",
        outcome=Outcome.ABSENT,
    )
    Lookup.objects.create(
        dossier=dossier,
        position=2,
        source="entry points",
        outcome=Outcome.UNKNOWN,
        reason="entry_points.txt cannot be read: it is not UTF-8.",
    )


def _make_claim(
    run: Run, question: Question, snapshot: Snapshot, text: str, quote: str
) -> Citation:
    position = run.claims.count()
    claim = Claim.objects.create(
        run=run,
        question=question,
        position=position,
        statement=quote,
        tier=ClaimTier.PUBLISHER,
    )
    match = locate(quote, text)
    assert match is not None, quote
    return Citation.objects.create(
        claim=claim,
        snapshot=snapshot,
        position=0,
        quote=quote,
        grade=match.grade,
        start=match.start,
        end=match.end,
        byte_start=match.byte_start,
        byte_end=match.byte_end,
        crosses_blocks=match.crosses_blocks,
    )
