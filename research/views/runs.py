"""Starting, following and cancelling a run."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.actor import Actor, require
from accounts.errors import BadInput
from accounts.permissions import Action
from accounts.queries import enabled_features
from research.forms import RunForm, documents_of
from research.models import Case
from research.presentation.answers import answer_of
from research.presentation.journal import api_errors
from research.presentation.readers import readers_for
from research.queries import case_by_id, run_by_id
from research.services.cancel_run import cancel_run
from research.services.start_run import start_run
from research.subjects.identity import Subject, SubjectKind
from research.views.entrance import member_page
from research.views.progress import progress_of


@require_POST
@member_page
def run_start(request: HttpRequest, actor: Actor, case_id: str) -> HttpResponse:
    """A new run on the newest version of the case's subject."""
    case = case_by_id(actor.organization, case_id)
    require(actor, Action.START_RUN, actor.organization)
    readers = readers_for(actor.organization, enabled_features(actor.organization))
    form = RunForm(request.POST, request.FILES, readers=readers)
    if not form.is_valid():
        field, faults = next(iter(form.errors.items()))
        raise BadInput(" ".join(map(str, faults)), field=field)
    run = start_run(
        by=actor,
        subject=_subject_of(case),
        documents=documents_of(form.cleaned_data["documents"]),
        researcher=form.cleaned_data["researcher"],
    )
    return redirect("run_page", slug=actor.organization.slug, run_id=run.public_id)


@require_safe
@member_page
def run_page(request: HttpRequest, actor: Actor, run_id: str) -> HttpResponse:
    """Where the run stands, and its journal in plain sentences."""
    require(actor, Action.VIEW, actor.organization)
    run = run_by_id(actor.organization, run_id)
    context = {
        "organization": actor.organization,
        "run": run,
        "case": run.case,
        "progress": progress_of(run),
        "answer": answer_of(run),
        "api_errors": api_errors(run),
        "may_cancel": actor.may(Action.START_RUN) and not run.is_terminal,
    }
    return render(request, "research/run.html", context)


@require_POST
@member_page
def run_cancel(request: HttpRequest, actor: Actor, run_id: str) -> HttpResponse:
    run = run_by_id(actor.organization, run_id)
    cancel_run(by=actor, run=run)
    messages.success(request, "The run is asked to stop.")
    return redirect("run_page", slug=actor.organization.slug, run_id=run_id)


def _subject_of(case: Case) -> Subject:
    """Without a version: the run pins the one that is there now."""
    kind = SubjectKind(case.subject_kind)
    return Subject(kind, case.subject_key, None, case.title)
