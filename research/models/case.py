"""One subject under review in one organization, and the requests for it."""

from django.conf import settings
from django.db import models

from accounts.models.public_id import PublicIdField
from accounts.models.tenancy import TenantQuerySet
from research.states import CaseStatus
from research.subjects.values import SubjectKind

SUBJECT_KIND_CHOICES = [(kind.value, kind.value) for kind in SubjectKind]


class CaseQuerySet(TenantQuerySet["Case"]):
    pass


class Case(models.Model):
    """Keyed by the subject without its version; each dossier pins a version."""

    public_id = PublicIdField("case")
    organization = models.ForeignKey(
        "accounts.Organization", on_delete=models.PROTECT, related_name="cases"
    )
    subject_kind = models.CharField(max_length=20, choices=SUBJECT_KIND_CHOICES)
    subject_key = models.CharField(max_length=500)
    title = models.CharField(max_length=2000)
    status = models.CharField(
        max_length=20, choices=CaseStatus.choices, default=CaseStatus.UNREVIEWED
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    objects = CaseQuerySet.as_manager()

    class Meta:
        ordering = ["-changed_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "subject_kind", "subject_key"],
                name="one_case_per_subject",
            ),
            models.CheckConstraint(
                condition=models.Q(status__in=CaseStatus.values),
                name="case_status_is_known",
            ),
        ]

    def __str__(self) -> str:
        return self.title


class AskQuerySet(TenantQuerySet["Ask"]):
    organization_path = "case__organization"


class Ask(models.Model):
    """One person's request for the case, with a justification."""

    public_id = PublicIdField("ask")
    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="asks")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    justification = models.TextField()
    at = models.DateTimeField(auto_now_add=True)

    objects = AskQuerySet.as_manager()

    class Meta:
        ordering = ["at", "id"]

    def __str__(self) -> str:
        return f"{self.asked_by} asks for {self.case}"
