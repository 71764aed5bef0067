"""`manage.py worker`: executes runs until SIGTERM or SIGINT."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from django_q.brokers import get_broker
from redis import RedisError

from research.worker.supervisor import ClusterDied, Supervisor


class Command(BaseCommand):
    help = (
        "Executes runs until SIGTERM or SIGINT, then hands running ones over."
        " Exit code 0 when asked to stop, 1 when the workers died."
    )
    requires_migrations_checks = False

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_unmigrated()
        refuse_absent_queue()
        try:
            Supervisor().run()
        except ClusterDied as died:
            raise CommandError(str(died)) from died


def refuse_unmigrated() -> None:
    """Raises CommandError in one sentence unless the database is there and ready."""
    try:
        executor = MigrationExecutor(connection)
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except OperationalError as error:
        message = f"The database cannot be used: {' '.join(str(error).split())}"
        raise CommandError(message) from error
    if plan:
        message = "The database is not up to date; run `manage.py migrate` first."
        raise CommandError(message)


def refuse_absent_queue() -> None:
    """Raises CommandError in one sentence unless the queue answers."""
    try:
        get_broker().ping()
    except (RedisError, ValueError) as error:
        message = f"The queue cannot be used: {error}"
        raise CommandError(message) from error
