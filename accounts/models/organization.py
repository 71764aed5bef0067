"""The tenant, and who belongs to it."""

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.utils import timezone

from accounts.models.public_id import PublicIdField
from accounts.models.tenancy import TenantQuerySet

# No underscore: a slug never reads as a public id such as org_01k...
valid_slug = RegexValidator(
    r"\A[a-z0-9]+(?:-[a-z0-9]+)*\Z",
    "Use lower-case letters, digits and single hyphens between them.",
)


class Role(models.TextChoices):
    OWNER = "owner", "Owner"
    ADMIN = "admin", "Admin"
    REVIEWER = "reviewer", "Reviewer"
    MEMBER = "member", "Member"


class Organization(models.Model):
    """Every row of the product belongs to one."""

    public_id = PublicIdField("org")
    name = models.CharField(max_length=150)
    slug = models.CharField(
        max_length=60,
        unique=True,
        validators=[valid_slug],
        help_text="Names the organization in addresses.",
        error_messages={"unique": "An organization with this slug exists."},
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """One person's role in one organization."""

    organization = models.ForeignKey(
        Organization, on_delete=models.CASCADE, related_name="memberships"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="memberships",
    )
    role = models.CharField(max_length=20, choices=Role)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = TenantQuerySet["Membership"].as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "user"],
                name="membership_once",
                violation_error_code="unique",
                violation_error_message="This person is a member already.",
            ),
            models.CheckConstraint(
                condition=models.Q(role__in=["owner", "admin", "reviewer", "member"]),
                name="membership_role_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} as {self.role} of {self.organization}"
