"""Brave Search: ``backend("brave", api_key=...)``.

Request, answer and errors: api-dashboard.search.brave.com, Web Search API. A query has
at most 400 characters and 50 words; ``count`` is 1 to 20; of an answer without pages
``web`` is missing. A wrong key is answered with 422, too many requests with 429 and
the windows in X-RateLimit-Reset.
"""

from collections.abc import Sequence
from urllib.parse import urlencode

from chat.web.guard import Guard
from chat.web.search.asking import Asker
from chat.web.search.credentials import required
from chat.web.search.queries import QueryLimit
from chat.web.search.web_search import Found, WebSearch, entries

URL = "https://api.search.brave.com/res/v1/web/search"


class Brave:
    """The engine; ``number`` of ``ask`` is at most 20."""

    name = "brave"
    query_limit = QueryLimit(chars=400, words=50, url_bytes=1_800)

    def __init__(self, api_key: str, guard: Guard | None = None) -> None:
        self._key = required(api_key, "BRAVE_API_KEY")
        self._asker = Asker(self.name, guard, self._key)

    def ask(self, query: str, number: int) -> Sequence[Found]:
        asked = {"q": query, "count": number, "text_decorations": "false"}
        headers = [("X-Subscription-Token", self._key)]
        answer = self._asker.json(f"{URL}?{urlencode(asked)}", headers=headers)
        if answer.get("type") != "search":
            raise self._asker.unreadable("it is no search response")
        web = answer.get("web")
        if web is None:
            return []
        found = entries(web.get("results")) if isinstance(web, dict) else None
        if found is None:
            raise self._asker.unreadable("web.results is no list")
        return [
            Found(each.get("title"), each.get("url"), each.get("description"))
            for each in found
        ]


def make(
    *,
    api_key: str = "",
    guard: Guard | None = None,
    allow: Sequence[str] = (),
    block: Sequence[str] = (),
) -> WebSearch:
    """A search by Brave; SearchMisconfigured without a key."""
    return WebSearch(Brave(api_key, guard), allow=allow, block=block)
