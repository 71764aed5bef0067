"""Serper, which asks Google: ``backend("serper", api_key=...)``.

Request, answer and errors: serper.dev, playground and API reference. A key that is
wrong is answered with 403, one without credits with 400 and "Not enough credits", too
many requests with 429. Google reads no more than 32 words of a query. Only organic
results are read, no answer box and no knowledge graph.
"""

from collections.abc import Sequence

from chat.web.guard import Guard
from chat.web.search.asking import Asker
from chat.web.search.credentials import required
from chat.web.search.queries import QueryLimit
from chat.web.search.web_search import Found, WebSearch, entries

URL = "https://google.serper.dev/search"


class Serper:
    """The engine; ``number`` of ``ask`` is at most 100, more than 10 costs double."""

    name = "serper"
    query_limit = QueryLimit(chars=2_048, words=32)

    def __init__(self, api_key: str, guard: Guard | None = None) -> None:
        self._key = required(api_key, "SERPER_API_KEY")
        self._asker = Asker(self.name, guard, self._key)

    def ask(self, query: str, number: int) -> Sequence[Found]:
        headers = [("X-API-KEY", self._key)]
        asked = {"q": query, "num": number}
        answer = self._asker.json(URL, method="POST", headers=headers, body=asked)
        found = entries(answer.get("organic"))
        if found is None:
            raise self._asker.unreadable("organic is no list")
        return [
            Found(each.get("title"), each.get("link"), each.get("snippet"))
            for each in found
        ]


def make(
    *,
    api_key: str = "",
    guard: Guard | None = None,
    allow: Sequence[str] = (),
    block: Sequence[str] = (),
) -> WebSearch:
    """A search by Serper; SearchMisconfigured without a key."""
    return WebSearch(Serper(api_key, guard), allow=allow, block=block)
