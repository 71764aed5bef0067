"""The API's addresses, under /api/. Schema and docs hold nobody's data: public."""

from django.urls import include, path, re_path, register_converter
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from research.api.base import NoSuchAddress
from research.api.cases import CasesView, CaseView, DecisionsView
from research.api.dossiers import DossierView
from research.api.researchers import ResearchersView
from research.api.runs import CancelView, EventsView, RunsView, RunView
from research.api.snapshots import SnapshotTextView, SnapshotView


class PublicIdConverter:
    """Anything that could be a public id; what is none meets NoSuchAddress."""

    regex = "[0-9A-Za-z_-]{1,60}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(PublicIdConverter, "api_id")

app_name = "api"
v1 = [
    path("researchers", ResearchersView.as_view(), name="researchers"),
    path("runs", RunsView.as_view(), name="runs"),
    path("runs/<api_id:run_id>", RunView.as_view(), name="run"),
    path("runs/<api_id:run_id>/events", EventsView.as_view(), name="events"),
    path("runs/<api_id:run_id>/cancel", CancelView.as_view(), name="cancel"),
    path("cases", CasesView.as_view(), name="cases"),
    path("cases/<api_id:case_id>", CaseView.as_view(), name="case"),
    path("cases/<api_id:case_id>/decisions", DecisionsView.as_view(), name="decisions"),
    path("dossiers/<api_id:dossier_id>", DossierView.as_view(), name="dossier"),
    path("snapshots/<api_id:snapshot_id>", SnapshotView.as_view(), name="snapshot"),
    path(
        "snapshots/<api_id:snapshot_id>/text",
        SnapshotTextView.as_view(),
        name="snapshot_text",
    ),
    path(
        "schema", SpectacularAPIView.as_view(authentication_classes=[]), name="schema"
    ),
    path(
        "docs",
        SpectacularSwaggerSplitView.as_view(
            authentication_classes=[], url_name="api:schema"
        ),
        name="docs",
    ),
]
urlpatterns = [
    path("v1/", include(v1)),
    re_path(r"\A.*\Z", NoSuchAddress.as_view(), name="no_such_address"),
]
