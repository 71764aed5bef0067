"""A member asks that something be let in."""

from django.db import transaction
from django.utils import timezone

from accounts.actor import Actor, require
from accounts.errors import BadInput
from accounts.models import Feature
from accounts.permissions import Action
from accounts.queries import require_feature
from accounts.services import record_audit
from research.models import Ask, Case
from research.services.open_dossier import open_case
from research.states import CaseStatus, case_sources
from research.subjects.values import Subject

MAX_TEXT = 10_000


@transaction.atomic
def ask_for(*, by: Actor, subject: Subject, justification: str) -> Ask:
    """Opens the case if there is none. Raises NotAllowed, FeatureOff or BadInput."""
    require(by, Action.ASK, by.organization)
    require_feature(by.organization, Feature.MCP_APPROVAL)
    text = checked_text(justification, field="justification")
    case = open_case(by, subject)
    ask = Ask.objects.create(case=case, asked_by=by.user, justification=text)
    Case.objects.filter(pk=case.pk).update(changed_at=timezone.now())
    Case.objects.filter(
        pk=case.pk, status__in=case_sources(CaseStatus.REQUESTED)
    ).update(status=CaseStatus.REQUESTED)
    record_audit(
        organization=by.organization,
        actor=by.user,
        action="case.asked",
        target=case.public_id,
        detail={"ask": ask.public_id},
    )
    return ask


def checked_text(text: str, *, field: str) -> str:
    """Stripped and of 1 to 10,000 characters, else BadInput names the field."""
    clean = text.strip()
    if not clean or len(clean) > MAX_TEXT or "\0" in clean:
        message = f"The {field} must have 1 to {MAX_TEXT} characters."
        raise BadInput(message, code=f"{field}_length", field=field)
    return clean
