"""Tokens, usage, prices and the audit trail: to look at, and tokens to revoke."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.admin.base import ModelAdmin, ReadOnly, operator_of
from accounts.models import ApiToken, AuditEntry, Price, UsageRecord
from accounts.models.usage import COUNTS
from accounts.queries import operator_for
from accounts.services import revoke_token


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnly, ModelAdmin):
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
class UsageRecordAdmin(ReadOnly, ModelAdmin):
    list_display = (
        "at",
        "organization",
        "usage_source",
        "purpose",
        "key_type",
        "model",
        "failed",
        *COUNTS,
        "cost",
    )
    list_filter = ("usage_source", "purpose", "key_type", "failed", "organization")
    list_select_related = ("organization",)
    search_fields = ("subject_ref", "public_id")


@admin.register(Price)
class PriceAdmin(ReadOnly, ModelAdmin):
    """What was imported; the built-in table is shown by `manage.py prices list`."""

    list_display = (
        "model",
        "speed",
        "valid_from",
        "revision",
        "input",
        "output",
        "cache_read",
        "imported_at",
        "imported_by",
    )
    list_filter = ("speed", "valid_from")
    list_select_related = ("imported_by",)
    search_fields = ("model", "source")
    readonly_fields = ("revision", "imported_at")


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnly, ModelAdmin):
    list_display = ("at", "organization", "actor", "action", "target")
    list_filter = ("action", "organization")
    list_select_related = ("organization", "actor")
    search_fields = ("target", "public_id")
