"""The addresses of the product."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("admin/", admin.site.urls),
    path("", include("accounts.urls")),
    path("", include("research.views.urls")),
    path("api/", include("research.api.urls")),
]

# Under /api/ these answer in problem details, elsewhere as Django's own do.
handler400 = "research.api.problems.bad_request"
handler403 = "research.api.problems.permission_denied"
handler404 = "research.api.problems.page_not_found"
handler500 = "research.api.problems.server_error"
