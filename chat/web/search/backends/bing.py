"""Bing's page: ``backend("bing")``, no key.

Request and marks: ddgs, engines/bing.py. ddgs does not offer this engine by itself any
more, since Bing often answers automatic requests with other pages; those are errors
here. A page that asks for a person has ``captcha``, one without results ``b_no``.
"""

import re
from collections.abc import Sequence

from chat.web.guard import Guard
from chat.web.search.backends.scraped import Scraped, missing_extra
from chat.web.search.web_search import WebSearch

NAME = "bing"
_CHALLENGE = re.compile(r"(?i)captcha|/challenge/|turnstile")
_NOTHING = re.compile(r"""class=["'][^"']{0,200}\bb_no\b""")


class Bing(Scraped):
    """The engine."""

    def __init__(self, guard: Guard | None = None) -> None:
        try:
            from ddgs.engines.bing import Bing as BingPage
        except ImportError as error:
            raise missing_extra(NAME) from error
        super().__init__(
            NAME, BingPage(), challenge=_CHALLENGE, nothing=_NOTHING, guard=guard
        )


def make(
    *,
    guard: Guard | None = None,
    allow: Sequence[str] = (),
    block: Sequence[str] = (),
) -> WebSearch:
    """A search by Bing; SearchMisconfigured without the extra ``search``."""
    return WebSearch(Bing(guard), allow=allow, block=block)
