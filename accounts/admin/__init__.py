"""The admin site's part of accounts: for platform operators, through the services."""

from accounts.admin.organizations import OrganizationAdmin, PlatformSwitchAdmin
from accounts.admin.records import (
    ApiTokenAdmin,
    AuditEntryAdmin,
    PriceAdmin,
    UsageRecordAdmin,
)
from accounts.admin.users import UserAdmin

__all__ = [
    "ApiTokenAdmin",
    "AuditEntryAdmin",
    "OrganizationAdmin",
    "PlatformSwitchAdmin",
    "PriceAdmin",
    "UsageRecordAdmin",
    "UserAdmin",
]
