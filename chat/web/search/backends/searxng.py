"""A SearXNG instance: ``backend("searxng", url="https://searx.example.org")``.

Request and answer: docs.searxng.org/dev/search_api. ``json`` must be among the
instance's ``search.formats``, else it answers 403; its limiter answers 429. It gives
what its engines gave, and names those that gave nothing: where all failed, that is no
"no results".
"""

from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network
from urllib.parse import urlencode, urlsplit

from chat.web.guard import FetchRefused, Guard, Page, check_url
from chat.web.guard import Policy as GuardPolicy
from chat.web.search.asking import LIMITS, Asker
from chat.web.search.credentials import required
from chat.web.search.errors import (
    SearchMisconfigured,
    SearchRefused,
    SearchUnavailable,
)
from chat.web.search.one_line import one_line
from chat.web.search.queries import QueryLimit
from chat.web.search.web_search import Found, WebSearch, entries

Network = IPv4Network | IPv6Network

VARIABLE = "SEARXNG_URL"
_FORM = "application/x-www-form-urlencoded"


class Searxng:
    """The engine; it has no parameter for the number of results.

    ``networks``: private ones in which the operator lets the instance be.
    """

    name = "searxng"
    query_limit = QueryLimit(chars=1_024)

    def __init__(
        self, url: str, guard: Guard | None = None, networks: Sequence[Network] = ()
    ) -> None:
        policy = _policy(required(url, VARIABLE), tuple(networks))
        try:
            base = check_url(url.strip(), policy)
        except FetchRefused as refused:
            msg = f"{VARIABLE} cannot be used: {refused}"
            raise SearchMisconfigured(msg) from refused
        if "?" in base.target:
            raise SearchMisconfigured(f"{VARIABLE} must have no query.")
        path = base.url.rstrip("/").removesuffix("/search")
        self._url = f"{path}/search"
        made = guard or Guard(policy=policy, limits=LIMITS)
        self._asker = Asker(self.name, made)

    def ask(self, query: str, number: int) -> Sequence[Found]:
        body = urlencode({"q": query, "format": "json"}).encode()
        headers = [("Accept", "application/json"), ("Content-Type", _FORM)]
        page = self._asker.page(self._url, method="POST", headers=headers, body=body)
        answer = self._asker.read(self._allowed(page))
        found = entries(answer.get("results"))
        if found is None:
            raise self._asker.unreadable("results is no list")
        failed = _failed(answer.get("unresponsive_engines"))
        if failed and not found:
            raise SearchUnavailable(f"searxng has no engine that answered: {failed}")
        return [
            Found(each.get("title"), each.get("url"), each.get("content"))
            for each in found
        ]

    @staticmethod
    def _allowed(page: Page) -> Page:
        if page.status == 403:
            msg = "searxng answered 403: json is not among its search.formats."
            raise SearchRefused(msg)
        return page


def _policy(url: str, networks: tuple[Network, ...]) -> GuardPolicy:
    """The operator named this address, so that its port is as good as 443."""
    try:
        port = urlsplit(url).port or 443
    except ValueError:
        port = 443
    return GuardPolicy(ports=frozenset((443, port)), any_status=True, allow=networks)


def _failed(engines: object) -> str:
    """``google (CAPTCHA), brave (timeout)``: the pairs of unresponsive_engines."""
    pairs = engines if isinstance(engines, list) else []
    told = [
        " ".join(part for part in pair if isinstance(part, str))
        for pair in pairs
        if isinstance(pair, list)
    ]
    return one_line(", ".join(told), 200)


def make(
    *,
    url: str = "",
    networks: Sequence[Network] = (),
    guard: Guard | None = None,
    allow: Sequence[str] = (),
    block: Sequence[str] = (),
) -> WebSearch:
    """A search by an instance over https; SearchMisconfigured without its address.

    networks: where the instance is at a private address, the networks that it may be
    in; only an operator may name them. guard: then has a policy of its own.
    """
    return WebSearch(Searxng(url, guard, networks), allow=allow, block=block)
