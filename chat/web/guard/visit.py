"""One fetch on its way from host to host, taking its turn at each."""

from dataclasses import dataclass, field, replace

from chat.web.guard.client import Guard
from chat.web.guard.clock import Deadline
from chat.web.guard.exchange import Header
from chat.web.guard.journey import Permit
from chat.web.guard.pacing import Pacing
from chat.web.guard.page import Page
from chat.web.guard.policy import FetchLimits
from chat.web.guard.refusal import FetchRefused
from chat.web.guard.robots import MAX_BYTES, RobotsPolicy
from chat.web.guard.urls import check_url


@dataclass(slots=True)
class Visit:
    """Asks for a page and, before each hop, for permission, a turn and robots.txt.

    A redirect within a host is part of the same turn, as is the host's robots.txt: a
    browser would not wait there either. No two turns are held at once.
    """

    guard: Guard
    pacing: Pacing
    robots: RobotsPolicy | None
    permit: Permit | None
    deadline: Deadline
    _host: str | None = field(default=None, init=False)
    _touched: bool = field(default=False, init=False)

    def fetch(
        self, url: str, method: str, headers: tuple[Header, ...], body: bytes | None
    ) -> Page:
        """Return the answer of any status; raises FetchRefused."""
        try:
            return self._guard_for(self.guard.limits).fetch(
                url, permit=self._admits, method=method, headers=headers, body=body
            )
        except FetchRefused as refused:
            refused.touched_network |= self._touched
            raise
        finally:
            self._leave()

    def _admits(self, url: str) -> bool:
        if self.permit is not None and not self.permit(url):
            return False
        here = check_url(url, self.guard.policy)
        if here.host != self._host:
            self._leave()
            self.pacing.enter(here.host, self.deadline.left())
            self._host = here.host
        if self.robots is not None:
            delay_s = self.robots.check(here, self._robots_txt)
            self.pacing.hold_off(here.host, delay_s)
        return True

    def _robots_txt(self, url: str) -> Page:
        self._touched = True
        limits = replace(self.guard.limits, max_body_bytes=MAX_BYTES)
        return self._guard_for(limits).fetch(url)

    def _guard_for(self, limits: FetchLimits) -> Guard:
        return self.guard.changed(
            limits=replace(limits, deadline_s=self.deadline.left())
        )

    def _leave(self) -> None:
        if self._host is not None:
            self.pacing.leave(self._host)
            self._host = None
