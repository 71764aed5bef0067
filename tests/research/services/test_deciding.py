"""A decision stands on exactly the evidence that its maker was shown."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.errors import (
    BadInput,
    Conflict,
    FeatureOff,
    NotAllowed,
    NotFound,
    PreconditionFailed,
)
from accounts.models import AuditEntry, User
from accounts.queries import actor_for
from research.models import Decision, Lookup
from research.queries import evidence_digest
from research.services.ask import ask_for
from research.services.decide import Ruling, decide
from research.states import CaseStatus
from research.subjects.identity import parse_subject
from tests.factories.accounts import Cast, enable, make_cast
from tests.factories.research import EvidenceRows, make_case, make_evidence

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    cast = make_cast()
    enable(cast.organization, "mcp_approval", "mcp_research")
    return cast


@pytest.fixture
def rows(cast: Cast) -> EvidenceRows:
    return make_evidence(cast.organization, cast.ben)


def member(cast: Cast, user: User) -> Actor:
    return actor_for(user, cast.organization.slug)


def ruling(rows: EvidenceRows, **fields: object) -> Ruling:
    values = {
        "verdict": "denied",
        "rationale": "It is no longer maintained.",
        "evidence_digest": evidence_digest(rows.dossier),
        **fields,
    }
    return Ruling(**values)


def test_a_reviewer_decides_and_the_digest_is_frozen(
    cast: Cast, rows: EvidenceRows
) -> None:
    decision = decide(by=member(cast, cast.ben), case=rows.case, ruling=ruling(rows))
    rows.case.refresh_from_db()
    assert rows.case.status == CaseStatus.DENIED
    assert decision.evidence_digest == evidence_digest(rows.dossier)
    assert decision.dossier == rows.dossier
    assert AuditEntry.objects.filter(action="case.denied").count() == 1


def test_a_decision_on_evidence_that_moved_on_is_refused_whole(
    cast: Cast, rows: EvidenceRows
) -> None:
    shown = ruling(rows)
    Lookup.objects.create(
        dossier=rows.dossier, position=9, source="later", outcome="absent"
    )
    with pytest.raises(PreconditionFailed):
        decide(by=member(cast, cast.ben), case=rows.case, ruling=shown)
    assert Decision.objects.count() == 0


def test_a_member_may_ask_but_not_decide(cast: Cast, rows: EvidenceRows) -> None:
    with pytest.raises(NotAllowed):
        decide(by=member(cast, cast.mia), case=rows.case, ruling=ruling(rows))


def test_another_organizations_case_is_not_found(
    cast: Cast, rows: EvidenceRows
) -> None:
    cy = actor_for(cast.cy, cast.other_organization.slug)
    with pytest.raises(NotFound):
        decide(by=cy, case=rows.case, ruling=ruling(rows))


def test_a_case_without_evidence_cannot_be_decided(cast: Cast) -> None:
    case = make_case(cast.organization, cast.ben)
    wanted = Ruling("approved", "It looks fine.", "0" * 64)
    with pytest.raises(Conflict):
        decide(by=member(cast, cast.ben), case=case, ruling=wanted)


def test_with_the_feature_off_nobody_decides(cast: Cast, rows: EvidenceRows) -> None:
    cast.organization.features.update(enabled=False)
    with pytest.raises(FeatureOff):
        decide(by=member(cast, cast.ben), case=rows.case, ruling=ruling(rows))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("verdict", "maybe"),
        ("rationale", "   "),
        ("rationale", "x" * 10_001),
        ("conditions", "x" * 10_001),
    ],
)
def test_what_makes_no_decision_is_refused_by_field(
    cast: Cast, rows: EvidenceRows, field: str, value: str
) -> None:
    with pytest.raises(BadInput) as caught:
        decide(
            by=member(cast, cast.ben),
            case=rows.case,
            ruling=ruling(rows, **{field: value}),
        )
    assert caught.value.field == field


def test_a_decision_that_would_have_expired_already_is_refused(
    cast: Cast, rows: EvidenceRows
) -> None:
    past = timezone.now() - timedelta(days=1)
    with pytest.raises(BadInput):
        decide(
            by=member(cast, cast.ben),
            case=rows.case,
            ruling=ruling(rows, expires_at=past),
        )


def test_asking_opens_a_case_and_asking_again_joins_it(cast: Cast) -> None:
    subject = parse_subject("pkg:pypi/httpx")
    by = member(cast, cast.mia)
    first = ask_for(by=by, subject=subject, justification="We need it.")
    second = ask_for(by=by, subject=subject, justification="Still do.")
    assert first.case == second.case
    assert second.case.asks.count() == 2
    second.case.refresh_from_db()
    assert second.case.status == CaseStatus.REQUESTED


@pytest.mark.parametrize(
    ("verdict", "afterwards"),
    [("denied", CaseStatus.REQUESTED), ("approved", CaseStatus.APPROVED)],
)
def test_asking_again_reopens_a_denial_and_leaves_an_approval_standing(
    cast: Cast, rows: EvidenceRows, verdict: str, afterwards: CaseStatus
) -> None:
    wanted = ruling(rows, verdict=verdict)
    decide(by=member(cast, cast.ben), case=rows.case, ruling=wanted)
    subject = parse_subject("pkg:pypi/bleach")
    ask_for(by=member(cast, cast.mia), subject=subject, justification="Please.")
    rows.case.refresh_from_db()
    assert rows.case.status == afterwards


def test_an_ask_needs_a_justification(cast: Cast) -> None:
    subject = parse_subject("pkg:pypi/httpx")
    with pytest.raises(BadInput):
        ask_for(by=member(cast, cast.mia), subject=subject, justification=" ")


def test_the_digest_ignores_ids_and_times_but_no_quote(cast: Cast) -> None:
    first = make_evidence(cast.organization, cast.ben)
    second = make_evidence(
        cast.other_organization, cast.cy, case_fields={"title": "another title"}
    )
    assert evidence_digest(first.dossier) == evidence_digest(second.dossier)
    answers = [("licence", "What licence is it under?", [])]
    third = make_evidence(
        cast.organization,
        cast.ben,
        answers=answers,
        case_fields={"subject_key": "pkg:pypi/bleach2"},
    )
    assert evidence_digest(third.dossier) != evidence_digest(first.dossier)
