"""One fetch on its way: where it has been, and where it may still go."""

import time
from collections.abc import Callable
from datetime import UTC, datetime

from chat.web.guard.clock import Deadline
from chat.web.guard.page import Hop
from chat.web.guard.refusal import FetchRefused, Reason
from chat.web.guard.urls import CheckedUrl

Permit = Callable[[str], bool]


class Journey:
    """The hops of one fetch; ``touched_network`` once anything was asked of it."""

    def __init__(self, url: str, permit: Permit | None, deadline: Deadline) -> None:
        self.url = url
        self.deadline = deadline
        self.hops: list[Hop] = []
        self.touched_network = False
        self._permit = permit
        self._seen: set[str] = set()
        self._departed = (datetime.now(UTC), time.monotonic())

    def admit(self, current: CheckedUrl) -> None:
        """Refuse an address that was visited before or that the caller forbids."""
        if current.url in self._seen:
            raise FetchRefused(Reason.REDIRECT_LOOP)
        if self._permit is not None and not self._permit(current.url):
            raise FetchRefused(Reason.PERMIT, current.display)
        self._seen.add(current.url)

    def depart(self) -> None:
        self.touched_network = True
        self._departed = (datetime.now(UTC), time.monotonic())

    def arrive(self, current: CheckedUrl, status: int, peer: str) -> None:
        started_at, started = self._departed
        duration_s = time.monotonic() - started
        self.hops.append(Hop(current.url, status, peer, started_at, duration_s))
