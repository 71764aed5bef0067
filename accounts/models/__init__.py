"""The nouns of accounts, one file each."""

from accounts.models.append_only import AppendOnly, ImmutableRowError
from accounts.models.audit import AuditEntry
from accounts.models.feature import Feature, OrganizationFeature, PlatformSwitch
from accounts.models.organization import Membership, Organization, Role
from accounts.models.price import Price
from accounts.models.public_id import PublicIdField, make_public_id
from accounts.models.tenancy import TenantQuerySet
from accounts.models.token import ApiToken, Scope
from accounts.models.usage import KeyType, Purpose, UsageRecord
from accounts.models.user import User, UserManager

__all__ = [
    "ApiToken",
    "AppendOnly",
    "AuditEntry",
    "Feature",
    "ImmutableRowError",
    "KeyType",
    "Membership",
    "Organization",
    "OrganizationFeature",
    "PlatformSwitch",
    "Price",
    "PublicIdField",
    "Purpose",
    "Role",
    "Scope",
    "TenantQuerySet",
    "UsageRecord",
    "User",
    "UserManager",
    "make_public_id",
]
