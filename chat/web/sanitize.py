"""Markup out of what people typed and models wrote; the only importer of bleach."""

import html
import re
from collections.abc import Mapping, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from bleach.linkifier import Linker
from bleach.sanitizer import Cleaner

_HREF = (None, "href")
_REL = (None, "rel")
LONGEST_ADDRESS = 2_048
_ODD = frozenset(' \\<>"`{}^|')
# In escaped text, in which & and ' are references. Of a word that is too long to be an
# address nothing is taken; so no character is looked at more than a few times.
_ADDRESS = re.compile(
    r"(?i)\bhttps?://(?=\S{1,2048}+(?!\S))"
    r"(?:[^\x00-\x20\x7f\s&<>\"'{}|\\^`]|&amp;|&#x27;(?=\w))+(?<![.,;:!?])"
)


# What the layout of an answer consists of: no style, no class, no id, no picture.
TAGS = frozenset(
    {"a", "code", "em", "small", "strong", "br"}
    | {"h3", "h4", "h5", "h6", "p", "pre", "blockquote", "hr"}
    | {"li", "ol", "ul", "table", "thead", "tbody", "tr", "th", "td"}
)
ATTRIBUTES = {"a": ["href", "rel"], "li": ["value"], "ol": ["start"]}
SCHEMES = frozenset({"http", "https"})
REL = "nofollow noopener noreferrer"


def linked(text: str) -> str:
    """Return typed text as HTML: everything escaped, bare http(s) addresses links.

    The result is safe in element content. Addresses with credentials, and hosts
    written without a scheme, stay text.
    """
    return _linker().linkify(html.escape(text))


def sanitised(markup: str) -> str:
    """Return markup with TAGS and ATTRIBUTES alone; other elements become text.

    Bare addresses become links as in linked(); a link to elsewhere becomes its text.
    """
    cleaner = Cleaner(TAGS, ATTRIBUTES, SCHEMES)
    return _linker().linkify(cleaner.clean(markup))


def link_to(address: str, text: str) -> str:
    """Return a link as HTML; ValueError unless is_web_address(address)."""
    if not is_web_address(address):
        msg = f"{address!r:.80} is no address that may be linked to."
        raise ValueError(msg)
    return f'<a href="{html.escape(address)}" rel="{REL}">{html.escape(text)}</a>'


def is_web_address(address: str) -> bool:
    """Tell whether it is http(s) with a host, without credentials and odd characters.

    At most 2,048 characters, and none that browsers drop or read as another.
    """
    if len(address) > LONGEST_ADDRESS or not _ODD.isdisjoint(address):
        return False
    try:
        parts = urlsplit(address)
        named = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False
    plain = address.isprintable() and "@" not in parts.netloc
    return parts.scheme in SCHEMES and named and plain


def _linker() -> Linker:
    """A new one: a linker keeps state while it works.

    It skips no elements, since it escapes what it skips once more.
    """
    # Its type stubs do not know that a callback may return None to refuse a link.
    return Linker(
        callbacks=[_web_addresses_only],  # type: ignore[list-item]
        parse_email=False,
        url_re=_ADDRESS,
    )


def _web_addresses_only(
    attributes: MutableMapping[Any, str], _new: bool = False
) -> Mapping[Any, str] | None:
    if not is_web_address(attributes.get(_HREF, "")):
        return None
    attributes[_REL] = REL
    return attributes
