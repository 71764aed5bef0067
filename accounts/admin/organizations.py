"""Organizations with their members and features, and the platform's switches."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest

from accounts.admin.base import (
    OperatorsOnly,
    ServiceAdmin,
    TabularInline,
    operator_of,
)
from accounts.errors import BadInput
from accounts.models import (
    Membership,
    Organization,
    OrganizationFeature,
    PlatformSwitch,
    User,
)
from accounts.queries import operator_for
from accounts.services import (
    add_member,
    change_role,
    create_organization,
    remove_member,
    rename_organization,
    set_feature,
    set_platform_switch,
)

if TYPE_CHECKING:  # the stubs' class is generic, Django's own is not
    _ModelForm = forms.ModelForm[Organization]
else:
    _ModelForm = forms.ModelForm


class MembershipInline(OperatorsOnly, TabularInline):
    model = Membership
    fields = ("user", "role", "created_at")
    readonly_fields = ("created_at",)
    autocomplete_fields = ("user",)
    extra = 0

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_view_permission(request)


class FeatureInline(OperatorsOnly, TabularInline):
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
        if "name" in form.changed_data:
            rename_organization(
                by=operator_for(operator_of(request), obj), name=obj.name
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
