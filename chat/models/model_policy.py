"""What an organization lets models do with what it asks them."""

from django.core.exceptions import ValidationError
from django.db import models

from accounts.models import Organization, TenantQuerySet
from chat.models.changed import Changed

MOST_LINES = 200
LONGEST_LINE = 120


class DataCollection(models.TextChoices):
    DENY = "deny", "No provider may keep what is sent"
    ALLOW = "allow", "Providers may keep what is sent"


class ModelPolicy(Changed):
    """Without a row every model is allowed, and nobody may keep the data."""

    organization = models.OneToOneField(
        Organization, on_delete=models.CASCADE, related_name="model_policy"
    )
    allowed_models = models.TextField(
        blank=True,
        help_text="One offered name or provider's id a line; empty for all.",
    )
    data_collection = models.CharField(
        max_length=10,
        choices=DataCollection,
        default=DataCollection.DENY,
        help_text="Which of OpenRouter's providers may serve a request.",
    )
    zero_data_retention = models.BooleanField(
        default=False,
        help_text="Of OpenRouter's providers, only those that retain nothing.",
    )

    objects = TenantQuerySet["ModelPolicy"].as_manager()

    class Meta:
        verbose_name_plural = "model policies"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(data_collection__in=DataCollection.values),
                name="model_policy_collection_known",
            )
        ]

    def __str__(self) -> str:
        return f"Models of {self.organization}"

    @classmethod
    def of(cls, organization: Organization) -> "ModelPolicy":
        """The organization's row, or the defaults, not saved."""
        row = cls.objects.for_organization(organization).first()
        return row or cls(organization=organization)

    def allows(self, name: str, model: str) -> bool:
        """Whether a model is allowed, by the name it is offered under or by its id."""
        allowed = self.lines
        return not allowed or name in allowed or model in allowed

    @property
    def lines(self) -> tuple[str, ...]:
        """The allowed names and ids; none allows all."""
        lines = (line.strip() for line in self.allowed_models.splitlines())
        return tuple(line for line in lines if line)

    def clean(self) -> None:
        lines = self.lines
        if len(lines) > MOST_LINES or any(len(line) > LONGEST_LINE for line in lines):
            raise ValidationError(
                {
                    "allowed_models": f"{MOST_LINES} lines of {LONGEST_LINE} characters"
                    " are the most."
                }
            )
