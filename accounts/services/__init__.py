"""Every way to write: keyword-only verbs, each in one transaction."""

from accounts.services.audit import record_audit
from accounts.services.features import set_feature, set_platform_switch
from accounts.services.import_prices import PriceImport, import_prices
from accounts.services.members import add_member, change_role, remove_member
from accounts.services.organizations import create_organization, rename_organization
from accounts.services.saving import lock_organization, save_checked
from accounts.services.tokens import issue_token, revoke_token
from accounts.services.usage import Counts, record_usage

__all__ = [
    "Counts",
    "PriceImport",
    "add_member",
    "change_role",
    "create_organization",
    "import_prices",
    "issue_token",
    "lock_organization",
    "record_audit",
    "record_usage",
    "remove_member",
    "rename_organization",
    "revoke_token",
    "save_checked",
    "set_feature",
    "set_platform_switch",
]
