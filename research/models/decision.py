"""What a person decided, on which evidence; append-only."""

from django.conf import settings
from django.db import models

from accounts.models.public_id import PublicIdField
from accounts.models.tenancy import TenantQuerySet
from research.models.case import Case
from research.models.dossier import Dossier


class Verdict(models.TextChoices):
    APPROVED = "approved"
    DENIED = "denied"


class DecisionQuerySet(TenantQuerySet["Decision"]):
    organization_path = "case__organization"


class Decision(models.Model):
    """Freezes the digest of the evidence that its maker was shown."""

    public_id = PublicIdField("dec")
    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="decisions")
    dossier = models.ForeignKey(
        Dossier, on_delete=models.PROTECT, related_name="decisions"
    )
    verdict = models.CharField(max_length=10, choices=Verdict.choices)
    rationale = models.TextField()
    conditions = models.TextField(blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    evidence_digest = models.CharField(max_length=64)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField()

    objects = DecisionQuerySet.as_manager()

    class Meta:
        ordering = ["-at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(verdict__in=Verdict.values),
                name="verdict_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.case}: {self.verdict}"
