"""`manage.py serve`: the whole product on one machine, until Ctrl-C."""

import os
import socket
import sys
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from research.worker.side_by_side import Program, ProgramEnded, SideBySide

# Below the ten seconds after which the whole group is killed.
GRACEFUL_S = 8
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
        listener = listen(options["host"], options["port"])
        call_command("migrate", interactive=False, verbosity=0)
        connections.close_all()
        url = url_of(options["host"], listener)
        environment = environment_for(options["host"], url)
        address = environment.get("WEIGHHOUSE_PUBLIC_URL", settings.PUBLIC_URL)
        self.stdout.write(f"Weighhouse is at {address} - press Ctrl-C to stop it.")
        self.stdout.flush()
        try:
            SideBySide([web(listener), worker()], environment).run()
        except ProgramEnded as ended:
            raise CommandError(str(ended)) from ended


def listen(host: str, port: int) -> socket.socket:
    """Bound here, so that a port in use is one sentence before anything starts.

    Raises CommandError.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=512)
    except (OSError, OverflowError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        message = f"Port {port} of {host} cannot be used: {reason}."
        raise CommandError(message) from error


def url_of(host: str, listener: socket.socket) -> str:
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{listener.getsockname()[1]}"


def environment_for(host: str, url: str) -> dict[str, str]:
    """On this machine alone the address is known; elsewhere it must have been set."""
    environment = dict(os.environ)
    if not environment.get("WEIGHHOUSE_PUBLIC_URL") and host in LOOPBACK:
        environment["WEIGHHOUSE_PUBLIC_URL"] = url
    return environment


def web(listener: socket.socket) -> Program:
    number = listener.fileno()
    command = [sys.executable, "-m", "gunicorn", "-k", "asgi"]
    command += ["--bind", f"fd://{number}", "--no-control-socket"]
    command += ["--graceful-timeout", str(GRACEFUL_S), "--log-level", "warning"]
    return Program("web server", [*command, "research.asgi:application"], [number])


def worker() -> Program:
    return Program("worker", [sys.executable, sys.argv[0], "worker"])
