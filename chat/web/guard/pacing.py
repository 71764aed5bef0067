"""How often one host is asked, whoever asks."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from chat.web.guard.refusal import FetchRefused, Reason

AT_ONCE = 2
SPACING_S = 1.0
# More hosts than this are remembered only while they are being asked.
_REMEMBERED = 1_000


@dataclass(slots=True)
class _Lane:
    """One host: how many visits run, and from when on the next one may begin."""

    running: int = 0
    next_start: float = 0.0


class Pacing:
    """Gives each host few visits at a time and a pause between their beginnings.

    A host is a name as it stands in the address, the unit that robots.txt speaks for:
    subdomains of one owner may be strangers to each other, and a site that sends its
    readers from one name to another should not make them wait. One instance is shared
    by all who fetch in a process; safe between threads. ``now`` and ``sleep`` are a
    monotonic clock in seconds.
    """

    def __init__(
        self,
        *,
        at_once: int = AT_ONCE,
        spacing_s: float = SPACING_S,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        if at_once < 1 or spacing_s < 0:
            raise ValueError("At least one visit at a time, and no negative pause.")
        self._at_once = at_once
        self._spacing_s = spacing_s
        self._now = now
        self._sleep = sleep
        self._lanes: dict[str, _Lane] = {}
        self._changed = threading.Condition()

    def enter(self, host: str, patience_s: float) -> None:
        """Wait for this host's turn, and take it; ``leave`` has to follow.

        Raises FetchRefused (``busy``), without waiting where it is plain beforehand,
        if the turn does not come within ``patience_s`` seconds.
        """
        end = self._now() + patience_s
        with self._changed:
            lane = self._lane_once_free(host, end)
            start = max(self._now(), lane.next_start)
            if start > end:
                raise _busy(host)
            lane.running += 1
            lane.next_start = start + self._spacing_s
        pause_s = start - self._now()
        try:
            if pause_s > 0:
                self._sleep(pause_s)
        except BaseException:
            self.leave(host)
            raise

    def leave(self, host: str) -> None:
        """End a visit that ``enter`` began."""
        with self._changed:
            self._lanes[host].running -= 1
            self._changed.notify_all()

    def hold_off(self, host: str, seconds: float) -> None:
        """Begin no visit of this host for so long, because it asked for that."""
        with self._changed:
            lane = self._lane(host)
            lane.next_start = max(lane.next_start, self._now() + seconds)

    def _lane_once_free(self, host: str, end: float) -> _Lane:
        while (lane := self._lane(host)).running >= self._at_once:
            left = end - self._now()
            if left <= 0 or not self._changed.wait(left):
                raise _busy(host)
        return lane

    def _lane(self, host: str) -> _Lane:
        if host not in self._lanes and len(self._lanes) >= _REMEMBERED:
            self._forget_idle()
        return self._lanes.setdefault(host, _Lane())

    def _forget_idle(self) -> None:
        now = self._now()
        self._lanes = {
            host: lane
            for host, lane in self._lanes.items()
            if lane.running or lane.next_start > now
        }


def _busy(host: str) -> FetchRefused:
    return FetchRefused(Reason.BUSY, f"{host} could not be asked in time.")
