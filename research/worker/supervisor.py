"""The parent of a worker: keeps the cluster alive, dispatches, and ends it in order."""

import logging
import signal
import time
from types import FrameType

from django.conf import settings

from research.services import stop_flag
from research.services.claim_run import make_owner
from research.worker.cluster import Cluster
from research.worker.dispatcher import Dispatcher
from research.worker.watchdog import Watchdog

POLL_S = 0.2
# A run hands over within a tick; what takes longer is left to its lease.
STOP_WITHIN_S = 30
RESTART_WITHIN_S = 10

logger = logging.getLogger(__name__)


class ClusterDied(Exception):
    """The sentinel ended unasked."""


class Supervisor:
    """One per process: it owns the signals and the stop flag."""

    def __init__(self) -> None:
        self._asked = False
        self._dispatcher = Dispatcher(make_owner())
        self._next_tick = time.monotonic()
        self._new_cluster()

    def run(self) -> None:
        """Returns after SIGTERM or SIGINT; raises ClusterDied. Leaves no process."""
        signal.signal(signal.SIGTERM, self._ask)
        signal.signal(signal.SIGINT, self._ask)
        try:
            self._cluster.start()
            while not self._asked:
                self._step()
                time.sleep(POLL_S)
            self._hand_over()
        finally:
            self._cluster.kill()
            self._dispatcher.sign_off()

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self._asked = True

    def _step(self) -> None:
        if not self._cluster.is_alive():
            message = "The worker's sentinel died; its workers were ended with it."
            raise ClusterDied(message)
        if time.monotonic() >= self._next_tick:
            self._next_tick = time.monotonic() + settings.DISPATCH_EVERY_S
            self._dispatcher.tick()
        fault = self._watchdog.fault(self._cluster.pulse, time.monotonic())
        if fault:
            logger.critical("The cluster is restarted: %s", fault)
            self._restart()

    def _hand_over(self) -> None:
        logger.info("The worker stops; its runs are handed over")
        stop_flag.ask_to_stop()
        self._cluster.ask_to_stop()
        deadline = time.monotonic() + STOP_WITHIN_S
        while self._cluster.is_alive():
            if time.monotonic() >= deadline:
                logger.warning("Not all tasks ended within %s s", STOP_WITHIN_S)
                return
            time.sleep(POLL_S)

    def _restart(self) -> None:
        """Busy workers hand over first; a frozen cluster cannot be asked to stop."""
        stop_flag.ask_to_stop()
        deadline = time.monotonic() + RESTART_WITHIN_S
        while self._cluster.pulse.busy and time.monotonic() < deadline:
            time.sleep(POLL_S)
        self._cluster.kill()
        stop_flag.go_on()
        self._new_cluster()
        self._cluster.start()

    def _new_cluster(self) -> None:
        self._cluster = Cluster()
        self._watchdog = Watchdog(
            workers=settings.Q_CLUSTER["workers"], patience_s=settings.WATCHDOG_AFTER_S
        )
