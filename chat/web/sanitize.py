"""Markup out of what people typed; the only importer of bleach."""

import html
import re
from collections.abc import Mapping, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from bleach.linkifier import Linker

_HREF = (None, "href")
_REL = (None, "rel")
# In escaped text, in which & and ' are references. Of a word that is too long to be an
# address nothing is taken; so no character is looked at more than a few times.
_ADDRESS = re.compile(
    r"(?i)\bhttps?://(?=\S{1,2048}+(?!\S))"
    r"(?:[^\x00-\x20\x7f\s&<>\"'{}|\\^`]|&amp;|&#x27;(?=\w))+(?<![.,;:!?])"
)


def linked(text: str) -> str:
    """Return typed text as HTML: everything escaped, bare http(s) addresses links.

    The result is safe in element content. Addresses with credentials, and hosts
    written without a scheme, stay text.
    """
    # A linker keeps state while it works, so that each call has its own.
    # Its type stubs do not know that a callback may return None to refuse a link.
    linker = Linker(
        callbacks=[_web_addresses_only],  # type: ignore[list-item]
        parse_email=False,
        url_re=_ADDRESS,
    )
    return str(linker.linkify(html.escape(text)))


def _web_addresses_only(
    attributes: MutableMapping[Any, str], _new: bool = False
) -> Mapping[Any, str] | None:
    try:
        parts = urlsplit(attributes[_HREF])
    except ValueError:
        return None
    if "@" in parts.netloc or not parts.hostname:
        return None
    attributes[_REL] = "nofollow noopener noreferrer"
    return attributes
