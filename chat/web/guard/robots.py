"""What sites ask robots to leave alone, for callers that want to know."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from chat.web.guard.identity import PRODUCT
from chat.web.guard.page import Page
from chat.web.guard.refusal import FetchRefused, Reason
from chat.web.guard.robots_rules import RobotsRules, rules_for
from chat.web.guard.urls import CheckedUrl

# RFC 9309 wants at least 500 KiB read, and an answer kept for a day at most.
MAX_BYTES = 512 * 1024
_KEPT_S = 24 * 3600.0
_KEPT_UNREACHED_S = 300.0
_REMEMBERED = 1_000
_TOO_MANY_REQUESTS = 429
_NOWHERE = frozenset((Reason.REDIRECT_LIMIT, Reason.REDIRECT_LOOP))

Read = Callable[[str], Page]


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a host said; ``refusal`` says why nothing there may be read."""

    rules: RobotsRules
    until: float
    refusal: str = ""


class RobotsPolicy:
    """Refuses what a host's robots.txt asks this product not to read; RFC 9309.

    A file that is not there allows everything. One that a fault keeps from being read
    allows nothing, and so does one that the guard refuses. Kept by host and port for a
    day, a fault for five minutes; safe between threads. ``now`` is a monotonic clock.
    """

    def __init__(self, *, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._answers: dict[str, _Answer] = {}
        self._lock = threading.Lock()

    def check(self, url: CheckedUrl, read: Read) -> float:
        """Refuse (``robots``) or return the seconds the host wants between visits.

        ``read`` fetches a robots.txt with any status; it raises FetchRefused.
        """
        answer = self._answer(url.authority, read)
        if answer.refusal:
            raise FetchRefused(Reason.ROBOTS, answer.refusal)
        if url.target != "/robots.txt" and not answer.rules.allow(url.target):
            raise FetchRefused(Reason.ROBOTS, url.display)
        return answer.rules.delay_s

    def _answer(self, authority: str, read: Read) -> _Answer:
        with self._lock:
            known = self._answers.get(authority)
        if known is not None and known.until > self._now():
            return known
        answer = self._asked(f"https://{authority}/robots.txt", read)
        with self._lock:
            if len(self._answers) >= _REMEMBERED:
                del self._answers[next(iter(self._answers))]
            self._answers[authority] = answer
        return answer

    def _asked(self, url: str, read: Read) -> _Answer:
        until = self._now() + _KEPT_S
        try:
            page = read(url)
        except FetchRefused as refused:
            if refused.reason in _NOWHERE:
                return _Answer(RobotsRules(), until)
            return self._unreached(str(refused.reason))
        if page.status in {200, 203}:
            text = page.body.decode("utf-8", errors="replace")
            return _Answer(rules_for(PRODUCT, text), until)
        if page.status >= 500 or page.status == _TOO_MANY_REQUESTS:
            return self._unreached(str(page.status))
        return _Answer(RobotsRules(), until)

    def _unreached(self, why: str) -> _Answer:
        said = f"Its robots.txt could not be read: {why}."
        return _Answer(RobotsRules(), self._now() + _KEPT_UNREACHED_S, said)
