"""Where a person lands after signing in."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.queries import organizations_for


@require_safe
@login_required
def home(request: HttpRequest) -> HttpResponse:
    """The cases of the only organization, a choice of several, or what to do."""
    organizations = list(organizations_for(request.user))
    if len(organizations) == 1:
        return redirect("case_list", slug=organizations[0].slug)
    return render(request, "accounts/home.html", {"organizations": organizations})
