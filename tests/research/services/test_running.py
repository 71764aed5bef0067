"""A run from start to end, and whatever may come between."""

import json
from collections.abc import Callable

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.errors import BadInput, Conflict, FeatureOff, NotAllowed, NotFound
from accounts.models import UsageRecord
from accounts.services import set_platform_switch
from chat import engine
from research.evidence import load_evidence
from research.models import (
    Case,
    Claim,
    ClaimTier,
    Decision,
    Grade,
    QuestionOutcome,
    Run,
)
from research.queries import evidence_digest, newest_dossier
from research.services.bring_documents import Document
from research.services.cancel_run import cancel_run
from research.services.decide import Ruling, decide
from research.services.execute_run import execute_run
from research.services.journal import broken_link
from research.services.researchers import RESEARCHERS
from research.services.start_run import start_run
from research.states import CaseStatus, RunStatus
from research.subjects.identity import parse_subject
from tests.factories.accounts import Cast, enable, make_cast, make_user

pytestmark = pytest.mark.django_db

POLICY = b"Access logs are kept for 30 days. After that they are deleted.\n"
QUESTION = "For how many days are access logs kept?"


class Killed(BaseException):
    """What SIGKILL would be, if it could be caught: nothing cleans up."""


@pytest.fixture
def cast() -> Cast:
    cast = make_cast()
    enable(cast.organization, "mcp_approval", "mcp_research")
    return cast


@pytest.fixture
def ben(cast: Cast) -> Actor:
    return cast.actor(cast.ben)


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Callable[[engine.Model], None]:
    """Puts a scripted model where a run's researcher is looked up."""

    def install(model: engine.Model) -> None:
        monkeypatch.setitem(RESEARCHERS, "scripted", lambda: model)

    return install


def ask(by: Actor, **options: object) -> Run:
    return start_run(
        by=by,
        subject=parse_subject(QUESTION, "question"),
        documents=[Document("policy.txt", POLICY)],
        ring_bell=False,
        **options,
    )


def execute(run: Run) -> Run:
    execute_run(run.public_id, owner="worker")
    run.refresh_from_db()
    return run


def fall_silent(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(lease_expires_at=timezone.now())


def test_a_question_over_a_document_ends_with_a_proven_quote(ben: Actor) -> None:
    run = execute(ask(ben))
    evidence = load_evidence(run.dossier)
    assert (run.status, run.stop_reason) == (RunStatus.COMPLETED, "completed")
    assert [row.quote for row in evidence.citations] == [
        "Access logs are kept for 30 days."
    ]
    assert evidence.citations[0].grade == Grade.EXACT
    assert broken_link(run) is None
    assert json.loads(run.report)["stop"] == "completed"


def test_what_no_document_answers_is_searched_and_not_found(ben: Actor) -> None:
    run = start_run(
        by=ben,
        subject=parse_subject("Which court has jurisdiction?", "question"),
        documents=[Document("policy.txt", POLICY)],
        ring_bell=False,
    )
    execute(run)
    (question,) = load_evidence(run.dossier).questions
    assert question.outcome == QuestionOutcome.SEARCHED_NOT_FOUND
    assert json.loads(question.searches)
    assert run.status == RunStatus.COMPLETED


def test_a_question_without_documents_is_not_checked(ben: Actor) -> None:
    subject = parse_subject("Which court has jurisdiction?", "question")
    run = execute(start_run(by=ben, subject=subject, ring_bell=False))
    (question,) = load_evidence(run.dossier).questions
    assert question.outcome == QuestionOutcome.NOT_CHECKED
    assert question.reason


def test_a_run_that_had_nothing_to_read_is_not_completed(ben: Actor) -> None:
    first = execute(ask(ben))
    subject = parse_subject(QUESTION, "question")
    second = execute(start_run(by=ben, subject=subject, ring_bell=False))
    assert second.status == RunStatus.FAILED
    assert second.error.startswith("There was nothing to read")
    assert newest_dossier(second.case) == first.dossier


def test_a_document_may_have_any_name_that_can_be_shown(ben: Actor) -> None:
    run = start_run(
        by=ben,
        subject=parse_subject(QUESTION, "question"),
        documents=[Document("my notes/100 % (é) 日本.txt", POLICY)],
        ring_bell=False,
    )
    execute(run)
    (citation,) = load_evidence(run.dossier).citations
    assert citation.snapshot.uri == "document:my%20notes/100%20%25%20(é)%20日本.txt"
    assert citation.snapshot.title == "my notes/100 % (é) 日本.txt"


def test_what_tools_wrote_into_a_package_is_nobodys_word(ben: Actor) -> None:
    subject = parse_subject("pkg:pypi/bleach")
    run = execute(start_run(by=ben, subject=subject, ring_bell=False))
    tiers = {
        citation.snapshot.uri.rpartition("/")[2]: citation.claim.tier
        for citation in load_evidence(run.dossier).citations
    }
    assert tiers["METADATA"] == ClaimTier.PUBLISHER
    assert tiers["WHEEL"] == ClaimTier.OBSERVED


def test_every_model_call_leaves_a_usage_record(ben: Actor, cast: Cast) -> None:
    run = execute(ask(ben))
    records = UsageRecord.objects.for_organization(cast.organization)
    replies = run.events.filter(kind="model_replied").count()
    assert records.filter(subject_ref=run.public_id).count() == replies > 0
    assert {record.usage_source for record in records} == {"mcp-research"}


def test_a_second_delivery_of_a_finished_run_does_nothing(ben: Actor) -> None:
    run = execute(ask(ben))
    before = run.events.count()
    assert execute_run(run.public_id, owner="late") is False
    assert run.events.count() == before


@pytest.mark.django_db(transaction=True)
def test_a_run_killed_at_any_event_ends_with_the_same_evidence() -> None:
    cast = make_cast()
    enable(cast.organization, "mcp_approval", "mcp_research")
    ben = cast.actor(cast.ben)
    reference = execute(ask(ben))
    events = reference.events.count()
    wanted = evidence_digest(reference.dossier)
    for cut in range(1, events - 1):
        run = ask(ben)
        with pytest.raises(Killed):
            execute_run(run.public_id, owner="doomed", on_event=_killer(cut))
        fall_silent(run)
        execute(run)
        assert run.status == RunStatus.COMPLETED, cut
        assert evidence_digest(run.dossier) == wanted, cut
        replies = run.events.filter(kind="model_replied").count()
        assert replies == reference.events.filter(kind="model_replied").count(), cut
        assert broken_link(run) is None


def _killer(cut: int) -> Callable[[engine.Event], None]:
    seen = 0

    def on_event(event: engine.Event) -> None:
        nonlocal seen
        seen += engine.is_journaled(event)
        if seen >= cut:
            raise Killed

    return on_event


def test_a_stopping_worker_hands_the_run_over(ben: Actor) -> None:
    run = ask(ben)
    execute_run(run.public_id, owner="leaving", stopping=lambda: True)
    run.refresh_from_db()
    assert (run.status, run.attempts) == (RunStatus.QUEUED, 0)
    assert execute(run).status == RunStatus.COMPLETED


def test_a_run_cancelled_in_the_queue_ends_at_once(ben: Actor) -> None:
    run = ask(ben)
    cancel_run(by=ben, run=run)
    run.refresh_from_db()
    assert (run.status, run.stop_reason) == (RunStatus.CANCELLED, "cancelled")
    assert execute_run(run.public_id, owner="worker") is False
    with pytest.raises(Conflict):
        cancel_run(by=ben, run=run)


def test_a_run_cancelled_at_work_stops_and_says_so(ben: Actor) -> None:
    run = ask(ben)
    execute_run(
        run.public_id,
        owner="worker",
        on_event=lambda event: (
            Run.objects.filter(pk=run.pk).update(cancel_requested_at=timezone.now())
            and None
        ),
    )
    run.refresh_from_db()
    assert (run.status, run.stop_reason) == (RunStatus.CANCELLED, "cancelled")


def test_an_invented_quote_is_rejected_and_never_evidence(
    ben: Actor, scripted: Callable[[engine.Model], None]
) -> None:
    invented = {
        "question": "question",
        "claim": "Logs are kept for 90 days.",
        "uri": "document:policy.txt",
        "quote": "Access logs are kept for 90 days.",
    }
    replies = [
        engine.Reply(calls=[("cite", invented)]),
        engine.Reply(text="Logs are kept for 90 days."),
    ]
    scripted(engine.ScriptedModel(replies))
    run = execute(ask(ben, researcher="scripted"))
    evidence = load_evidence(run.dossier)
    assert evidence.accepted == []
    assert evidence.citations == []
    assert Claim.objects.filter(run=run, rejected_reason="").count() == 0


def test_a_researcher_that_stays_down_fails_the_run_after_three_attempts(
    ben: Actor, scripted: Callable[[engine.Model], None]
) -> None:
    down = engine.Reply.failure(engine.ErrorKind.AUTHENTICATION)
    scripted(engine.ScriptedModel(lambda request: down))
    run = ask(ben, researcher="scripted")
    for _ in range(3):
        Run.objects.filter(pk=run.pk).update(not_before=None)
        execute(run)
    assert (run.status, run.attempts) == (RunStatus.FAILED, 3)
    assert run.error


def test_one_case_has_one_run_at_a_time(ben: Actor) -> None:
    ask(ben)
    with pytest.raises(Conflict):
        ask(ben)


def test_a_new_run_is_a_new_version_of_the_dossier(ben: Actor) -> None:
    first, second = execute(ask(ben)), execute(ask(ben))
    assert first.case == second.case
    assert (first.dossier.number, second.dossier.number) == (1, 2)


def test_newer_evidence_supersedes_a_decision_and_the_same_does_not(
    ben: Actor,
) -> None:
    run = execute(ask(ben))
    digest = evidence_digest(run.dossier)
    decide(by=ben, case=run.case, ruling=Ruling("approved", "Short enough.", digest))
    execute(ask(ben))
    assert Case.objects.get(pk=run.case_id).status == CaseStatus.APPROVED
    later = start_run(
        by=ben,
        subject=parse_subject(QUESTION, "question"),
        documents=[Document("policy.txt", POLICY.replace(b"30", b"300"))],
        ring_bell=False,
    )
    execute(later)
    assert Case.objects.get(pk=run.case_id).status == CaseStatus.SUPERSEDED
    assert Decision.objects.get().evidence_digest == digest
    execute(ask(ben))
    assert Case.objects.get(pk=run.case_id).status == CaseStatus.APPROVED


def test_a_member_may_not_start_a_run(cast: Cast) -> None:
    with pytest.raises(NotAllowed):
        ask(cast.actor(cast.mia))


@pytest.mark.parametrize("feature", ["mcp_approval", "mcp_research"])
def test_without_its_features_no_run_starts(cast: Cast, feature: str) -> None:
    cast.organization.features.filter(feature=feature).update(enabled=False)
    with pytest.raises(FeatureOff):
        ask(cast.actor(cast.ben))
    assert Case.objects.count() == 0


def test_the_kill_switch_stops_a_run_that_was_already_queued(ben: Actor) -> None:
    run = ask(ben)
    operator = make_user("root@example.org", superuser=True)
    set_platform_switch(by=operator, feature="mcp_research", off=True, reason="Stop.")
    execute(run)
    assert run.status == RunStatus.FAILED
    assert "mcp_research" in run.error


def test_a_feature_switched_off_during_a_run_fails_it_when_nothing_was_found(
    ben: Actor, cast: Cast
) -> None:
    run = ask(ben)
    features = cast.organization.features.filter(feature="mcp_research")
    execute_run(
        run.public_id,
        owner="worker",
        on_event=lambda event: features.update(enabled=False) and None,
    )
    run.refresh_from_db()
    assert (run.status, run.stop_reason) == (RunStatus.FAILED, "plugin_halt")
    assert "mcp_research" in run.error
    (question,) = load_evidence(run.dossier).questions
    assert question.outcome == QuestionOutcome.NOT_CHECKED


def test_what_was_found_before_a_stop_is_kept_and_the_run_is_completed(
    ben: Actor, cast: Cast
) -> None:
    run = ask(ben)
    features = cast.organization.features.filter(feature="mcp_research")

    def switch_off_after_a_citation(event: engine.Event) -> None:
        if isinstance(event, engine.ToolAnswered) and event.name == "cite":
            features.update(enabled=False)

    execute_run(run.public_id, owner="worker", on_event=switch_off_after_a_citation)
    run.refresh_from_db()
    assert (run.status, run.stop_reason) == (RunStatus.COMPLETED, "plugin_halt")
    assert load_evidence(run.dossier).proven == 1


def test_a_package_that_is_not_installed_starts_nothing(ben: Actor) -> None:
    subject = parse_subject("pkg:pypi/no-such-distribution")
    with pytest.raises(NotFound):
        start_run(by=ben, subject=subject, ring_bell=False)
    assert (Case.objects.count(), Run.objects.count()) == (0, 0)


def test_a_bad_document_starts_nothing(ben: Actor) -> None:
    with pytest.raises(BadInput):
        start_run(
            by=ben,
            subject=parse_subject(QUESTION, "question"),
            documents=[Document("good.txt", POLICY), Document("empty.txt", b"")],
            ring_bell=False,
        )
    assert (Case.objects.count(), Run.objects.count()) == (0, 0)


def test_an_absent_package_with_its_own_documents_is_researched(ben: Actor) -> None:
    run = start_run(
        by=ben,
        subject=parse_subject("pkg:pypi/no-such-distribution"),
        documents=[Document("README.md", b"This project is licensed under MIT.\n")],
        ring_bell=False,
    )
    execute(run)
    (lookup,) = load_evidence(run.dossier).lookups
    assert lookup.outcome == "absent"
    assert run.status == RunStatus.COMPLETED


def test_a_run_of_a_worker_has_a_deadline_even_if_its_row_says_none(
    ben: Actor, scripted: Callable[[engine.Model], None]
) -> None:
    waits: list[float | None] = []

    def answer(request: engine.ModelRequest) -> engine.Reply:
        waits.append(request.timeout_s)
        return engine.Reply(text="Nothing.")

    scripted(engine.ScriptedModel(answer))
    run = ask(ben, researcher="scripted")
    Run.objects.filter(pk=run.pk).update(deadline_s=0)
    execute(run)
    assert waits[0] is not None
