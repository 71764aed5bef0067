"""Tells a frozen cluster from a busy one.

An idle worker that is killed takes the lock of the queue with it, and no worker gets
a task any more; a sentinel can hang on the lock of a worker that died at a bad moment.
"""

import time

from research.worker.cluster import Pulse


class Watchdog:
    """Watches one cluster; a new cluster gets a new watchdog."""

    def __init__(self, *, workers: int, patience_s: float) -> None:
        self._workers = workers
        self._patience_s = patience_s
        self._stuck_since: float | None = None

    def fault(self, pulse: Pulse) -> str:
        """Why the cluster must be restarted, in a few words; empty when it need not."""
        now = time.monotonic()
        if now - pulse.at >= self._patience_s:
            return "the sentinel is silent"
        if not pulse.waiting or pulse.busy >= self._workers:
            self._stuck_since = None
            return ""
        self._stuck_since = self._stuck_since or now
        if now - self._stuck_since >= self._patience_s:
            return "a task waits and idle workers do not take it"
        return ""
