"""Starts the product's commands as real processes, and ends all that came of them."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parents[2]
# Generous: it bounds a broken test and is never reached by a sound one.
PATIENCE_S = 90

T = TypeVar("T")


def wait_until(condition: Callable[[], T], what: str) -> T:
    """The first true value of `condition`; fails after PATIENCE_S."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    message = f"waited {PATIENCE_S} s in vain: {what}"
    raise AssertionError(message)


def is_alive(pid: int) -> bool:
    """A process that runs; one that has ended and was not yet reaped does not."""
    return _parent_of(pid) is not None


def descendants(pid: int) -> list[int]:
    """Children and theirs, as they are now."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            parent = _parent_of(int(entry.name))
            if parent is not None:
                children.setdefault(parent, []).append(int(entry.name))
    found: list[int] = []
    todo = [pid]
    while todo:
        more = children.get(todo.pop(), [])
        found += more
        todo += more
    return found


def _parent_of(pid: int) -> int | None:
    try:
        line = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    state, parent = line.rsplit(")", 1)[1].split()[:2]
    return None if state in "ZX" else int(parent)


class Command:
    """One `manage.py` command in a session of its own; its output goes to a file."""

    def __init__(
        self, *arguments: str, environment: Mapping[str, str], log: Path
    ) -> None:
        self.log = log
        self._known: set[int] = set()
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", *arguments],
                cwd=ROOT,
                env=environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        return self.process.pid

    def output(self) -> str:
        return self.log.read_text()

    def family(self) -> list[int]:
        """All that came of it so far, dead or alive."""
        self._known.update(descendants(self.pid))
        return sorted(self._known)

    def survivors(self) -> list[int]:
        return [pid for pid in self.family() if is_alive(pid)]

    def worker_pids(self) -> list[int]:
        """The queue's workers, as they announced themselves, oldest first."""
        found = re.findall(r"ready for work at (\d+)", self.output())
        return [int(pid) for pid in found]

    def wait_ready(self, workers: int = 1) -> None:
        self.until(lambda: len(self.worker_pids()) >= workers, "workers are ready")

    def until(self, condition: Callable[[], T], what: str) -> T:
        """`wait_until`, with the log when it fails."""
        try:
            return wait_until(condition, what)
        except AssertionError as error:
            message = f"{error}\n{self.output()[-4000:]}"
            raise AssertionError(message) from error

    def signal(self, number: signal.Signals) -> None:
        self.family()
        self.process.send_signal(number)

    def wait(self) -> int:
        """The exit code."""
        try:
            return self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired as error:
            message = f"did not end:\n{self.output()[-4000:]}"
            raise AssertionError(message) from error

    def end(self) -> None:
        """Whatever the test left behind."""
        for pid in [self.pid, *self.family()]:
            if is_alive(pid):
                os.kill(pid, signal.SIGKILL)
        self.process.wait(PATIENCE_S)
