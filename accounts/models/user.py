"""A person, signed in by email address."""

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

if TYPE_CHECKING:  # the stubs' class is generic, Django's own is not
    _EmailField = models.EmailField[str, str]
else:
    _EmailField = models.EmailField


class LowerCaseEmailField(_EmailField):
    """An address stored and looked up in lower case, whatever was typed."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return text.strip().lower() if isinstance(text, str) else text

    def get_prep_value(self, value: Any) -> Any:
        return self.to_python(super().get_prep_value(value))


class UserManager(BaseUserManager["User"]):
    """Makes users; the address is all that identifies one."""

    def create_user(
        self, email: str, password: str | None = None, **fields: Any
    ) -> "User":
        """Save a user; without a password nobody can sign in as them."""
        user = self.model(email=email, **fields)
        user.set_password(password)
        user.full_clean()
        user.save(using=self._db)
        return user

    def create_superuser(
        self, email: str, password: str | None = None, **fields: Any
    ) -> "User":
        """Save a platform operator: the admin site, and no organization."""
        return self.create_user(
            email, password, **{**fields, "is_staff": True, "is_superuser": True}
        )

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email=username)


class User(AbstractBaseUser, PermissionsMixin):
    """What a person may do comes from memberships, not from this row."""

    email = LowerCaseEmailField(
        max_length=254,
        unique=True,
        error_messages={"unique": "A user with this email address exists."},
    )
    name = models.CharField(max_length=150, blank=True)
    is_staff = models.BooleanField(
        default=False, help_text="May sign in to the admin site."
    )
    is_active = models.BooleanField(
        default=True, help_text="Switch off instead of deleting the user."
    )
    date_joined = models.DateTimeField(default=timezone.now, editable=False)

    objects: ClassVar[UserManager] = UserManager()

    EMAIL_FIELD = "email"
    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        ordering = ["email"]
        constraints = [
            # Holds against writers that bypass the field, such as raw SQL.
            models.UniqueConstraint(
                Lower("email"),
                name="user_email_any_case",
                violation_error_code="unique",
                violation_error_message="A user with this email address exists.",
            )
        ]

    def __str__(self) -> str:
        return self.email

    def get_full_name(self) -> str:
        return self.name or self.email

    def get_short_name(self) -> str:
        return self.name or self.email
