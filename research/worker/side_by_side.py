"""Runs several commands under one parent: they start together and end together."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import FrameType

from research.worker.parent_death import die_with_parent

POLL_S = 0.2
END_WITHIN_S = 10


@dataclass(frozen=True)
class Program:
    """One command, by the name that messages call it."""

    name: str
    command: Sequence[str]
    pass_fds: Sequence[int] = ()


class ProgramEnded(Exception):
    """One of the programs ended unasked."""


@dataclass
class SideBySide:
    """Owns the signals of its process, so one at a time."""

    programs: Sequence[Program]
    environment: Mapping[str, str]
    _asked: bool = False
    _running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def run(self) -> None:
        """Returns after SIGTERM or SIGINT; raises ProgramEnded. Leaves no process."""
        signal.signal(signal.SIGTERM, self._ask)
        signal.signal(signal.SIGINT, self._ask)
        try:
            for program in self.programs:
                self._running[program.name] = self._start(program)
            while not self._asked:
                self._refuse_ended()
                time.sleep(POLL_S)
        finally:
            _end(self._running.values())

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self._asked = True

    def _start(self, program: Program) -> subprocess.Popen[bytes]:
        """In a session of its own: Ctrl-C reaches us alone, and we pass it on."""
        return subprocess.Popen(
            program.command,
            env=self.environment,
            pass_fds=program.pass_fds,
            start_new_session=True,
            # This process has one thread, so code between fork and exec is safe.
            preexec_fn=partial(die_with_parent, os.getpid(), signal.SIGTERM),  # noqa: PLW1509
        )

    def _refuse_ended(self) -> None:
        for name, process in self._running.items():
            code = process.poll()
            if code is not None:
                message = f"The {name} ended with exit code {code}; all was stopped."
                raise ProgramEnded(message)


def _end(processes: Iterable[subprocess.Popen[bytes]]) -> None:
    """Asks each to end, then ends whatever is left of its session's group."""
    processes = list(processes)
    for process in processes:
        process.terminate()
    deadline = time.monotonic() + END_WITHIN_S
    for process in processes:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(max(0.0, deadline - time.monotonic()))
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
