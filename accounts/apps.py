"""People, organizations, what they may do and what they spend."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        import accounts.openapi  # noqa: F401  registers itself
