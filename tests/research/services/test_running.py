"""A run from start to end, and what its dossier says then."""

import json
from collections.abc import Callable

import pytest

from accounts.actor import Actor
from accounts.models import UsageRecord
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
from research.services.decide import Ruling, decide
from research.services.journal import broken_link
from research.services.start_run import start_run
from research.states import CaseStatus, RunStatus
from research.subjects.identity import parse_subject
from tests.factories.accounts import Cast
from tests.research.services.runs import POLICY, QUESTION, ask, execute

pytestmark = pytest.mark.django_db


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
