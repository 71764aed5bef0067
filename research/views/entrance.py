"""What every page of an organization shares: who asks, and how a refusal is shown."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.actor import Actor
from accounts.errors import NotFound, ProductError
from accounts.queries import actor_for

Rest = ParamSpec("Rest")
PageView = Callable[Concatenate[HttpRequest, Actor, Rest], HttpResponse]

HEADINGS = {
    400: "That could not be used",
    403: "You may not do this",
    404: "There is nothing here",
    409: "Not now",
    412: "The evidence has moved on",
    413: "That is too much at once",
}
NEXT_STEPS = {
    400: "Go back, correct it and send it again.",
    403: "Ask an owner or admin of the organization if you need it.",
    404: "Check the address, or look for it among the cases.",
    409: "Open the case to see how it stands now.",
    412: "Open the case, read what changed, then decide.",
    413: "Send fewer or smaller documents.",
}
FEATURE_OFF = "Ask an owner or admin of the organization to have it switched on."


def member_page(
    view: PageView[Rest],
) -> Callable[..., HttpResponse]:
    """Signs in, finds the actor by the slug, and turns a ProductError into a page."""

    @wraps(view)
    @login_required
    def page(
        request: HttpRequest, slug: str, *args: Rest.args, **kwargs: Rest.kwargs
    ) -> HttpResponse:
        try:
            actor = actor_for(request.user, slug)
        except NotFound as refused:
            return problem_page(request, refused)
        try:
            return view(request, actor, *args, **kwargs)
        except ProductError as refused:
            return problem_page(request, refused, actor)

    return page


def problem_page(
    request: HttpRequest, refused: ProductError, actor: Actor | None = None
) -> HttpResponse:
    """One sentence, the status, and what to do next."""
    next_step = NEXT_STEPS.get(refused.status, NEXT_STEPS[400])
    context = {
        "heading": HEADINGS.get(refused.status, HEADINGS[400]),
        "sentence": refused.message,
        "next_step": FEATURE_OFF if refused.code == "feature_off" else next_step,
        "organization": actor.organization if actor else None,
    }
    return render(request, "problem.html", context, status=refused.status)
