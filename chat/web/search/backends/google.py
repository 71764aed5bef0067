"""Google's Custom Search: ``backend("google", api_key=..., engine_id=...)``.

Request, answer and errors: developers.google.com/custom-search/v1, method cse.list.
``num`` is 1 to 10; of an answer without pages ``items`` is missing and
``searchInformation.totalResults`` is "0". Google reads no more than 32 words. The key
goes in a header (cloud.google.com, system parameters), so that no address holds it.
Closed to new customers; Google ends it on January 1, 2027.
"""

from collections.abc import Sequence
from urllib.parse import urlencode

from chat.web.guard import Guard
from chat.web.search.asking import Asker
from chat.web.search.credentials import required
from chat.web.search.queries import QueryLimit
from chat.web.search.web_search import Found, WebSearch, entries

URL = "https://customsearch.googleapis.com/customsearch/v1"
_KIND = "customsearch#search"


class Google:
    """The engine; ``number`` of ``ask`` is at most 10."""

    name = "google"
    query_limit = QueryLimit(chars=1_024, words=32, url_bytes=1_800)

    def __init__(
        self, api_key: str, engine_id: str, guard: Guard | None = None
    ) -> None:
        self._key = required(api_key, "GOOGLE_API_KEY")
        self._engine_id = required(engine_id, "GOOGLE_SEARCH_ENGINE_ID")
        self._asker = Asker(self.name, guard, self._key)

    def ask(self, query: str, number: int) -> Sequence[Found]:
        asked = {"cx": self._engine_id, "q": query, "num": number}
        headers = [("X-Goog-Api-Key", self._key)]
        answer = self._asker.json(f"{URL}?{urlencode(asked)}", headers=headers)
        if answer.get("kind") != _KIND:
            raise self._asker.unreadable("it is no search response")
        found = entries(answer.get("items", []))
        if found is None:
            raise self._asker.unreadable("items is no list")
        return [
            Found(each.get("title"), each.get("link"), each.get("snippet"))
            for each in found
        ]


def make(
    *,
    api_key: str = "",
    engine_id: str = "",
    guard: Guard | None = None,
    allow: Sequence[str] = (),
    block: Sequence[str] = (),
) -> WebSearch:
    """A search by one of Google's engines; SearchMisconfigured without key or id."""
    return WebSearch(Google(api_key, engine_id, guard), allow=allow, block=block)
