"""`manage.py serve` is one thing: its two halves start together and end together."""

import os
import re
import signal
import urllib.request
from http import HTTPStatus
from pathlib import Path

import pytest

from research.models import WorkerBeat
from tests.end_to_end.conftest import StartCommand
from tests.fakes.processes import Command, descendants

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]


def _serve(start: StartCommand) -> Command:
    """Running, with both halves at work."""
    command = start("serve", "--port", "0")
    command.wait_ready()
    command.until(lambda: _status(command, "/admin/login/"), "the site answers")
    command.family()
    return command


def _status(command: Command, path: str) -> int:
    """The HTTP status; 0 while nothing answers."""
    found = re.search(r"http://127\.0\.0\.1:\d+", command.output())
    if not found:
        return 0
    try:
        with urllib.request.urlopen(found[0] + path, timeout=10) as response:
            return int(response.status)
    except OSError:
        return 0


def _half(command: Command, word: str) -> int:
    """The process of one half, by a word of its command line."""
    for pid in descendants(command.pid):
        line = Path(f"/proc/{pid}/cmdline").read_bytes()
        if word.encode() in line.split(b"\0"):
            return pid
    message = f"no {word} among the processes of serve"
    raise AssertionError(message)


def _wait_gone(command: Command) -> None:
    command.until(lambda: not command.survivors(), "all its processes are gone")


def test_serve_prepares_an_empty_database_and_serves_pages_and_files(
    start: StartCommand, tmp_path: Path
) -> None:
    command = start(
        "serve", "--port", "0", DATABASE_URL="", WEIGHHOUSE_DATA_DIR=str(tmp_path)
    )
    command.wait_ready()

    command.until(
        lambda: _status(command, "/admin/login/") == HTTPStatus.OK, "the site answers"
    )

    assert _status(command, "/static/admin/css/base.css") == HTTPStatus.OK
    assert "press Ctrl-C to stop it" in command.output()
    assert "Warning" not in command.output()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_serve_asked_to_stop_ends_in_order(
    start: StartCommand, number: signal.Signals
) -> None:
    command = _serve(start)
    command.until(WorkerBeat.objects.exists, "the worker shows that it lives")

    command.signal(number)

    assert command.wait() == 0
    assert not command.survivors()
    assert not WorkerBeat.objects.exists()


def test_killed_serve_leaves_no_process(start: StartCommand) -> None:
    command = _serve(start)

    command.signal(signal.SIGKILL)

    command.wait()
    assert len(command.family()) >= 6
    _wait_gone(command)


@pytest.mark.parametrize(
    ("word", "name"), [("worker", "worker"), ("gunicorn", "web server")]
)
def test_serve_ends_with_exit_code_1_when_one_half_is_killed(
    start: StartCommand, word: str, name: str
) -> None:
    sentence = f"CommandError: The {name} ended with exit code -9; all was stopped."
    command = _serve(start)

    os.kill(_half(command, word), signal.SIGKILL)

    assert command.wait() == 1
    assert sentence in command.output().splitlines()
    _wait_gone(command)
