"""Tells a frozen cluster from a busy one.

An idle worker that is killed takes the lock of the queue with it, and no worker gets
a task any more; a sentinel can hang on the lock of a worker that died at a bad moment.
"""

from research.worker.cluster import Pulse


class Watchdog:
    """Watches one cluster; a new cluster gets a new watchdog."""

    def __init__(self, *, workers: int, patience_s: float) -> None:
        self._workers = workers
        self._patience_s = patience_s
        self._stuck_since: float | None = None

    def fault(self, pulse: Pulse, now: float) -> str:
        """Why the cluster must be restarted at `now`; empty when it need not be.

        `now` is in seconds of the monotonic clock, as the pulse is.
        """
        if now - pulse.at >= self._patience_s:
            return "the sentinel is silent"
        if not pulse.waiting or pulse.busy >= self._workers:
            self._stuck_since = None
            return ""
        if self._stuck_since is None:
            self._stuck_since = now
        if now - self._stuck_since >= self._patience_s:
            return "a task waits and idle workers do not take it"
        return ""
