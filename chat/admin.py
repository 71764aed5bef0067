"""The admin site's part of chat: what operators decide about models."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from accounts.admin.base import ServiceAdmin, operator_of
from chat.models import AgentSettings, ModelChoice, ModelPolicy
from chat.services.change_row import Row, change_row


class ChangedAdmin(ServiceAdmin):
    """Each row says who changed it last; the audit trail, what it was before."""

    readonly_fields = ("changed_at", "changed_by")

    def save_model(
        self, request: HttpRequest, obj: Row, form: Any, change: bool
    ) -> None:
        change_row(by=operator_of(request), row=obj)


@admin.register(AgentSettings)
class AgentSettingsAdmin(ChangedAdmin):
    list_display = (
        "__str__",
        "search_version",
        "disable_parallel_tool_use",
        "cost_cap",
        "changed_by",
        "changed_at",
    )
    list_select_related = ("changed_by",)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Once: there is one row."""
        allowed = super().has_add_permission(request, obj)
        return allowed and not AgentSettings.objects.exists()


@admin.register(ModelChoice)
class ModelChoiceAdmin(ChangedAdmin):
    list_display = (
        "name",
        "provider",
        "model",
        "base_url",
        "enabled",
        "changed_by",
        "changed_at",
    )
    list_filter = ("provider", "enabled")
    list_select_related = ("changed_by",)
    search_fields = ("name", "model", "base_url")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Runs carry the name, so that it never comes to mean another model."""
        return (*(("name",) if obj else ()), *self.readonly_fields)


@admin.register(ModelPolicy)
class ModelPolicyAdmin(ChangedAdmin):
    list_display = (
        "organization",
        "data_collection",
        "zero_data_retention",
        "changed_by",
        "changed_at",
    )
    list_select_related = ("organization", "changed_by")
    search_fields = ("organization__name", "organization__slug")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return (*(("organization",) if obj else ()), *self.readonly_fields)
