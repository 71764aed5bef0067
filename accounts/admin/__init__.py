"""The admin site's part of accounts: for platform operators, through the services."""

from accounts.admin.organizations import OrganizationAdmin, PlatformSwitchAdmin
from accounts.admin.records import ApiTokenAdmin, AuditEntryAdmin, UsageRecordAdmin
from accounts.admin.users import UserAdmin

__all__ = [
    "ApiTokenAdmin",
    "AuditEntryAdmin",
    "OrganizationAdmin",
    "PlatformSwitchAdmin",
    "UsageRecordAdmin",
    "UserAdmin",
]
