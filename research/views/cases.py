"""The list of cases, and asking for a new one."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from accounts.actor import Actor, require
from accounts.errors import ProductError
from accounts.models import Feature
from accounts.permissions import Action
from accounts.queries import enabled_features, feature_enabled
from research.forms import AskForm, documents_of
from research.presentation.readers import readers_for
from research.presentation.words import CASE_STATUSES
from research.queries import cases_of
from research.services.ask import ask_for
from research.services.start_run import start_run
from research.states import CaseStatus
from research.subjects.identity import parse_subject
from research.views.entrance import member_page

PAGE_SIZE = 50
FILLED_IN = ("kind", "subject")


@require_safe
@member_page
def case_list(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Newest change first; `?status=` keeps one status, `?page=` turns the page."""
    require(actor, Action.VIEW, actor.organization)
    cases = cases_of(actor.organization)
    status = request.GET.get("status", "")
    if status in CaseStatus.values:
        cases = cases.filter(status=status)
    else:
        status = ""
    page = Paginator(cases, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "organization": actor.organization,
        "page": page,
        "status": status,
        "statuses": list(CASE_STATUSES.items()),
        "may_ask": actor.may(Action.ASK),
    }
    return render(request, "research/case_list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@member_page
def case_new(request: HttpRequest, actor: Actor) -> HttpResponse:
    """A form to ask; `?kind=` and `?subject=` fill in what for."""
    require(actor, Action.ASK, actor.organization)
    features = enabled_features(actor.organization)
    may_start = actor.may(Action.START_RUN) and Feature.MCP_RESEARCH in features
    readers = readers_for(actor.organization, features) if may_start else ()
    if request.method != "POST":
        filled_in = {key: request.GET.get(key, "") for key in FILLED_IN}
        form = AskForm(initial=filled_in, readers=readers)
        return _ask_page(request, actor, form, may_start=may_start)
    form = AskForm(request.POST, request.FILES, readers=readers)
    if not form.is_valid():
        return _ask_page(request, actor, form, may_start=may_start, status=400)
    try:
        case_id = _ask(actor, form)
    except ProductError as refused:
        form.refuse(refused)
        status = refused.status
        return _ask_page(request, actor, form, may_start=may_start, status=status)
    return redirect("case_page", slug=actor.organization.slug, case_id=case_id)


def _ask(actor: Actor, form: AskForm) -> str:
    """The case's id. Ask and run are written together or not at all."""
    data = form.cleaned_data
    subject = parse_subject(data["subject"], data["kind"] or None)
    justification = data["justification"]
    if not data["start_now"]:
        ask = ask_for(by=actor, subject=subject, justification=justification)
        return ask.case.public_id
    run = start_run(
        by=actor,
        subject=subject,
        documents=documents_of(data["documents"]),
        researcher=data["researcher"],
        justification=justification,
    )
    return run.case.public_id


def _ask_page(
    request: HttpRequest,
    actor: Actor,
    form: AskForm,
    *,
    may_start: bool,
    status: int = 200,
) -> HttpResponse:
    context = {
        "organization": actor.organization,
        "form": form,
        "may_start": may_start,
        "approval_on": feature_enabled(actor.organization, Feature.MCP_APPROVAL),
    }
    return render(request, "research/case_new.html", context, status=status)
