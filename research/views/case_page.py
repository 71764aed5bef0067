"""The case: its evidence on the left, the archived page of a quote on the right."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts.actor import Actor, require
from accounts.errors import NotFound, ProductError
from accounts.models import Feature
from accounts.permissions import Action
from accounts.queries import enabled_features
from research.evidence import Evidence, load_evidence
from research.forms import DecideForm, RunForm
from research.models import Case, Citation, Run, Verdict
from research.presentation.readers import readers_for
from research.queries import CaseHistory, case_by_id
from research.services.decide import Ruling, decide
from research.services.passages import page_of
from research.services.start_run import RUN_FEATURES
from research.views.entrance import member_page

DECIDED = {
    Verdict.APPROVED: "Your approval is recorded, with the evidence it rests on.",
    Verdict.DENIED: "Your denial is recorded, with the evidence it rests on.",
}


@dataclass(frozen=True)
class View:
    """What the address asks to see of a case."""

    dossier: str = ""
    citation: str = ""
    form: DecideForm = field(default_factory=DecideForm)
    notice: str = ""
    status: int = 200


@require_safe
@member_page
def case_page(request: HttpRequest, actor: Actor, case_id: str) -> HttpResponse:
    """`?citation=` shows a quote in its page, `?dossier=` an earlier dossier."""
    require(actor, Action.VIEW, actor.organization)
    case = case_by_id(actor.organization, case_id)
    view = View(request.GET.get("dossier", ""), request.GET.get("citation", ""))
    return _case_page(request, actor, case, view)


@require_POST
@member_page
def case_decide(request: HttpRequest, actor: Actor, case_id: str) -> HttpResponse:
    """Back to the case when decided; else the case as it stands now, words kept."""
    case = case_by_id(actor.organization, case_id)
    require(actor, Action.DECIDE, actor.organization)
    form = DecideForm(request.POST)
    if not form.is_valid():
        return _case_page(request, actor, case, View(form=form, status=400))
    try:
        decision = decide(by=actor, case=case, ruling=_ruling(form))
    except ProductError as refused:
        return _refused(request, actor, case, form, refused)
    messages.success(request, DECIDED[Verdict(decision.verdict)])
    return redirect(f"{_address(actor, case)}#{decision.public_id}")


def _ruling(form: DecideForm) -> Ruling:
    data = form.cleaned_data
    return Ruling(
        verdict=data["verdict"],
        rationale=data["rationale"],
        conditions=data["conditions"],
        expires_at=form.expires_at(),
        evidence_digest=data["evidence_digest"],
    )


def _refused(
    request: HttpRequest,
    actor: Actor,
    case: Case,
    form: DecideForm,
    refused: ProductError,
) -> HttpResponse:
    """After 412 the words stay and the verdict is to be chosen anew."""
    if refused.status != 412:
        form.refuse(refused)
        view = View(form=form, status=refused.status)
        return _case_page(request, actor, case, view)
    kept = {**form.cleaned_data, "verdict": None}
    view = View(form=DecideForm(initial=kept), notice=refused.message, status=412)
    return _case_page(request, actor, case, view)


def _case_page(
    request: HttpRequest, actor: Actor, case: Case, view: View
) -> HttpResponse:
    history = CaseHistory(case)
    newest = history.current_dossier
    dossier = history.dossier(view.dossier) if view.dossier else newest
    evidence = load_evidence(dossier) if dossier else None
    earlier = dossier is not None and dossier != newest
    features = enabled_features(actor.organization)
    permissions = _permissions(actor, features)
    context = {
        "organization": actor.organization,
        "case": case,
        # Links name the whole address: after a refused form it is another one.
        "case_href": _address(actor, case),
        "history": history,
        "dossiers": history.dossiers.newest,
        "earlier": earlier,
        "evidence": evidence,
        "run": _latest_run(history, evidence),
        "asks": history.asks.newest,
        "decisions": history.decisions.newest,
        "notice": view.notice,
        **permissions,
        **_weighing(actor, evidence, view.citation, earlier=earlier),
        **_forms(evidence, view),
        "run_form": _run_form(actor, features) if permissions["research_on"] else None,
    }
    return render(request, "research/case.html", context, status=view.status)


def _latest_run(history: CaseHistory, evidence: Evidence | None) -> Run | None:
    """Every run opens a dossier, so that of the newest dossier is at hand already."""
    listed = history.dossiers.newest
    if evidence and evidence.run and evidence.dossier == listed[0]:
        return evidence.run
    return history.latest_run


def _address(actor: Actor, case: Case) -> str:
    return reverse("case_page", args=[actor.organization.slug, case.public_id])


def _permissions(actor: Actor, features: Collection[str]) -> dict[str, bool]:
    may_start = actor.may(Action.START_RUN)
    return {
        "approval_on": Feature.MCP_APPROVAL in features,
        "may_ask": actor.may(Action.ASK),
        "may_decide": actor.may(Action.DECIDE),
        "may_start": may_start,
        "research_on": may_start and RUN_FEATURES.issubset(features),
    }


def _weighing(
    actor: Actor, evidence: Evidence | None, citation: str, *, earlier: bool
) -> dict[str, Any]:
    """The chosen quote in its page, and its neighbours in reading order."""
    if evidence is None:
        if citation:
            raise _no_citation()
        return {}
    query = f"{urlencode({'dossier': evidence.dossier.public_id})}&" if earlier else ""
    if not citation:
        return {"citation_query": query}
    order = evidence.citations
    place = _place(order, citation)
    chosen = order[place]
    # The same row the actor came by: asking the database for it again is waste.
    chosen.snapshot.organization = actor.organization
    return {
        "citation_query": query,
        "chosen": chosen,
        "place": place + 1,
        "previous": order[place - 1] if place else None,
        "next": order[place + 1] if place + 1 < len(order) else None,
        "passage": page_of(chosen),
    }


def _place(citations: list[Citation], public_id: str) -> int:
    for place, citation in enumerate(citations):
        if citation.public_id == public_id:
            return place
    raise _no_citation()


def _no_citation() -> NotFound:
    message = "There is no such citation in this dossier."
    return NotFound(message, code="citation_not_found")


def _run_form(actor: Actor, features: Collection[str]) -> RunForm:
    return RunForm(readers=readers_for(actor.organization, features))


def _forms(evidence: Evidence | None, view: View) -> dict[str, Any]:
    """A form that is shown again carries the digest of what is shown with it."""
    return {
        "form": view.form,
        "digest": evidence.digest if evidence else "",
    }
