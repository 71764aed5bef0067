"""The product: cases, dossiers, runs, evidence and decisions."""

import logging

from django.apps import AppConfig
from django.conf import settings
from django.db.models.signals import post_migrate

logger = logging.getLogger(__name__)


class ResearchConfig(AppConfig):
    name = "research"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from research.immutability import install_after_migrate

        post_migrate.connect(
            install_after_migrate, dispatch_uid="append-only evidence triggers"
        )
        if settings.FETCH_ALLOW_NETWORKS:
            allowed = ", ".join(map(str, settings.FETCH_ALLOW_NETWORKS))
            logger.warning("Pages may be read from networks not public: %s", allowed)
