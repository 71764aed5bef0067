"""Anthropic's web search as a search: ``backend("anthropic", api_key=...)``.

Request and citations: docs.claude.com, web search tool. One message with the server's
tool, of which one use is allowed; what comes back is the citations of kind
``web_search_result_location``, whose excerpt has at most 150 characters. The key is
charged for the model's tokens and for the search.
"""

from collections.abc import Sequence
from contextlib import closing
from typing import Any

from chat.engine import ModelReply
from chat.providers.anthropic.fallbacks import NOT_ENABLED
from chat.providers.anthropic.model import AnthropicModel
from chat.providers.hosted_search import (
    QUERY_LIMIT,
    search_errors,
    search_request,
    uncited,
)
from chat.providers.server_search import ServerSearch
from chat.web.search import (
    SearchError,
    SearchLimited,
    SearchRefused,
    SearchUnavailable,
)
from chat.web.search.credentials import required
from chat.web.search.web_search import Found, WebSearch

MODEL = "claude-haiku-5-5"
_CITED = "web_search_result_location"
_FAILED = "web_search_"
_LIMITED = f"{_FAILED}too_many_requests"


class AnthropicSearch:
    """The engine."""

    name = "anthropic"
    query_limit = QUERY_LIMIT

    def __init__(
        self,
        api_key: str,
        *,
        model: str = MODEL,
        base_url: str | None = None,
        http_client: Any = None,
    ) -> None:
        self._key = required(api_key, "ANTHROPIC_API_KEY")
        self._model = model
        self._base_url = base_url
        self._client = http_client
        self._made().close()

    def ask(self, query: str, number: int) -> Sequence[Found]:
        with search_errors(self.name), closing(self._made()) as model:
            reply = model.complete(search_request(query))
        cited = _cited(reply)
        if not cited:
            raise _failure(reply) or uncited(self.name)
        return cited[:number]

    def _made(self) -> AnthropicModel:
        return AnthropicModel(
            self._model,
            api_key=self._key,
            base_url=self._base_url,
            http_client=self._client,
            search=ServerSearch(max_uses=1),
            stream=False,
            cache=None,
        )


def _cited(reply: ModelReply) -> list[Found]:
    """Each address once, in the order of first citation, with its first excerpt."""
    found: dict[str, Found] = {}
    for each in reply.citations:
        known = found.get(each.source)
        if each.kind == _CITED and (known is None or not known.snippet):
            found[each.source] = Found(each.title, each.source, each.cited)
    return list(found.values())


def _failure(reply: ModelReply) -> SearchError | None:
    """What the search itself said, where it failed within an answer that did not."""
    if NOT_ENABLED in reply.notices:
        return SearchRefused("anthropic: the key may not search the web.")
    failed = [each for each in reply.notices if each.startswith(_FAILED)]
    if not failed:
        return None
    msg = f"anthropic could not search: {failed[0].removeprefix(_FAILED)}."
    return SearchLimited(msg) if failed[0] == _LIMITED else SearchUnavailable(msg)


def make(
    *,
    api_key: str = "",
    model: str = MODEL,
    base_url: str | None = None,
    http_client: Any = None,
    allow: Sequence[str] = (),
    block: Sequence[str] = (),
) -> WebSearch:
    """A search by Anthropic; SearchMisconfigured without a key.

    http_client: closed by whoever made it.
    """
    searched = AnthropicSearch(
        api_key, model=model, base_url=base_url, http_client=http_client
    )
    return WebSearch(searched, allow=allow, block=block)
