"""Who may use the admin site's part of accounts, and how it saves."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from accounts.errors import ProductError
from accounts.models import User

if TYPE_CHECKING:  # the stubs' classes are generic, Django's own are not
    ModelAdmin = admin.ModelAdmin[Any]
    TabularInline = admin.TabularInline[Any, Any]
else:
    ModelAdmin, TabularInline = admin.ModelAdmin, admin.TabularInline


def operator_of(request: HttpRequest) -> User:
    """The superuser who sent this; raises PermissionDenied for anybody else."""
    user: User | AnonymousUser = request.user
    if user.is_authenticated and user.is_active and user.is_superuser:
        return user
    raise PermissionDenied


class OperatorsOnly:
    """Staff who are no superusers see nothing; nothing is deleted by default."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_view_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_view_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnly(OperatorsOnly):
    """Rows to look at."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ServiceAdmin(OperatorsOnly, ModelAdmin):
    """Saves through services; what they refuse is said, and nothing is half-saved."""

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except ProductError as refused:
            messages.error(request, refused.message)
            return HttpResponseRedirect(request.get_full_path())
