"""Search pages for people, asked and read by ddgs, carried by our guarded client.

ddgs (MIT, github.com/deedy5/ddgs) knows the requests and the marks of the pages. Its
own client passes itself off as a browser, swallows every status and takes a proxy from
the environment; so only its engines' requests and their reading of a page are used.
"""

import re
import threading
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol
from urllib.parse import urlencode

from chat.web.guard import Guard, Page
from chat.web.search.asking import Asker
from chat.web.search.errors import SearchLimited, SearchMisconfigured
from chat.web.search.queries import QueryLimit
from chat.web.search.waiting import seconds_to_wait
from chat.web.search.web_search import Found

REGION = "us-en"
# Without a key there is nothing to refuse: these ask for a person, or for patience.
_LIMITED = frozenset((202, 401, 403, 418, 429))
_FORM = ("Content-Type", "application/x-www-form-urlencoded")


class PageEngine(Protocol):
    """What is used of ddgs.base.BaseSearchEngine."""

    search_url: str
    search_method: ClassVar[str]

    def build_payload(
        self, query: str, region: str, safesearch: str, timelimit: str | None, page: int
    ) -> dict[str, Any]: ...

    def extract_results(self, html_text: str) -> list[Any]: ...

    def post_extract_results(self, results: list[Any]) -> list[Any]: ...


def missing_extra(name: str) -> SearchMisconfigured:
    """What to raise where ddgs is not installed."""
    msg = f"The search {name!r} needs ddgs: pip install 'weighhouse[search]'."
    return SearchMisconfigured(msg)


class Scraped:
    """A search page.

    ``challenge`` marks a page that asks for a person, ``nothing`` one that says that
    there are no results. A page has as many results as it has, whatever is asked for.
    """

    query_limit = QueryLimit(chars=500, url_bytes=1_500)

    def __init__(
        self,
        name: str,
        engine: PageEngine,
        *,
        challenge: re.Pattern[str],
        nothing: re.Pattern[str],
        guard: Guard | None = None,
    ) -> None:
        self.name = name
        self._engine = engine
        self._challenge = challenge
        self._nothing = nothing
        self._asker = Asker(name, guard)
        # An engine keeps its parser, and was not made for several threads.
        self._lock = threading.Lock()

    def ask(self, query: str, number: int) -> Sequence[Found]:
        with self._lock:
            payload = self._engine.build_payload(query, REGION, "moderate", None, 1)
        page = self._page(payload)
        if page.status in _LIMITED:
            msg = f"{self.name} answered {page.status}: too many searches."
            raise SearchLimited(msg, seconds_to_wait(page.headers))
        self._asker.check(page)
        text = page.body.decode("utf-8", "replace")
        found = self._read(text)
        if found:
            return found
        if self._challenge.search(text):
            raise SearchLimited(f"{self.name} asks for a person: too many searches.")
        if self._nothing.search(text):
            return []
        raise self._asker.unreadable("a page without results that does not say so")

    def _page(self, payload: Mapping[str, Any]) -> Page:
        form, url = urlencode(payload), self._engine.search_url
        if self._engine.search_method == "POST":
            return self._asker.page(
                url, method="POST", headers=[_FORM], body=form.encode()
            )
        return self._asker.page(f"{url}?{form}")

    def _read(self, text: str) -> list[Found]:
        try:
            with self._lock:
                results = self._engine.extract_results(text)
                results = self._engine.post_extract_results(results)
        except Exception as error:  # another's parser, on a page from outside
            raise self._asker.unreadable(type(error).__name__) from error
        return [Found(each.title, each.href, each.body) for each in results]
