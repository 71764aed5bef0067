"""The admin site's part of the product: operators look, they change nothing.

What is written here has its own services and, for evidence, no update path at all.
"""

from django.apps import apps
from django.contrib import admin

from accounts.admin.base import ModelAdmin, ReadOnly, TabularInline
from research.models import (
    Ask,
    Case,
    Citation,
    Claim,
    Decision,
    Dossier,
    Lookup,
    Question,
    Run,
    RunEvent,
    Snapshot,
    Source,
    WorkerBeat,
)

# The queue's own pages would let an operator run any function on a worker, by a
# schedule or by a task put back. django_q stands before us in INSTALLED_APPS, so that
# it has registered them by now.
for queue_model in apps.get_app_config("django_q").get_models():
    if admin.site.is_registered(queue_model):
        admin.site.unregister(queue_model)


class Records(ReadOnly, ModelAdmin):
    """Rows to look at, fifty a page."""

    list_per_page = 50
    show_full_result_count = False


class AskInline(ReadOnly, TabularInline):
    model = Ask
    fields = readonly_fields = ("public_id", "asked_by", "at")
    extra = 0


class RunInline(ReadOnly, TabularInline):
    model = Run
    fields = readonly_fields = (
        "public_id",
        "status",
        "stop_reason",
        "attempts",
        "queued_at",
    )
    extra = 0
    show_change_link = True


@admin.register(Case)
class CaseAdmin(Records):
    list_display = ("title", "subject_kind", "status", "organization", "changed_at")
    list_filter = ("status", "subject_kind", "organization")
    list_select_related = ("organization",)
    search_fields = ("public_id", "title", "subject_key")
    inlines = (AskInline, RunInline)


@admin.register(Dossier)
class DossierAdmin(Records):
    list_display = ("public_id", "case", "number", "subject_version", "collected_at")
    list_filter = ("case__organization",)
    list_select_related = ("case",)
    search_fields = ("public_id", "case__public_id")


@admin.register(Lookup)
class LookupAdmin(Records):
    list_display = ("source", "outcome", "reason", "latency_ms", "dossier", "at")
    list_filter = ("outcome", "dossier__case__organization")
    list_select_related = ("dossier__case",)
    search_fields = ("dossier__public_id", "source")


@admin.register(Run)
class RunAdmin(Records):
    list_display = (
        "public_id",
        "case",
        "status",
        "stop_reason",
        "attempts",
        "lease_owner",
        "lease_expires_at",
        "queued_at",
        "finished_at",
    )
    list_filter = ("status", "stop_reason", "organization")
    list_select_related = ("case",)
    search_fields = ("public_id", "case__public_id", "lease_owner")
    date_hierarchy = "queued_at"
    # Operators do not see an organization's work.
    exclude = ("answer",)


@admin.register(RunEvent)
class RunEventAdmin(Records):
    list_display = ("run", "seq", "kind", "at")
    list_filter = ("kind", "run__organization")
    list_select_related = ("run",)
    search_fields = ("=run__public_id",)
    ordering = ("-pk",)
    exclude = ("payload",)


@admin.register(Source)
class SourceAdmin(Records):
    list_display = ("uri", "origin", "dossier")
    list_filter = ("origin", "dossier__case__organization")
    list_select_related = ("dossier__case",)
    search_fields = ("public_id", "uri", "dossier__public_id")


@admin.register(Snapshot)
class SnapshotAdmin(Records):
    list_display = ("uri", "organization", "media_type", "body_bytes", "taken_at")
    list_filter = ("media_type", "organization")
    list_select_related = ("organization",)
    search_fields = ("public_id", "uri", "=body_sha256", "=text_sha256")


@admin.register(Question)
class QuestionAdmin(Records):
    list_display = ("key", "outcome", "sources_read", "run")
    list_filter = ("outcome", "run__organization")
    list_select_related = ("run",)
    search_fields = ("=run__public_id", "key")


@admin.register(Claim)
class ClaimAdmin(Records):
    list_display = ("public_id", "tier", "rejected_reason", "run")
    list_filter = ("tier", "rejected_reason", "run__organization")
    list_select_related = ("run",)
    search_fields = ("public_id", "=run__public_id")


@admin.register(Citation)
class CitationAdmin(Records):
    list_display = ("public_id", "grade", "start", "end", "snapshot")
    list_filter = ("grade", "claim__run__organization")
    list_select_related = ("snapshot",)
    search_fields = ("public_id", "snapshot__public_id")


@admin.register(Decision)
class DecisionAdmin(Records):
    list_display = ("public_id", "case", "verdict", "decided_by", "at", "expires_at")
    list_filter = ("verdict", "case__organization")
    list_select_related = ("case", "decided_by")
    search_fields = ("public_id", "case__public_id", "evidence_digest")


@admin.register(WorkerBeat)
class WorkerBeatAdmin(Records):
    list_display = ("owner", "started_at", "beaten_at")
