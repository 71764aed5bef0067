"""Tavily: ``backend("tavily", api_key=...)``.

Request, answer and errors: docs.tavily.com, API reference, Search. A query has at most
400 characters; ``max_results`` is 0 to 20. 401 is a wrong key, 429 too many requests,
432 and 433 a plan or a limit of one's own that is used up. Its written answer is not
asked for.
"""

from collections.abc import Sequence

from chat.web.guard import Guard
from chat.web.search.asking import Asker
from chat.web.search.credentials import required
from chat.web.search.queries import QueryLimit
from chat.web.search.web_search import Found, WebSearch, entries

URL = "https://api.tavily.com/search"


class Tavily:
    """The engine; ``number`` of ``ask`` is at most 20."""

    name = "tavily"
    query_limit = QueryLimit(chars=400)

    def __init__(self, api_key: str, guard: Guard | None = None) -> None:
        self._key = required(api_key, "TAVILY_API_KEY")
        self._asker = Asker(self.name, guard, self._key)

    def ask(self, query: str, number: int) -> Sequence[Found]:
        asked = {
            "query": query,
            "max_results": number,
            "search_depth": "basic",
            "include_answer": False,
        }
        headers = [("Authorization", f"Bearer {self._key}")]
        answer = self._asker.json(URL, method="POST", headers=headers, body=asked)
        found = entries(answer.get("results"))
        if found is None:
            raise self._asker.unreadable("results is no list")
        return [
            Found(each.get("title"), each.get("url"), each.get("content"))
            for each in found
        ]


def make(
    *,
    api_key: str = "",
    guard: Guard | None = None,
    allow: Sequence[str] = (),
    block: Sequence[str] = (),
) -> WebSearch:
    """A search by Tavily; SearchMisconfigured without a key."""
    return WebSearch(Tavily(api_key, guard), allow=allow, block=block)
