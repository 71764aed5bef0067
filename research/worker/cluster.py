"""django-q2's sentinel and its workers as one process group that never outlives us.

The sentinel is started here and not through django-q2's Cluster, which would take the
signals, wait for running tasks without limit, and leave orphans when it is killed.
"""

import contextlib
import multiprocessing
import os
import signal
import time
import uuid
from multiprocessing.sharedctypes import RawArray
from typing import Any

from django.db import connections
from django_q.cluster import Sentinel

import research.tasks  # noqa: F401 - before the fork, so that the workers share it
from research.worker.parent_death import bind_children, die_with_parent

_fork = multiprocessing.get_context("fork")


class Pulse:
    """What the sentinel shows of itself, in memory that its parent sees too."""

    def __init__(self) -> None:
        self._cells = RawArray("d", 3)
        self.beat(busy=0, waiting=0, at=time.monotonic())

    def beat(self, *, busy: int, waiting: int, at: float) -> None:
        self._cells[:] = [at, busy, waiting]

    @property
    def at(self) -> float:
        """Seconds of the monotonic clock, which all processes share."""
        return float(self._cells[0])

    @property
    def busy(self) -> int:
        """Workers with a task in hand."""
        return int(self._cells[1])

    @property
    def waiting(self) -> int:
        """Tasks taken from the queue that no worker has taken yet."""
        return int(self._cells[2])


class WatchedSentinel(Sentinel):  # type: ignore[misc]
    """Leads a process group of its own and shows its pulse once a cycle."""

    def __init__(self, parent: int, pulse: Pulse, *args: Any) -> None:
        # Signals meant for the parent's group, such as Ctrl-C, pass the workers by.
        os.setpgid(0, 0)
        die_with_parent(parent)
        bind_children()
        self.pulse = pulse
        super().__init__(*args)  # returns when the cluster has stopped

    def status(self) -> str:
        """Called by django-q2 at every cycle of its guard, and while it stops."""
        busy = sum(worker.timer.value > 0 for worker in self.pool)
        waiting = self.task_queue.qsize()
        self.pulse.beat(busy=busy, waiting=waiting, at=time.monotonic())
        return str(super().status())


class Cluster:
    """One sentinel with its workers; started once, ended by `kill` at the latest."""

    def __init__(self) -> None:
        self.pulse = Pulse()
        self._stop = _fork.Event()
        arguments = (os.getpid(), self.pulse, self._stop, _fork.Event(), uuid.uuid4())
        self._sentinel = _fork.Process(
            target=WatchedSentinel, name="sentinel", args=arguments
        )

    def start(self) -> None:
        # A connection must not be shared across a fork.
        connections.close_all()
        self._sentinel.start()

    def is_alive(self) -> bool:
        return self._sentinel.is_alive()

    def ask_to_stop(self) -> None:
        """The workers finish or hand over what they have, then all of them end."""
        self._stop.set()

    def kill(self) -> None:
        """Ends whatever of the group is still there."""
        pid = self._sentinel.pid
        if pid is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
        self._sentinel.kill()  # had it no time to found its group
        self._sentinel.join()
