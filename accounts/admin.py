"""The admin site's part of accounts: for platform operators, through the services."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from accounts.errors import BadInput, ProductError
from accounts.models import (
    ApiToken,
    AuditEntry,
    Membership,
    Organization,
    OrganizationFeature,
    PlatformSwitch,
    UsageRecord,
    User,
)
from accounts.queries import operator_for
from accounts.services import (
    add_member,
    change_role,
    create_organization,
    record_audit,
    remove_member,
    revoke_token,
    set_feature,
    set_platform_switch,
)

if TYPE_CHECKING:  # the stubs' classes are generic, Django's own are not
    _ModelAdmin = admin.ModelAdmin[Any]
    _TabularInline = admin.TabularInline[Any, Any]
    _ModelForm = forms.ModelForm[Any]
    _UserAdmin = DjangoUserAdmin[User]
    _UserCreationForm = AdminUserCreationForm[User]
    _UserChangeForm = UserChangeForm[User]
else:
    _ModelAdmin, _TabularInline = admin.ModelAdmin, admin.TabularInline
    _ModelForm, _UserAdmin = forms.ModelForm, DjangoUserAdmin
    _UserCreationForm, _UserChangeForm = AdminUserCreationForm, UserChangeForm


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


class ServiceAdmin(OperatorsOnly, _ModelAdmin):
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


class MembershipInline(OperatorsOnly, _TabularInline):
    model = Membership
    fields = ("user", "role", "created_at")
    readonly_fields = ("created_at",)
    autocomplete_fields = ("user",)
    extra = 0

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_view_permission(request)


class FeatureInline(OperatorsOnly, _TabularInline):
    model = OrganizationFeature
    fields = ("feature", "enabled", "changed_by", "changed_at")
    readonly_fields = ("changed_by", "changed_at")
    extra = 0


class OrganizationAddForm(_ModelForm):
    owner = forms.ModelChoiceField(User.objects.filter(is_active=True))

    class Meta:
        model = Organization
        fields = ("name", "slug")


@admin.register(Organization)
class OrganizationAdmin(ServiceAdmin):
    list_display = ("name", "slug", "public_id", "created_at")
    search_fields = ("name", "slug", "public_id")
    fields = ("name", "slug", "public_id", "created_at")
    inlines = (MembershipInline, FeatureInline)

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        if obj is None:
            kwargs["form"] = OrganizationAddForm
        return super().get_form(request, obj, change, **kwargs)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.fields if obj else ("name", "slug", "owner")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return ("slug", "public_id", "created_at") if obj else ()

    def get_inlines(self, request: HttpRequest, obj: Any) -> Any:
        return self.inlines if obj else ()

    def save_model(
        self, request: HttpRequest, obj: Organization, form: Any, change: bool
    ) -> None:
        if not change:
            owner = form.cleaned_data["owner"]
            made = create_organization(name=obj.name, slug=obj.slug, owner=owner)
            obj.pk, obj.public_id = made.pk, made.public_id
            return
        super().save_model(request, obj, form, change)
        record_audit(
            organization=obj,
            actor=operator_of(request),
            action="organization.renamed",
            target=obj.public_id,
            detail={"name": obj.name},
        )

    def save_formset(
        self, request: HttpRequest, form: Any, formset: Any, change: bool
    ) -> None:
        by = operator_for(operator_of(request), form.instance)
        formset.save(commit=False)
        _refuse_swaps(formset)
        changed = [row for row, _ in formset.changed_objects]
        if formset.model is OrganizationFeature:
            for row in [*formset.new_objects, *changed]:
                set_feature(by=by, feature=row.feature, enabled=row.enabled)
            return
        for row in formset.new_objects:
            add_member(by=by, user=row.user, role=row.role)
        for row in changed:
            change_role(by=by, membership=row, role=row.role)
        for row in formset.deleted_objects:
            remove_member(by=by, membership=row)


def _refuse_swaps(formset: Any) -> None:
    """A row keeps its person or feature; only what it says of them changes."""
    for _, fields in formset.changed_objects:
        if {"user", "feature"} & set(fields):
            raise BadInput("Add another row instead of changing whom or what it names.")


@admin.register(PlatformSwitch)
class PlatformSwitchAdmin(ServiceAdmin):
    list_display = ("feature", "off", "reason", "changed_by", "changed_at")
    fields = ("feature", "off", "reason", "changed_by", "changed_at")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        named = ("feature",) if obj else ()
        return (*named, "changed_by", "changed_at")

    def save_model(
        self, request: HttpRequest, obj: PlatformSwitch, form: Any, change: bool
    ) -> None:
        made = set_platform_switch(
            by=operator_of(request), feature=obj.feature, off=obj.off, reason=obj.reason
        )
        obj.pk = made.pk


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnly, _ModelAdmin):
    list_display = ("name", "organization", "user", "scopes", "expires_at")
    list_filter = ("organization",)
    list_select_related = ("organization", "user")
    fields = readonly_fields = (
        "public_id",
        "organization",
        "user",
        "name",
        "prefix",
        "scopes",
        "created_at",
        "expires_at",
        "last_used_at",
        "revoked_at",
    )
    actions = ("revoke",)

    @admin.action(description="Revoke the selected tokens")
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiToken]) -> None:
        operator = operator_of(request)
        for token in queryset.select_related("organization"):
            revoke_token(by=operator_for(operator, token.organization), token=token)
        messages.success(request, "The selected tokens are revoked.")


@admin.register(UsageRecord)
class UsageRecordAdmin(ReadOnly, _ModelAdmin):
    list_display = (
        "at",
        "organization",
        "usage_source",
        "purpose",
        "key_type",
        "model",
        "input_tokens",
        "output_tokens",
        "cost",
    )
    list_filter = ("usage_source", "purpose", "key_type", "organization")
    list_select_related = ("organization",)
    search_fields = ("subject_ref", "public_id")


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnly, _ModelAdmin):
    list_display = ("at", "organization", "actor", "action", "target")
    list_filter = ("action", "organization")
    list_select_related = ("organization", "actor")
    search_fields = ("target", "public_id")
