"""DuckDuckGo's page without scripts: ``backend("duckduckgo")``, no key.

Request and marks: ddgs, engines/duckduckgo.py. Result links lead through
duckduckgo.com/l/?uddg=ADDRESS&rut=..., which is taken apart here. A page that asks for
a person has ``anomaly``, one without results ``no-results``.
"""

import re
from collections.abc import Sequence

from chat.web.guard import Guard
from chat.web.search.backends.scraped import Scraped, missing_extra
from chat.web.search.web_search import Found, WebSearch

NAME = "duckduckgo"
_CHALLENGE = re.compile(r"anomaly[-.]|challenge-form")
_NOTHING = re.compile(r"""class=["'][^"']{0,200}\bno-results?\b""")
_LINK = re.compile(r"(?:https?:)?//duckduckgo\.com/l/\?uddg=(.*)", re.DOTALL)


class DuckDuckGo(Scraped):
    """The engine."""

    def __init__(self, guard: Guard | None = None) -> None:
        try:
            from ddgs.engines.duckduckgo import Duckduckgo
        except ImportError as error:
            raise missing_extra(NAME) from error
        super().__init__(
            NAME, Duckduckgo(), challenge=_CHALLENGE, nothing=_NOTHING, guard=guard
        )

    def _read(self, text: str) -> list[Found]:
        found = super()._read(text)
        return [each._replace(url=_target(str(each.url))) for each in found]


def _target(link: str) -> str:
    """The address in a link; ddgs has taken its percent-encoding away already."""
    through = _LINK.match(link)
    if through is None:
        return f"https:{link}" if link.startswith("//") else link
    return through[1].rpartition("&rut=")[0] or through[1]


def make(
    *,
    guard: Guard | None = None,
    allow: Sequence[str] = (),
    block: Sequence[str] = (),
) -> WebSearch:
    """A search by DuckDuckGo; SearchMisconfigured without the extra ``search``."""
    return WebSearch(DuckDuckGo(guard), allow=allow, block=block)
