"""`manage.py serve`: the whole product on one machine, until Ctrl-C."""

import os
import socket
import sys
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError, connections

from research.worker.side_by_side import Program, ProgramEnded, SideBySide

# Below the ten seconds after which the whole group is killed.
GRACEFUL_S = 8
MAX_PORT = 65_535
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class Command(BaseCommand):
    help = (
        "Serves the web site and executes runs, under one parent. Exit code 0 when"
        " asked to stop, 1 when the port is taken or one of the two died."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
        parser.add_argument("--port", type=int, default=8000, help="0 takes a free one")

    def handle(self, *args: Any, **options: Any) -> None:
        with listen(options["host"], options["port"]) as listener:
            environment = environment_for(options["host"], listener.getsockname()[1])
            migrate()
            url = environment["WEIGHHOUSE_PUBLIC_URL"]
            self.stdout.write(f"Weighhouse is at {url} - press Ctrl-C to stop it.")
            self.stdout.flush()
            try:
                SideBySide([web(listener), worker()], environment).run()
            except ProgramEnded as ended:
                raise CommandError(str(ended)) from ended


def migrate() -> None:
    """Brings the database up to date. Raises CommandError when there is none."""
    try:
        call_command("migrate", interactive=False, verbosity=0)
    except OperationalError as error:
        message = f"The database cannot be used: {' '.join(str(error).split())}"
        raise CommandError(message) from error
    finally:
        connections.close_all()


def listen(host: str, port: int) -> socket.socket:
    """Bound here, so that a port in use is one sentence before anything starts.

    Raises CommandError.
    """
    if not 0 <= port <= MAX_PORT:
        message = f"{port} is no port; give a number from 0 to {MAX_PORT}."
        raise CommandError(message)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        # create_server appends the address in brackets; the sentence has it already.
        reason = str(error.strerror).partition(" (")[0]
        message = f"Port {port} of {host} cannot be used: {reason}."
        raise CommandError(message) from error


def environment_for(host: str, port: int) -> dict[str, str]:
    """Ours, with the address that browsers use. Raises CommandError if it is unknown.

    On this machine alone it follows from the port; elsewhere it must have been set.
    """
    environment = dict(os.environ)
    if environment.get("WEIGHHOUSE_PUBLIC_URL"):
        return environment
    if host not in LOOPBACK:
        message = (
            f"To serve on {host}, set WEIGHHOUSE_PUBLIC_URL to the address that"
            " browsers use."
        )
        raise CommandError(message)
    name = f"[{host}]" if ":" in host else host
    return {**environment, "WEIGHHOUSE_PUBLIC_URL": f"http://{name}:{port}"}


def web(listener: socket.socket) -> Program:
    number = listener.fileno()
    command = [sys.executable, "-m", "gunicorn", "-k", "asgi"]
    command += ["--bind", f"fd://{number}", "--no-control-socket"]
    command += ["--graceful-timeout", str(GRACEFUL_S), "--log-level", "warning"]
    command += ["--pythonpath", str(settings.BASE_DIR), "research.asgi:application"]
    return Program("web server", command, [number])


def worker() -> Program:
    return Program("worker", [sys.executable, sys.argv[0], "worker"])
