"""The addresses of the pages; the organization's slug comes first."""

from django.urls import path

from research.views.case_page import case_decide, case_page
from research.views.cases import case_list, case_new
from research.views.home import home
from research.views.runs import run_cancel, run_page, run_start
from research.views.snapshots import snapshot_page

CASES = "o/<slug:slug>/cases/"
CASE = f"{CASES}<slug:case_id>/"
RUN = "o/<slug:slug>/runs/<slug:run_id>/"

urlpatterns = [
    path("", home, name="home"),
    path(CASES, case_list, name="case_list"),
    path(f"{CASES}new/", case_new, name="case_new"),
    path(CASE, case_page, name="case_page"),
    path(f"{CASE}decide/", case_decide, name="case_decide"),
    path(f"{CASE}runs/", run_start, name="run_start"),
    path(RUN, run_page, name="run_page"),
    path(f"{RUN}cancel/", run_cancel, name="run_cancel"),
    path(
        "o/<slug:slug>/snapshots/<slug:snapshot_id>/",
        snapshot_page,
        name="snapshot_page",
    ),
]
