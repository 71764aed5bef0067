"""Ends a run: order what the agent recorded, prove it, store it, close the run."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.db import transaction

from chat import engine
from chat.output_gate import Answer
from research.agent.extraction import (
    ClaimDraft,
    QuestionOutcome,
    QuestionState,
    answered_calls,
    claim_drafts,
    question_outcomes,
)
from research.agent.validation import Rejection, Validated, validate
from research.canonical import canonical_json
from research.models import Case, Dossier, Question, Run
from research.queries import evidence_digest
from research.services.claim_run import MAX_ATTEMPTS, finish_run, postpone_run
from research.services.journal import WORTH_A_RETRY, append_event, hold_lease
from research.services.start_run import feature_fault
from research.services.verify_citations import (
    MISSING_REASON,
    CheckedClaim,
    check_claims,
    store_claims,
)
from research.states import CaseStatus, RunStatus, case_sources
from research.subjects.question import Question as AskedQuestion

NOT_PROVEN = "Its quotes were not found in the archived documents."
ALL_REJECTED = "Every claim made for it was rejected: {reasons}."
# Rejections that no row is kept for: the claim stands without the quotes cut off, or it
# cannot be written down. They are counted in the journal.
NOT_STORED = frozenset({Rejection.TOO_MANY_QUOTES, Rejection.UNSTORABLE})
NOTHING_TO_READ = (
    "There was nothing to read: no collector covers this subject, and no document was"
    " brought."
)
FAULT = "An unexpected fault stopped the run; see the log."
API_REFUSED = "The model's API refused: {head}."
# Errors that are no fault of ours and do not pass by waiting.
REFUSALS = frozenset(
    {
        engine.ErrorKind.INVALID_REQUEST,
        engine.ErrorKind.AUTHENTICATION,
        engine.ErrorKind.SPEND_CAP,
        engine.ErrorKind.UNPARSEABLE,
    }
)


@dataclass(frozen=True)
class Findings:
    """What a run leaves: its ledger of questions and its checked claims."""

    asked: Sequence[AskedQuestion]
    outcomes: Sequence[QuestionOutcome]
    claims: Sequence[CheckedClaim]
    rejected: Counter[str]
    documents: int

    @property
    def accepted(self) -> int:
        return sum(claim.accepted for claim in self.claims)


def conclude_run(
    run: Run,
    owner: str,
    result: engine.AgentResult,
    events: Sequence[engine.JournaledEvent],
    asked: Sequence[AskedQuestion],
) -> None:
    """Raises LeaseLost. Quotes are looked up before the transaction begins.

    The last attempt is written down however it ended: a partial answer is kept.
    """
    findings = _findings(run, owner, result, events, asked)
    why = _why(run, result, findings.documents, events)
    retried = not findings.accepted and result.stop in WORTH_A_RETRY
    # What was refused for its key, its form or its money is refused again.
    retried = retried and _refused(events) is None
    if retried and not _is_last_attempt(run):
        postpone_run(run, owner, why)
        return
    _write(run, owner, result, findings, why)


def _is_last_attempt(run: Run) -> bool:
    """Whether a fault ends the run as failed; postponing cancels it where asked to."""
    run.refresh_from_db(fields=["attempts", "cancel_requested_at"])
    return run.attempts >= MAX_ATTEMPTS and run.cancel_requested_at is None


def _ending(result: engine.AgentResult, findings: Findings) -> RunStatus:
    """Completed when it came to its end or found something, whatever stopped it."""
    if result.stop == engine.StopReason.CANCELLED:
        return RunStatus.CANCELLED
    went_through = result.stop == engine.StopReason.COMPLETED and findings.documents
    reviewable = went_through or findings.accepted
    return RunStatus.COMPLETED if reviewable else RunStatus.FAILED


def _why(
    run: Run,
    result: engine.AgentResult,
    documents: int,
    events: Sequence[engine.JournaledEvent],
) -> str:
    """Why there is less than was asked for, in one sentence; else empty."""
    if not documents and result.stop == engine.StopReason.COMPLETED:
        return NOTHING_TO_READ
    if result.stop == engine.StopReason.PLUGIN_HALT:
        return feature_fault(run) or result.detail
    refused = _refused(events)
    if refused and result.stop in WORTH_A_RETRY:
        return API_REFUSED.format(head=_head(refused))
    # What an exception says is for the log, not for those who read the run.
    return FAULT if result.stop == engine.StopReason.ERROR else result.detail


def _refused(events: Sequence[engine.JournaledEvent]) -> engine.ModelFailed | None:
    """The refusal that the run ended on, if it ended on one."""
    ended = [event for event in events[-3:] if not isinstance(event, engine.Stopping)]
    last = ended[-1] if ended else None
    failed = isinstance(last, engine.ModelFailed) and last.error_kind in REFUSALS
    return last if isinstance(last, engine.ModelFailed) and failed else None


def _head(failed: engine.ModelFailed) -> str:
    """The provider's own words, after the status and type where they lack it."""
    message, head = failed.message.rstrip("."), failed.head or engine.ErrorHead()
    named = " ".join(filter(None, (str(head.status or ""), head.type)))
    return message if named in message else f"{named}: {message}"


def _findings(
    run: Run,
    owner: str,
    result: engine.AgentResult,
    events: Sequence[engine.JournaledEvent],
    asked: Sequence[AskedQuestion],
) -> Findings:
    pairs = answered_calls(events)
    sources = {
        source.uri: source
        for source in run.dossier.sources.select_related("snapshot__organization")
    }
    outcomes = question_outcomes(asked, pairs, documents=len(sources), stop=result.stop)
    validated = validate(claim_drafts(pairs), asked)
    beat = partial(hold_lease, run, owner)
    checked = check_claims(_to_check(validated), sources, beat)
    rejected = Counter(str(entry.reason) for entry in validated.rejected)
    settled = _settled(outcomes, checked)
    return Findings(asked, settled, checked, rejected, len(sources))


def _to_check(validated: Validated) -> list[tuple[ClaimDraft, str]]:
    """Accepted drafts, then those rejected whole, each with its reason."""
    accepted = [(draft, "") for draft in validated.accepted]
    rejected = [
        (entry.draft, str(entry.reason))
        for entry in validated.rejected
        if entry.reason not in NOT_STORED
    ]
    return accepted + rejected


def _settled(
    outcomes: Sequence[QuestionOutcome], checked: Sequence[CheckedClaim]
) -> list[QuestionOutcome]:
    """A question whose every claim was rejected is not answered."""
    proven = {claim.draft.question for claim in checked if claim.accepted}
    return [
        _unanswered(item, checked)
        if item.outcome is QuestionState.ANSWERED and item.key not in proven
        else item
        for item in outcomes
    ]


def _unanswered(
    item: QuestionOutcome, checked: Sequence[CheckedClaim]
) -> QuestionOutcome:
    reasons = {
        claim.rejected_reason for claim in checked if claim.draft.question == item.key
    }
    words = ", ".join(sorted(reasons)).replace("_", " ")
    missing = not reasons or reasons == {MISSING_REASON}
    reason = NOT_PROVEN if missing else ALL_REJECTED.format(reasons=words)
    return replace(item, outcome=QuestionState.NOT_CHECKED, reason=reason)


@transaction.atomic
def _write(
    run: Run, owner: str, result: engine.AgentResult, findings: Findings, why: str
) -> None:
    # The case first, as everywhere: a decision waits until this has committed.
    case = Case.objects.select_for_update().get(pk=run.case_id)
    append_event(run, owner, "run.finished", _summary(result, findings))
    rows = _store_questions(run, findings)
    store_claims(run, findings.claims, rows)
    status = _ending(result, findings)
    Run.objects.filter(pk=run.pk).update(
        answer=canonical_json(Answer.of(result).to_json())
    )
    finish_run(
        run,
        owner,
        status,
        stop_reason=result.stop,
        error=why,
        report=canonical_json(result.report.to_json()),
    )
    if status == RunStatus.COMPLETED:
        _settle_decision(case, run.dossier)


def _store_questions(run: Run, findings: Findings) -> dict[str, Question]:
    pairs = zip(findings.asked, findings.outcomes, strict=True)
    rows = [
        Question(
            run=run,
            position=position,
            key=asked.key,
            wording=asked.wording,
            outcome=item.outcome.value,
            reason=item.reason[:500],
            searches=canonical_json(list(item.searches)),
            sources_read=len(item.sources_read),
        )
        for position, (asked, item) in enumerate(pairs)
    ]
    Question.objects.bulk_create(rows)
    return {row.key: row for row in rows}


def _summary(result: engine.AgentResult, findings: Findings) -> dict[str, Any]:
    return {
        "stop": result.stop,
        "status": result.status,
        "claims": len(findings.claims),
        "accepted": findings.accepted,
        "rejected": dict(findings.rejected),
    }


def _settle_decision(case: Case, dossier: Dossier) -> None:
    """A decision stands for the case while the evidence is what it was made on."""
    decision = case.decisions.order_by("-at", "-id").first()
    if decision and decision.evidence_digest == evidence_digest(dossier):
        if case.status == CaseStatus.SUPERSEDED:
            case.status = CaseStatus(decision.verdict)
    elif decision and case.status in case_sources(CaseStatus.SUPERSEDED):
        case.status = CaseStatus.SUPERSEDED
    case.save(update_fields=["status", "changed_at"])
