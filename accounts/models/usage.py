"""What one call to a model or a search backend used, and whose key paid."""

from decimal import Decimal

from django.core.validators import MinValueValidator, RegexValidator
from django.db import models
from django.utils import timezone

from accounts.models.organization import Organization
from accounts.models.public_id import PublicIdField
from accounts.models.tenancy import TenantQuerySet


class Purpose(models.TextChoices):
    LOOP = "loop", "Loop"
    SEARCH = "search", "Search"
    JUDGE = "judge", "Judge"
    CRITIC = "critic", "Critic"
    EXTRACTION = "extraction", "Extraction"


class KeyType(models.TextChoices):
    NONE = "none", "No key"
    ORGANIZATION = "organization", "The organization's key"
    PLATFORM = "platform", "The platform's key"


class UsageRecord(models.Model):
    """One priced call. A cost of None is unknown, which is not the same as free."""

    public_id = PublicIdField("use")
    organization = models.ForeignKey(
        Organization, on_delete=models.PROTECT, related_name="usage_records"
    )
    usage_source = models.CharField(
        max_length=40,
        validators=[RegexValidator(r"\A[a-z0-9]+(?:-[a-z0-9]+)*\Z")],
        help_text="What the product was doing, such as mcp-research.",
    )
    purpose = models.CharField(max_length=20, choices=Purpose)
    key_type = models.CharField(max_length=20, choices=KeyType)
    model = models.CharField(max_length=120)
    # Text, such as a run's public id: accounts never points at what stands on it.
    subject_ref = models.CharField(max_length=60, blank=True)
    input_tokens = models.PositiveBigIntegerField(default=0)
    output_tokens = models.PositiveBigIntegerField(default=0)
    cost = models.DecimalField(
        max_digits=14,
        decimal_places=6,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal(0))],
    )
    currency = models.CharField(max_length=3, default="USD", editable=False)
    at = models.DateTimeField(default=timezone.now, editable=False)

    objects = TenantQuerySet["UsageRecord"].as_manager()

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["organization", "at"], name="usage_by_time"),
            models.Index(fields=["subject_ref"], name="usage_by_subject"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(cost__isnull=True) | models.Q(cost__gte=0),
                name="usage_cost_not_negative",
            )
        ]

    def __str__(self) -> str:
        return f"{self.public_id} {self.usage_source} {self.purpose}"
