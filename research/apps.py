"""The product: cases, dossiers, runs, evidence and decisions."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class ResearchConfig(AppConfig):
    name = "research"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from research.immutability import install_after_migrate

        post_migrate.connect(
            install_after_migrate, dispatch_uid="append-only evidence triggers"
        )
