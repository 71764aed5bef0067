"""A reviewer decides on a case, on exactly the evidence that was shown."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts.actor import Actor, require
from accounts.errors import BadInput, Conflict, PreconditionFailed
from accounts.models import Feature
from accounts.permissions import Action
from accounts.queries import require_feature
from accounts.services import record_audit
from research.models import Case, Decision, Dossier, Verdict
from research.queries import evidence_digest, newest_dossier
from research.services.ask import checked_text
from research.states import CaseStatus, RunStatus


@dataclass(frozen=True)
class Ruling:
    """What the reviewer wrote. `evidence_digest` is that of the page it was read on."""

    verdict: str
    rationale: str
    evidence_digest: str
    conditions: str = ""
    expires_at: datetime | None = None


def decide(*, by: Actor, case: Case, ruling: Ruling) -> Decision:
    """Raises NotAllowed, FeatureOff, BadInput, Conflict or PreconditionFailed."""
    require(by, Action.DECIDE, case.organization)
    require_feature(case.organization, Feature.MCP_APPROVAL)
    rationale, verdict = _checked(ruling)
    return _write(by, case, verdict, rationale, ruling)


def _checked(ruling: Ruling) -> tuple[str, Verdict]:
    if ruling.verdict not in Verdict.values:
        message = "The verdict is approved or denied."
        raise BadInput(message, code="verdict", field="verdict")
    if ruling.expires_at is not None and ruling.expires_at <= timezone.now():
        message = "The decision would have expired already."
        raise BadInput(message, code="expires_at", field="expires_at")
    if ruling.conditions.strip():
        checked_text(ruling.conditions, field="conditions")
    return checked_text(ruling.rationale, field="rationale"), Verdict(ruling.verdict)


@transaction.atomic
def _write(
    by: Actor, case: Case, verdict: Verdict, rationale: str, ruling: Ruling
) -> Decision:
    case = Case.objects.select_for_update().get(pk=case.pk)
    dossier = _shown_dossier(case, ruling.evidence_digest)
    decision = Decision.objects.create(
        case=case,
        dossier=dossier,
        verdict=verdict,
        rationale=rationale,
        conditions=ruling.conditions.strip(),
        expires_at=ruling.expires_at,
        evidence_digest=ruling.evidence_digest,
        decided_by=by.user,
        at=timezone.now(),
    )
    case.status = CaseStatus(verdict.value)
    case.save(update_fields=["status", "changed_at"])
    record_audit(
        organization=case.organization,
        actor=by.user,
        action=f"case.{verdict.value}",
        target=case.public_id,
        detail={"decision": decision.public_id, "digest": ruling.evidence_digest},
    )
    return decision


def _shown_dossier(case: Case, digest: str) -> Dossier:
    """The newest dossier, if its evidence is still what the reviewer saw."""
    dossier = newest_dossier(case)
    runs = dossier.runs.filter(status=RunStatus.COMPLETED) if dossier else None
    if dossier is None or runs is None or not runs.exists():
        message = "There is no evidence to decide on yet; start a run first."
        raise Conflict(message, code="no_evidence")
    if evidence_digest(dossier) != digest:
        message = (
            "The evidence has changed since it was shown; read it again, then decide."
        )
        raise PreconditionFailed(message, code="evidence_moved")
    return dossier
