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


COUNTS = (
    "input_tokens",
    "output_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "cache_write_1h_tokens",
    "searches",
)


def _counts(*, known: bool, **others: object) -> models.Q:
    tests = {f"{name}__isnull": not known for name in COUNTS}
    return models.Q(**tests, **others)


class UsageRecord(models.Model):
    """One priced call, with the raw counts from which its cost can be worked out anew.

    Counts and a cost of None are unknown, which is not the same as none and free.
    """

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
    input_tokens = models.PositiveBigIntegerField(
        null=True,
        blank=True,
        help_text="Read by the model, and neither from a cache nor into one.",
    )
    output_tokens = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="Written by the model."
    )
    cache_read_tokens = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="Read by the model from a cache."
    )
    cache_write_tokens = models.PositiveBigIntegerField(
        null=True,
        blank=True,
        help_text="Read by the model and written to a cache, for whatever time.",
    )
    cache_write_1h_tokens = models.PositiveBigIntegerField(
        null=True,
        blank=True,
        help_text="Of those written to a cache, the part that is kept for an hour.",
    )
    searches = models.PositiveIntegerField(
        null=True, blank=True, help_text="Web searches that the provider bills."
    )
    failed = models.BooleanField(
        default=False,
        help_text="The call was paid for and gave no reply; its counts are what the "
        "provider had told by then.",
    )
    cost = models.DecimalField(
        max_digits=14,
        decimal_places=6,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal(0))],
        help_text="In the currency of the record; empty where it is unknown.",
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
            ),
            models.CheckConstraint(
                condition=_counts(known=True) | _counts(known=False, cost__isnull=True),
                name="usage_counts_whole",
                violation_error_message="Counts are all known, or none and no cost is.",
            ),
            models.CheckConstraint(
                condition=models.Q(cache_write_1h_tokens__isnull=True)
                | models.Q(cache_write_1h_tokens__lte=models.F("cache_write_tokens")),
                name="usage_hour_within_writes",
                violation_error_message="More is kept for an hour than is written.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.public_id} {self.usage_source} {self.purpose}"
