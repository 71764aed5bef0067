"""OpenRouter's web plugin as a search: ``backend("openrouter", api_key=...)``.

Request and annotations: openrouter.ai/docs, web search plugin. The plugin searches once
before the model writes; what comes back is the ``url_citation`` annotations. The key is
charged for the model's tokens and for the results.
"""

from collections.abc import Sequence
from contextlib import closing
from typing import Any

from chat.providers.hosted_search import (
    QUERY_LIMIT,
    search_errors,
    search_request,
    uncited,
)
from chat.providers.openai_compatible.model import OpenAICompatibleModel
from chat.providers.openai_compatible.search import Engine, WebPlugin, cited_results
from chat.web.search.credentials import required
from chat.web.search.web_search import Found, WebSearch

MODEL = "anthropic/claude-haiku-5.5"
WINDOW = 1_000_000


class OpenRouterSearch:
    """The engine. ``engine`` is that of the plugin, None leaves it to OpenRouter."""

    name = "openrouter"
    query_limit = QUERY_LIMIT

    def __init__(
        self,
        api_key: str,
        *,
        model: str = MODEL,
        base_url: str | None = None,
        engine: Engine | None = None,
        http_client: Any = None,
    ) -> None:
        self._key = required(api_key, "OPENROUTER_API_KEY")
        self._model = model
        self._base_url = base_url
        self._engine = engine
        self._client = http_client
        # What cannot be asked for is told now.
        self._made(1).close()

    def ask(self, query: str, number: int) -> Sequence[Found]:
        with search_errors(self.name), closing(self._made(number)) as model:
            reply = model.complete(search_request(query))
        cited = cited_results(reply)
        if not cited:
            raise uncited(self.name)
        return [Found(*each) for each in cited]

    def _made(self, number: int) -> OpenAICompatibleModel:
        return OpenAICompatibleModel(
            self._model,
            api_key=self._key,
            base_url=self._base_url,
            preset="openrouter",
            http_client=self._client,
            search=WebPlugin(max_results=number, engine=self._engine),
            window=WINDOW,
        )


def make(
    *,
    api_key: str = "",
    model: str = MODEL,
    base_url: str | None = None,
    engine: Engine | None = None,
    http_client: Any = None,
    allow: Sequence[str] = (),
    block: Sequence[str] = (),
) -> WebSearch:
    """A search by OpenRouter; SearchMisconfigured without a key.

    http_client: closed by whoever made it.
    """
    searched = OpenRouterSearch(
        api_key, model=model, base_url=base_url, engine=engine, http_client=http_client
    )
    return WebSearch(searched, allow=allow, block=block)
