"""All backends of the web that are played here, by name."""

from collections.abc import Mapping

from tests.fakes.search_server.apis import BRAVE, GOOGLE, SEARXNG, SERPER, TAVILY
from tests.fakes.search_server.pages import BING, DUCKDUCKGO
from tests.fakes.search_server.recording import Recorded

RECORDED: Mapping[str, Recorded] = {
    "bing": BING,
    "brave": BRAVE,
    "duckduckgo": DUCKDUCKGO,
    "google": GOOGLE,
    "searxng": SEARXNG,
    "serper": SERPER,
    "tavily": TAVILY,
}
