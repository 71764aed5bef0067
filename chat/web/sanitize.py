"""Markup out of what people typed; the only importer of bleach."""

import html
from collections.abc import Mapping, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from bleach.linkifier import Linker

_HREF = (None, "href")
_REL = (None, "rel")


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
    )
    return str(linker.linkify(html.escape(text)))


def _web_addresses_only(
    attributes: MutableMapping[Any, str], _new: bool = False
) -> Mapping[Any, str] | None:
    shown = attributes.get("_text", "")
    if not shown.lower().startswith(("https://", "http://")):
        return None
    if "@" in urlsplit(attributes[_HREF]).netloc:
        return None
    attributes[_REL] = "nofollow noopener noreferrer"
    return attributes
