"""One archived document, whole."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.actor import Actor, require
from accounts.errors import NotFound
from accounts.permissions import Action
from research.models import Citation, Snapshot
from research.queries import citation_by_id, snapshot_by_id
from research.services.passages import whole_text
from research.views.entrance import member_page


@require_safe
@member_page
def snapshot_page(request: HttpRequest, actor: Actor, snapshot_id: str) -> HttpResponse:
    """`?citation=` highlights its quote."""
    require(actor, Action.VIEW, actor.organization)
    snapshot = snapshot_by_id(actor.organization, snapshot_id)
    named = request.GET.get("citation", "")
    citation = _citation_in(actor, snapshot, named) if named else None
    context = {
        "organization": actor.organization,
        "snapshot": snapshot,
        "chosen": citation,
        "case": citation.claim.run.case if citation else None,
        "passage": whole_text(snapshot, citation),
    }
    return render(request, "research/snapshot.html", context)


def _citation_in(actor: Actor, snapshot: Snapshot, public_id: str) -> Citation:
    citation = citation_by_id(actor.organization, public_id)
    if citation.snapshot_id != snapshot.pk:
        message = "This citation is of another snapshot."
        raise NotFound(message, code="citation_not_found")
    return citation
