"""A program's key to one organization. Only its digest is stored."""

import hashlib
import hmac
import re
import secrets
from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.utils import timezone

from accounts.models.organization import Organization
from accounts.models.public_id import ALPHABET, PublicIdField
from accounts.models.tenancy import TenantQuerySet

SHOWN_FORM = re.compile(rf"wh_([{ALPHABET}]{{12}})_[A-Za-z0-9_-]{{43}}")


class Scope(models.TextChoices):
    READ = "read", "Read"
    ASK = "ask", "Ask"
    RUN = "run", "Start runs"
    DECIDE = "decide", "Decide"


class NewToken(NamedTuple):
    """A token as its holder sees it, once, and the two parts that are stored."""

    plain_text: str
    prefix: str
    digest: str


def make_token() -> NewToken:
    """`wh_<prefix 12>_<secret 43>`: the secret carries 256 random bits."""
    prefix = "".join(secrets.choice(ALPHABET) for _ in range(12))
    plain_text = f"wh_{prefix}_{secrets.token_urlsafe(32)}"
    return NewToken(plain_text, prefix, digest_of(plain_text))


def digest_of(plain_text: str) -> str:
    """SHA-256 as hex; a slow hash adds nothing to 256 random bits."""
    return hashlib.sha256(plain_text.encode()).hexdigest()


def prefix_of(plain_text: str) -> str | None:
    """The part that finds the row, or None where this is no token at all."""
    match = SHOWN_FORM.fullmatch(plain_text)
    return match[1] if match else None


def validate_scopes(value: str) -> None:
    names = value.split(",")
    unknown = sorted(set(names) - set(Scope.values))
    if unknown or len(set(names)) < len(names):
        raise ValidationError(
            f"Name each scope once, out of {', '.join(Scope.values)}.", code="scopes"
        )


class ApiToken(models.Model):
    """Acts as its maker, with the maker's present role, within its scopes."""

    public_id = PublicIdField("tok")
    organization = models.ForeignKey(
        Organization, on_delete=models.CASCADE, related_name="tokens"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="tokens"
    )
    name = models.CharField(max_length=100)
    prefix = models.CharField(max_length=12, unique=True, editable=False)
    digest = models.CharField(
        max_length=64, editable=False, validators=[RegexValidator(r"\A[0-9a-f]{64}\Z")]
    )
    scopes = models.CharField(
        max_length=100,
        validators=[validate_scopes],
        help_text="Separated by commas: read, ask, run, decide.",
    )
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False)
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = TenantQuerySet["ApiToken"].as_manager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.name} (wh_{self.prefix}_...)"

    @property
    def scope_set(self) -> frozenset[Scope]:
        """The scopes that are known; anything else in the row grants nothing."""
        return frozenset(scope for scope in Scope if scope in self.scopes.split(","))

    def matches(self, plain_text: str) -> bool:
        return hmac.compare_digest(self.digest, digest_of(plain_text))

    def expired(self, now: datetime) -> bool:
        return self.expires_at is not None and self.expires_at <= now
