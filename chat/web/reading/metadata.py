"""What a page says about itself: title, authors, dates, language, addresses."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal
from urllib.parse import urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser

from chat.web.reading import json_ld
from chat.web.reading.cleaning import clean
from chat.web.reading.elements import words
from chat.web.reading.phrases import date_in_byline
from chat.web.reading.tree import PageKind
from chat.web.reading.values import Stated, StatedDate

_META_AUTHORS = ("author", "article:author", "citation_author", "dc.creator", "byl")
_META_DATES: tuple[tuple[str, Literal["published", "modified"]], ...] = (
    ("article:published_time", "published"),
    ("datepublished", "published"),
    ("citation_publication_date", "published"),
    ("dc.date", "published"),
    ("date", "published"),
    ("article:modified_time", "modified"),
    ("datemodified", "modified"),
    ("og:updated_time", "modified"),
)
_ARTICLES = words(
    "Article NewsArticle BlogPosting ReportageNewsArticle TechArticle Recipe "
    "OpinionNewsArticle AnalysisNewsArticle ScholarlyArticle"
)
_FORUMS = frozenset({"DiscussionForumPosting", "QAPage"})
_NEEDS_JOINING = re.compile(r"^//|/\.|[\\\[\s]")
_WEB = ("https://", "http://")
_NO_PAGES = ("javascript:", "mailto:", "tel:")
_MAX_AUTHORS = 20
_MAX_CHARS = 200
_NEAR_HEADING = 1_500


@dataclass(frozen=True, slots=True)
class About:
    """What was found; lists are in the order of trust."""

    title: Stated
    page_kind: PageKind
    language: str | None
    canonical: str | None
    published: str | None
    authors: list[Stated] = field(default_factory=list)
    dates: list[StatedDate] = field(default_factory=list)


def read(parser: LexborHTMLParser, headings: list[str], text: str, url: str) -> About:
    """Read everything; ``headings`` are the texts of the page's visible h1 elements,
    ``text`` is all its visible text.
    """
    meta = _meta(parser)
    items = json_ld.items(parser)
    dates = _dates(parser, meta, items) or _guessed_dates(text, headings)
    return About(
        title=_title(parser, meta, headings),
        page_kind=_page_kind(meta, items),
        language=_language(parser),
        canonical=_canonical(parser, url),
        published=next((date.value for date in dates if _is_said(date)), None),
        authors=_authors(parser, meta, items),
        dates=dates,
    )


def absolute(base: str, href: str) -> str | None:
    """Return the web address a link leads to, None where it leads to none."""
    href = href.strip()
    if href.startswith(_NO_PAGES):
        return None
    is_plain = not _NEEDS_JOINING.search(href)
    if is_plain and href.startswith(_WEB):
        return href
    try:
        joined = is_plain and href.startswith("/")
        url = _origin(base) + href if joined else urljoin(base, href)
    except ValueError:
        return None
    return url if url.startswith(_WEB) else None


@lru_cache(maxsize=8)
def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def base_url(parser: LexborHTMLParser, url: str) -> str:
    """Return the address that relative links of the page start from."""
    base = _attribute(parser, "base[href]", "href")
    return absolute(url, base) or url if base else url


def _canonical(parser: LexborHTMLParser, url: str) -> str | None:
    href = _attribute(parser, 'link[rel="canonical"]', "href")
    return absolute(url, href) if href else None


def _title(
    parser: LexborHTMLParser, meta: Mapping[str, list[str]], headings: list[str]
) -> Stated:
    """The heading that the page's title holds is the title without the site's name."""
    node = parser.css_first("head > title") or parser.css_first("title")
    title = _line(node.text()) if node else ""
    shared = next(iter(meta.get("og:title", [])), "")
    whole = f"{title}\n{shared}".casefold()
    for heading in headings:
        if len(heading) > 3 and heading.casefold() in whole:
            return Stated(heading, "heading")
    if title:
        return Stated(title, "title")
    if shared:
        return Stated(shared, "meta")
    return Stated(headings[0], "heading") if headings else Stated("", "title")


def _language(parser: LexborHTMLParser) -> str | None:
    tag = (_attribute(parser, "html[lang]", "lang") or "").strip()
    return tag if re.fullmatch(r"[A-Za-z0-9-]{2,35}", tag) else None


def _page_kind(meta: Mapping[str, list[str]], items: list[json_ld.Item]) -> PageKind:
    kinds = {name for item in items for name in json_ld.types(item)}
    if kinds & _FORUMS:
        return "forum"
    says_article = "article" in meta.get("og:type", []) or kinds & _ARTICLES
    return "article" if says_article or "article:published_time" in meta else "other"


def _authors(
    parser: LexborHTMLParser, meta: Mapping[str, list[str]], items: list[json_ld.Item]
) -> list[Stated]:
    found = [
        Stated(_line(name), "json-ld")
        for item in items
        if not _FORUMS.isdisjoint(json_ld.types(item)) or "headline" in item
        for name in json_ld.texts(item.get("author"))
    ]
    for name in _META_AUTHORS:
        found += [Stated(value, "meta") for value in meta.get(name, [])]
    for node in parser.css('[rel="author"], [itemprop="author"]')[:_MAX_AUTHORS]:
        found.append(Stated(_line(node.text()), "element"))
    named = (each for each in found if each.value and "://" not in each.value)
    unique: dict[str, Stated] = {}
    for each in named:
        unique.setdefault(each.value.casefold(), each)
    return list(unique.values())[:_MAX_AUTHORS]


def _dates(
    parser: LexborHTMLParser, meta: Mapping[str, list[str]], items: list[json_ld.Item]
) -> list[StatedDate]:
    return list(dict.fromkeys(_stated_dates(parser, meta, items)))


def _stated_dates(
    parser: LexborHTMLParser, meta: Mapping[str, list[str]], items: list[json_ld.Item]
) -> Iterator[StatedDate]:
    for item in items:
        for value in json_ld.texts(item.get("datePublished"))[:1]:
            yield StatedDate(_date(value), "published", "json-ld")
        for value in json_ld.texts(item.get("dateModified"))[:1]:
            yield StatedDate(_date(value), "modified", "json-ld")
    for name, kind in _META_DATES:
        for value in meta.get(name, [])[:1]:
            yield StatedDate(_date(value), kind, "meta")
    node = parser.css_first("time[datetime]")
    value = _line(node.attributes.get("datetime") or "") if node else ""
    if value:
        yield StatedDate(_date(value), "published", "element")


def _is_said(date: StatedDate) -> bool:
    return date.kind == "published" and date.source != "text"


def _guessed_dates(text: str, headings: list[str]) -> list[StatedDate]:
    """Take the first date on a short line under the heading, where none is stated."""
    start = text.find(headings[0]) if headings else 0
    near = text[max(start, 0) :][:_NEAR_HEADING]
    for line in near.splitlines():
        value = date_in_byline(line)
        if value:
            said = line.casefold()
            is_later = any(word in said for word in ("updated", "modified", "revised"))
            kind: Literal["published", "modified"] = (
                "modified" if is_later else "published"
            )
            return [StatedDate(_date(value), kind, "text")]
    return []


def _date(value: str) -> str:
    return _line(value)[:40]


def _meta(parser: LexborHTMLParser) -> dict[str, list[str]]:
    """Return the content of meta elements by lower-case name."""
    found: dict[str, list[str]] = {}
    for node in parser.css("meta[content]"):
        attributes = node.attributes
        content = _line(attributes.get("content") or "")
        for key in ("name", "property", "itemprop"):
            name = attributes.get(key)
            if name and content:
                found.setdefault(name.lower(), []).append(content)
    return found


def _line(text: str) -> str:
    return " ".join(clean(text).text.split())[:_MAX_CHARS]


def _attribute(parser: LexborHTMLParser, selector: str, name: str) -> str | None:
    node = parser.css_first(selector)
    attributes: Mapping[str, str | None] = node.attributes if node else {}
    return attributes.get(name)
