"""What every backend of the web has in common: limits in, clean results out."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from chat.web.search.domain_rules import DomainRules
from chat.web.search.errors import SearchUnavailable
from chat.web.search.limits import (
    DEFAULT_RESULTS,
    MOST_RESULTS,
    SNIPPET_CHARS,
    TITLE_CHARS,
)
from chat.web.search.one_line import one_line
from chat.web.search.public_urls import public_url
from chat.web.search.queries import QueryLimit
from chat.web.search.values import SearchResult, Sent

logger = logging.getLogger(__name__)


class Found(NamedTuple):
    """One entry of an answer as it came: any JSON may stand in each place."""

    title: object
    url: object
    snippet: object


class Engine(Protocol):
    """One backend. ``ask`` raises SearchError; safe to call from several threads."""

    @property
    def name(self) -> str: ...

    @property
    def query_limit(self) -> QueryLimit: ...

    def ask(self, query: str, number: int) -> Sequence[Found]: ...


class WebSearch:
    """A search of the web by one engine; safe to share between threads.

    allow, block: see DomainRules. Results are of public http(s) addresses, each page
    once, in the engine's order: title of at most TITLE_CHARS characters, snippet of at
    most SNIPPET_CHARS.
    """

    def __init__(
        self, engine: Engine, *, allow: Sequence[str] = (), block: Sequence[str] = ()
    ) -> None:
        self._engine = engine
        self._rules = DomainRules(allow, block)

    def sent(self, query: str) -> Sent:
        """What the engine would be sent of a query."""
        return self._engine.query_limit.sent(query)

    def search(
        self, query: str, max_results: int = DEFAULT_RESULTS
    ) -> list[SearchResult]:
        """Ask the engine once; SearchError if it gives no answer.

        max_results: 1 to MOST_RESULTS, more counts as that; zero or less means none,
        and nothing is sent. A query without words has no results either.
        """
        wanted = min(max_results, MOST_RESULTS)
        sent = self.sent(query)
        if wanted < 1 or not sent.query:
            return []
        if sent.was_cut:
            logger.info("The query to %s was cut.", self._engine.name)
        # What the rules take away is made up for, as far as one request goes.
        number = MOST_RESULTS if self._rules else wanted
        entries = self._engine.ask(sent.query, number)
        results = list(self._clean(entries))
        if entries and not any(isinstance(entry.url, str) for entry in entries):
            msg = f"{self._engine.name} answered with results that have no address."
            raise SearchUnavailable(msg)
        return results[:wanted]

    def _clean(self, entries: Iterable[Found]) -> Iterator[SearchResult]:
        seen: set[str] = set()
        for entry in entries:
            url = public_url(entry.url) if isinstance(entry.url, str) else None
            if url is None or url.key in seen or not self._rules.admits(url):
                continue
            seen.add(url.key)
            title = one_line(_text(entry.title), TITLE_CHARS)
            snippet = one_line(_text(entry.snippet), SNIPPET_CHARS)
            yield SearchResult(title, url.url, snippet)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def entries(results: object) -> list[dict[str, object]] | None:
    """The objects of a list of JSON; None where it is no list or has none of them."""
    if not isinstance(results, list):
        return None
    objects = [each for each in results if isinstance(each, dict)]
    return None if results and not objects else objects
