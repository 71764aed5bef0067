"""People, with their passwords; switched off, never deleted."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_post_parameters

from accounts.admin.base import OperatorsOnly, operator_of
from accounts.models import User
from accounts.services import record_audit

if TYPE_CHECKING:  # the stubs' classes are generic, Django's own are not
    _UserAdmin = DjangoUserAdmin[User]
    _UserCreationForm = AdminUserCreationForm[User]
    _UserChangeForm = UserChangeForm[User]
else:
    _UserAdmin = DjangoUserAdmin
    _UserCreationForm, _UserChangeForm = AdminUserCreationForm, UserChangeForm


class UserAddForm(_UserCreationForm):
    class Meta:
        model = User
        fields = ("email", "name")
        field_classes: dict[str, Any] = {}


class UserEditForm(_UserChangeForm):
    class Meta:
        model = User
        fields = "__all__"
        field_classes: dict[str, Any] = {}


@admin.register(User)
class UserAdmin(OperatorsOnly, _UserAdmin):
    add_form = UserAddForm
    form = UserEditForm
    ordering = ("email",)
    list_display = ("email", "name", "is_active", "is_staff", "last_login")
    list_filter = ("is_active", "is_staff")
    search_fields = ("email", "name")
    filter_horizontal = ()
    readonly_fields = ("last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("email", "password", "name")}),
        ("May", {"fields": ("is_active", "is_staff", "is_superuser")}),
        ("When", {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = (
        (
            None,
            {"fields": ("email", "name", "usable_password", "password1", "password2")},
        ),
    )

    @method_decorator(sensitive_post_parameters())
    @transaction.atomic
    def user_change_password(
        self,
        request: HttpRequest,
        id: str,  # noqa: A002
        form_url: str = "",
    ) -> HttpResponse:
        """In one transaction with its audit entry, as Django's other pages are."""
        return super().user_change_password(request, id, form_url)

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        _record(request, obj, "user.created")
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Django calls it for every change, that of a password included."""
        fields = [name for part in message for name in part["changed"]["fields"]]
        if fields:
            _record(request, obj, "user.changed", changed=sorted(fields))
        return super().log_change(request, obj, message)


def _record(request: HttpRequest, user: User, action: str, **detail: Any) -> None:
    """What was changed by name and what the person may now do; never a password."""
    flags = ("is_active", "is_staff", "is_superuser")
    record_audit(
        organization=None,
        actor=operator_of(request),
        action=action,
        target=f"user:{user.pk}",
        detail={
            "email": user.email,
            **{flag: getattr(user, flag) for flag in flags},
            **detail,
        },
    )
