"""Ends a run: order what the agent recorded, prove it, store it, close the run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from chat import engine
from research.agent.extraction import QuestionResult, extract
from research.agent.validation import validate
from research.canonical import canonical_json
from research.models import Case, Question, QuestionOutcome, Run
from research.queries import evidence_digest
from research.services.claim_run import finish_run, postpone_run
from research.services.journal import WORTH_A_RETRY, append_event
from research.services.verify_citations import (
    CheckedClaim,
    check_claims,
    store_claims,
)
from research.states import CaseStatus, RunStatus, case_sources
from research.subjects.questions import Question as AskedQuestion


@dataclass(frozen=True)
class Findings:
    """What a run leaves: its ledger of questions and its checked claims."""

    questions: Sequence[QuestionResult]
    claims: Sequence[CheckedClaim]

    @property
    def accepted(self) -> int:
        return sum(claim.accepted for claim in self.claims)


def conclude_run(
    run: Run,
    owner: str,
    result: engine.AgentResult,
    events: Sequence[engine.Event],
    asked: Sequence[AskedQuestion],
) -> None:
    """Raises LeaseLost. Quotes are looked up before the transaction begins."""
    extracted = extract(events, asked, stop=result.stop)
    sources = {
        source.uri: source
        for source in run.dossier.sources.select_related("snapshot__organization")
    }
    checked = check_claims(validate(extracted.claims, asked), sources)
    findings = Findings(_settled(extracted.questions, checked), checked)
    if not findings.accepted and result.stop in WORTH_A_RETRY:
        postpone_run(run, owner, f"The researcher stopped early: {result.stop}.")
        return
    _write(run, owner, result, findings)


def _settled(
    questions: Sequence[QuestionResult], checked: Sequence[CheckedClaim]
) -> list[QuestionResult]:
    """A question whose every claim was rejected is not answered."""
    proven = {claim.draft.question for claim in checked if claim.accepted}
    return [
        question
        if question.outcome != "answered" or question.key in proven
        else question.unproven()
        for question in questions
    ]


@transaction.atomic
def _write(
    run: Run, owner: str, result: engine.AgentResult, findings: Findings
) -> None:
    append_event(run, owner, "run.finished", _summary(result, findings))
    rows = {item.key: _question(run, item) for item in findings.questions}
    Question.objects.bulk_create(rows.values())
    store_claims(run, findings.claims, rows)
    cancelled = result.stop == engine.StopReason.CANCELLED
    status = RunStatus.CANCELLED if cancelled else RunStatus.COMPLETED
    finish_run(
        run,
        owner,
        status,
        stop_reason=result.stop,
        report=canonical_json(result.report.to_json()),
    )
    _supersede(run)


def _question(run: Run, item: QuestionResult) -> Question:
    return Question(
        run=run,
        position=item.position,
        key=item.key,
        wording=item.wording,
        outcome=QuestionOutcome(item.outcome),
        reason=item.reason[:500],
        searches=canonical_json(list(item.searches)),
        sources_read=item.sources_read,
    )


def _summary(result: engine.AgentResult, findings: Findings) -> Mapping[str, object]:
    return {
        "stop": result.stop,
        "status": result.status,
        "claims": len(findings.claims),
        "accepted": findings.accepted,
    }


def _supersede(run: Run) -> None:
    """A decision on other evidence than this no longer stands for the case."""
    decision = run.case.decisions.order_by("-at", "-id").first()
    if decision is None or decision.evidence_digest == evidence_digest(run.dossier):
        return
    Case.objects.filter(
        pk=run.case_id, status__in=case_sources(CaseStatus.SUPERSEDED)
    ).update(status=CaseStatus.SUPERSEDED)
