"""What a page says about itself: title, language, date, base address."""

import re
from collections.abc import Mapping
from urllib.parse import urljoin

from selectolax.lexbor import LexborHTMLParser

from chat.web.reading.cleaning import clean

_PUBLISHED = (
    'meta[property="article:published_time"]',
    'meta[itemprop="datePublished"]',
    'meta[name="citation_publication_date"]',
    'meta[name="dc.date"]',
)


def absolute(base: str, href: str) -> str | None:
    """Return the web address a link leads to, None where it leads to none."""
    try:
        url = urljoin(base, href.strip())
    except ValueError:
        return None
    return url if url.startswith(("https://", "http://")) else None


def base_url(parser: LexborHTMLParser, url: str) -> str:
    """Return the address that relative links of the page start from."""
    base = _attribute(parser, "base[href]", "href")
    return absolute(url, base) or url if base else url


def title(parser: LexborHTMLParser) -> str:
    """Return the page's title on one line, empty where it has none."""
    node = parser.css_first("head > title") or parser.css_first("title")
    return " ".join(clean(node.text()).text.split()) if node else ""


def language(parser: LexborHTMLParser) -> str | None:
    """Return the language tag that the page declares."""
    tag = (_attribute(parser, "html[lang]", "lang") or "").strip()
    return tag if re.fullmatch(r"[A-Za-z0-9-]{2,35}", tag) else None


def published(parser: LexborHTMLParser) -> str | None:
    """Return the date of publication as the page's own metadata words it."""
    for selector in _PUBLISHED:
        value = clean(_attribute(parser, selector, "content") or "").text.strip()
        if value:
            return value[:40]
    return None


def _attribute(parser: LexborHTMLParser, selector: str, name: str) -> str | None:
    node = parser.css_first(selector)
    attributes: Mapping[str, str | None] = node.attributes if node else {}
    return attributes.get(name)
