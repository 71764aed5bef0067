"""Who did what, kept for ever."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from accounts.models.append_only import AppendOnly
from accounts.models.organization import Organization
from accounts.models.public_id import PublicIdField
from accounts.models.tenancy import TenantQuerySet


class AuditEntry(AppendOnly):
    """One act. No organization: the platform's; no actor: the system's own."""

    public_id = PublicIdField("aud")
    organization = models.ForeignKey(
        Organization,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="audit_entries",
    )
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
    )
    action = models.CharField(max_length=60, help_text="Such as member.added.")
    target = models.CharField(max_length=200, blank=True)
    detail = models.TextField(default="{}", help_text="Canonical JSON.")
    at = models.DateTimeField(default=timezone.now, editable=False)

    objects = TenantQuerySet["AuditEntry"].as_manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "audit entries"
        indexes = [
            models.Index(fields=["organization", "at"], name="audit_by_time"),
            models.Index(fields=["target"], name="audit_by_target"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.target}".strip()
