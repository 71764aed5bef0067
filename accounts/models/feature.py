"""What an organization has switched on, and what the platform has switched off."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from accounts.models.organization import Organization
from accounts.models.tenancy import TenantQuerySet


class Feature(models.TextChoices):
    MCP_APPROVAL = "mcp_approval", "Approval of MCP servers, packages and vendors"
    MCP_RESEARCH = "mcp_research", "Research runs by the agent"
    CHAT = "chat", "Conversations with a model"
    SERVER_WEB_SEARCH = "server_web_search", "Web search on the model provider's side"


class OrganizationFeature(models.Model):
    """An organization's own switch; no row means off."""

    organization = models.ForeignKey(
        Organization, on_delete=models.CASCADE, related_name="features"
    )
    feature = models.CharField(max_length=40, choices=Feature)
    enabled = models.BooleanField(default=False)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    changed_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = TenantQuerySet["OrganizationFeature"].as_manager()

    class Meta:
        ordering = ["feature"]
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "feature"], name="organization_feature_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.feature} {'on' if self.enabled else 'off'}"


class PlatformSwitch(models.Model):
    """The kill switch of one feature for everybody; no row means not killed."""

    feature = models.CharField(max_length=40, choices=Feature, unique=True)
    off = models.BooleanField(
        default=False, help_text="Off for every organization, whatever it chose."
    )
    reason = models.CharField(max_length=300, blank=True)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    changed_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["feature"]
        verbose_name_plural = "platform switches"

    def __str__(self) -> str:
        return f"{self.feature} {'killed' if self.off else 'left to organizations'}"
