"""People, with their passwords; switched off, never deleted."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm

from accounts.admin.base import OperatorsOnly
from accounts.models import User

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
