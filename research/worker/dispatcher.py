"""What a worker's parent does at each tick: it shows that it lives, and rings again."""

import logging
from datetime import timedelta

from django.db import connections
from django.utils import timezone

from research.models import WorkerBeat
from research.services.ring import ring_again

# Rows of workers that were killed; those that end in order remove their own.
FORGET_AFTER = timedelta(days=1)

logger = logging.getLogger(__name__)


class Dispatcher:
    """Rings for runs that were rung for in vain; on Redis the only recovery."""

    def __init__(self, owner: str) -> None:
        self.owner = owner

    def tick(self) -> None:
        """A fault, such as a database that is away, costs one tick and no more."""
        try:
            self._beat()
            rung = ring_again()
        except Exception:
            logger.exception("The dispatcher could not do its work; it tries again")
        else:
            if rung:
                logger.info("rang again for %s runs", rung)
        finally:
            connections.close_all()

    def sign_off(self) -> None:
        """The worker ends: its sign of life goes with it."""
        try:
            WorkerBeat.objects.filter(owner=self.owner).delete()
        except Exception:
            logger.exception("The worker's sign of life could not be removed")
        finally:
            connections.close_all()

    def _beat(self) -> None:
        now = timezone.now()
        WorkerBeat.objects.update_or_create(
            owner=self.owner, defaults={"beaten_at": now}
        )
        WorkerBeat.objects.filter(beaten_at__lt=now - FORGET_AFTER).delete()
