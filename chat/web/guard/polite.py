"""A guarded fetch as a good guest makes it: the one that readers of pages use."""

from collections.abc import Iterable
from dataclasses import replace

from chat.web.guard.cache import Known, PageCache, cache_key
from chat.web.guard.client import EVIDENCE, Guard
from chat.web.guard.clock import Deadline
from chat.web.guard.exchange import Header, checked_headers
from chat.web.guard.journey import Permit
from chat.web.guard.pacing import Pacing
from chat.web.guard.page import Page
from chat.web.guard.refusal import FetchRefused, Reason
from chat.web.guard.robots import RobotsPolicy
from chat.web.guard.urls import check_url
from chat.web.guard.visit import Visit
from chat.web.guard.wall_rules import WallKind
from chat.web.guard.walls import wall

_UNCHANGED = 304
_OVERLOADED = frozenset((429, 503))
_LONGEST_HOLD_S = 3600
# Every run of a process shares it, since a site sees them as one visitor.
_SHARED_PACING = Pacing()


class PoliteGuard:
    """Fetches as Guard does, and spares the sites; safe to share between threads.

    One is made for each run. ``cache`` keeps its pages, so that none is fetched twice;
    pages of earlier runs in it are used once their server confirms them. ``pacing`` is
    that of the process unless given. ``robots`` is off unless given: a page that a
    person asked for is no crawl. All else is as with ``guard``, refusals included,
    with ``busy``, ``robots`` and, for a challenge in place of the page, ``blocked``.
    """

    def __init__(
        self,
        guard: Guard,
        *,
        pacing: Pacing = _SHARED_PACING,
        robots: RobotsPolicy | None = None,
        cache: PageCache | None = None,
    ) -> None:
        self._policy = guard.policy
        # Only here it is seen whether an answer confirms a page, or is a challenge.
        self._guard = guard.changed(policy=replace(guard.policy, any_status=True))
        self._pacing = pacing
        self._robots = robots
        self._cache = cache if cache is not None else PageCache()

    def fetch(
        self,
        url: str,
        *,
        permit: Permit | None = None,
        method: str = "GET",
        headers: Iterable[Header] = (),
        body: bytes | None = None,
    ) -> Page:
        """Fetch a page or return it as this run has fetched it; raises FetchRefused.

        ``permit`` is asked about every hop of a kept page too. A page from the cache
        has the hops and the time of when it was fetched. Waiting counts as fetching.
        """
        given = checked_headers(method, headers)
        visit = Visit(
            guard=self._guard,
            pacing=self._pacing,
            robots=self._robots,
            permit=permit,
            deadline=Deadline(self._guard.limits.deadline_s),
        )
        if method != "GET" or body is not None:
            return self._proper(visit.fetch(url, method, given, body))
        key = cache_key(check_url(url, self._policy).url, given)
        with self._cache.claimed(key, visit.deadline.left()):
            known = self._cache.find(key)
            if known is not None and known.fresh:
                return _permitted(replace(known.page, url=url), permit)
            page = self._asked(visit, url, given, known)
            if page.status in EVIDENCE:
                self._cache.keep(page, given)
            return page

    def _asked(
        self, visit: Visit, url: str, given: tuple[Header, ...], known: Known | None
    ) -> Page:
        asking = known.validators() if known and not _is_conditional(given) else ()
        page = visit.fetch(url, "GET", (*given, *asking), None)
        # Validators are of one address; another one's "unchanged" says nothing of it.
        is_same = known is not None and page.final_url == known.page.final_url
        if known is not None and asking and is_same and page.status == _UNCHANGED:
            return known.confirmed(page)
        return self._proper(page)

    def _proper(self, page: Page) -> Page:
        """Return an answer that is evidence, or that the caller's policy wants."""
        if page.status in EVIDENCE:
            return page
        if page.status in _OVERLOADED:
            host = check_url(page.final_url, self._policy).host
            self._pacing.hold_off(host, _seconds_asked_for(page))
        if self._policy.any_status:
            return page
        said = f"It answered {page.status}."
        found = wall(page, None)
        if found is not None and found.kind is WallKind.CHALLENGE:
            raise FetchRefused(
                Reason.BLOCKED, f"{said} {found.kind}", touched_network=True
            )
        raise FetchRefused(Reason.STATUS, said, touched_network=True)


def _permitted(page: Page, permit: Permit | None) -> Page:
    for hop in page.hops:
        if permit is not None and not permit(hop.url):
            raise FetchRefused(Reason.PERMIT, hop.url)
    return page


def _is_conditional(headers: tuple[Header, ...]) -> bool:
    return any(name.lower().startswith(("if-", "range")) for name, _ in headers)


def _seconds_asked_for(page: Page) -> float:
    """Read Retry-After in seconds; its other form, a date, is rare and not read."""
    told = page.headers.get("retry-after", "").strip()
    is_number = told.isascii() and told.isdigit() and len(told) < 10
    return min(int(told), _LONGEST_HOLD_S) if is_number else 0
