"""Name an attack by deep nesting before a parser meets it."""

import re

from chat.web.reading.elements import UNNESTED
from chat.web.reading.errors import ReadingRefused, Reason

MAX_DEPTH = 6_000
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)(?:[^<>]*(/)>)?")


def refuse_deep_nesting(html: str) -> None:
    """Refuse markup that opens far more elements than it closes; linear.

    A clever page passes. What holds against those are the limits in process.py.
    """
    depth = 0
    for found in _TAG.finditer(html):
        closes_itself = found[3] is not None
        if closes_itself or found[2].lower() in UNNESTED:
            continue
        depth = max(0, depth - 1) if found[1] else depth + 1
        if depth > MAX_DEPTH:
            raise ReadingRefused(Reason.HTML_DEPTH)
