"""Pages that were fetched before, so that none is fetched twice in a run."""

import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from chat.web.guard.exchange import Header
from chat.web.guard.page import Page
from chat.web.guard.refusal import FetchRefused, Reason

MAX_BYTES = 64 * 1024 * 1024
MAX_ENTRIES = 256
# Of an answer that says "unchanged", these replace what was known; RFC 9111, 3.2.
_UPDATED = frozenset(("etag", "last-modified", "date", "expires", "cache-control"))

Key = tuple[str, tuple[Header, ...]]


def cache_key(canonical_url: str, headers: Iterable[Header]) -> Key:
    """Return what tells pages apart: the address and all headers that were given.

    All of them, not only those that the answer varies by: a page that was fetched with
    credentials is never given to a caller without them.
    """
    return canonical_url, tuple(sorted((name.lower(), v) for name, v in headers))


@dataclass(frozen=True, slots=True)
class Known:
    """A page in the cache; ``fresh`` once it was fetched or confirmed in this run."""

    page: Page
    fresh: bool

    def validators(self) -> tuple[Header, ...]:
        """Return the headers that ask whether the page is still the same."""
        headers = self.page.headers
        found = []
        if etag := headers.get("etag"):
            found.append(("If-None-Match", etag))
        if modified := headers.get("last-modified"):
            found.append(("If-Modified-Since", modified))
        return tuple(h for h in found if h[1].isprintable())

    def confirmed(self, unchanged: Page) -> Page:
        """Return the page as a server has just confirmed it, with the hops of that."""
        updated = {k: v for k, v in unchanged.headers.items() if k in _UPDATED}
        return replace(
            self.page,
            url=unchanged.url,
            hops=unchanged.hops,
            peer=unchanged.peer,
            fetched_at=unchanged.fetched_at,
            headers={**self.page.headers, **updated},
        )


class PageCache:
    """The pages of one run, and pages of earlier runs that servers may confirm.

    A page is found under every address of its hops. The pages that were used longest
    ago make room where there are too many or too many bytes. Safe between threads.
    """

    def __init__(
        self, *, max_bytes: int = MAX_BYTES, max_entries: int = MAX_ENTRIES
    ) -> None:
        self._max_bytes = max_bytes
        self._max_entries = max_entries
        self._known: OrderedDict[Key, Known] = OrderedDict()
        self._claimed: set[Key] = set()
        self._changed = threading.Condition()

    def find(self, key: Key) -> Known | None:
        """Return what is known under a key."""
        with self._changed:
            if key in self._known:
                self._known.move_to_end(key)
            return self._known.get(key)

    def keep(self, page: Page, headers: Iterable[Header] = ()) -> None:
        """Remember a page of this run under each address on its way."""
        self._put(page, tuple(headers), fresh=True)

    def recall(self, page: Page, headers: Iterable[Header] = ()) -> None:
        """Remember a page of an earlier run, to be confirmed before it is used."""
        self._put(page, tuple(headers), fresh=False)

    @contextmanager
    def claimed(self, key: Key, patience_s: float) -> Iterator[None]:
        """Let one caller at a time fetch a page; the next one finds it kept.

        Raises FetchRefused (``busy``) if the wait takes longer than ``patience_s``.
        """
        with self._changed:
            end = time.monotonic() + patience_s
            while key in self._claimed:
                if not self._changed.wait(max(0.0, end - time.monotonic())):
                    raise FetchRefused(Reason.BUSY, "It is being fetched already.")
            self._claimed.add(key)
        try:
            yield
        finally:
            with self._changed:
                self._claimed.remove(key)
                self._changed.notify_all()

    def _put(self, page: Page, headers: tuple[Header, ...], *, fresh: bool) -> None:
        if len(page.body) > self._max_bytes:
            return
        with self._changed:
            for key, seen in _views(page, headers):
                self._known[key] = Known(seen, fresh)
                self._known.move_to_end(key)
            while self._is_too_much():
                self._known.popitem(last=False)

    def _is_too_much(self) -> bool:
        # One body may be known under several addresses, and takes its room once.
        bodies = {
            id(known.page.body): known.page.body for known in self._known.values()
        }
        used = sum(map(len, bodies.values()))
        return len(self._known) > self._max_entries or used > self._max_bytes


def _views(page: Page, headers: tuple[Header, ...]) -> Iterator[tuple[Key, Page]]:
    """Yield a page as each address on its way leads to it.

    The headers given were sent until the first other host, and no further.
    """
    first = _authority(page.hops[0].url)
    for at, hop in enumerate(page.hops):
        if _authority(hop.url) != first:
            headers = ()
        seen = page if at == 0 else replace(page, url=hop.url, hops=page.hops[at:])
        yield cache_key(hop.url, headers), seen


def _authority(canonical_url: str) -> str:
    return canonical_url.split("/", 3)[2]
