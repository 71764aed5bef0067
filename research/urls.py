"""The addresses of the product."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from accounts.views.sign_in import SignInView

urlpatterns: list[URLPattern | URLResolver] = [
    # In place of the admin site's own form, which may be tried without limit. Who is
    # signed in but no operator gets the form: sent on, they would be sent back here.
    path(
        "admin/login/",
        SignInView.as_view(redirect_authenticated_user=False, next_page="admin:index"),
        name="admin_login",
    ),
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
