"""What a page says of itself, each with where it says so."""

import json

import pytest

from chat.web.reading import Readable, Stated, StatedDate, readable


def page_of(head: str, body: str = "<p>text") -> Readable:
    html = f"<html><head>{head}</head><body>{body}"
    return readable(html.encode(), url="https://example.com/docs/a?b#c")


def linked_data(value: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


@pytest.mark.parametrize(
    ("head", "body", "title", "source"),
    [
        ("<title>API - Docs</title>", "<h1>API</h1>", "API - Docs", "title"),
        ("<title>Storing keys - Docs</title>", "<h1>Storing keys</h1>x",
         "Storing keys", "heading"),
        ("<title>Keys</title>", "<h1>Welcome here</h1>", "Keys", "title"),
        ("<meta property=og:title content='Storing  keys'>", "<p>x",
         "Storing keys", "meta"),
        ("", "<h1>Only a heading</h1>", "Only a heading", "heading"),
        ("", "<p>x", "", None),
    ],
)  # fmt: skip
def test_the_title_is_the_heading_that_the_page_is_named_by(
    head: str, body: str, title: str, source: str | None
) -> None:
    page = page_of(head, body)

    assert (page.title, page.title_source) == (title, source)


def test_linked_data_comes_before_meta_elements_and_markup() -> None:
    article = {
        "@type": "https://schema.org/NewsArticle",
        "headline": "x",
        "author": [{"@type": "Person", "name": "Ada"}, {"name": "Cy"}],
        "datePublished": "2026-01-02T03:04:05Z",
        "dateModified": "2026-02-02",
    }
    page = page_of(
        linked_data({"@graph": [{"@type": "WebSite"}, article]})
        + "<meta name=author content=Ada><meta name=author content=Ben>"
        "<meta property=article:published_time content=2026-01-01>",
        "<p>by <a rel=author>Dora</a> <time datetime=2025-12-31>New year</time>",
    )

    assert page.authors == [
        Stated("Ada", "json-ld"),
        Stated("Cy", "json-ld"),
        Stated("Ben", "meta"),
        Stated("Dora", "element"),
    ]
    assert page.dates == [
        StatedDate("2026-01-02T03:04:05Z", "published", "json-ld"),
        StatedDate("2026-02-02", "modified", "json-ld"),
        StatedDate("2026-01-01", "published", "meta"),
        StatedDate("2025-12-31", "published", "element"),
    ]
    assert page.published == "2026-01-02T03:04:05Z"


def test_a_date_that_only_the_text_words_is_marked_as_a_guess() -> None:
    page = page_of("", "<h1>Release</h1><p>Updated on 3 May 2026 by Ada</p><p>x")

    assert page.dates == [StatedDate("3 May 2026", "modified", "text")]
    assert page.published is None


def test_a_page_without_any_of_it_has_none() -> None:
    page = page_of("<meta name=author content=''>")

    assert (page.authors, page.dates, page.canonical) == ([], [], None)


@pytest.mark.parametrize(
    ("href", "canonical"),
    [
        ("/docs/a", "https://example.com/docs/a"),
        ("b", "https://example.com/docs/b"),
        ("//other.org/x", "https://other.org/x"),
        ("http://example.com/", "http://example.com/"),
        ("javascript:alert(1)", None),
        ("http://[", None),
        ("", None),
    ],
)
def test_the_canonical_address_is_absolute_and_of_the_web(
    href: str, canonical: str | None
) -> None:
    assert page_of(f"<link rel=canonical href='{href}'>").canonical == canonical


@pytest.mark.parametrize(
    "script",
    ["[" * 200_000, "{", "nul", '"\ud800"', "[]", "7", '{"author": 7}',
     '{"@graph": {"@graph": {"author": null}}}', '{"headline": 1, "author": [[]]}',
     '{"@type": {"a": 1}, "datePublished": ["2026"]}', "x" * 600_000],
)  # fmt: skip
def test_linked_data_of_any_kind_does_no_harm(script: str) -> None:
    markup = f"<script type='application/ld+json'>{script}</script>"

    page = page_of(markup.encode("utf-8", "replace").decode())

    assert page.text == "text"
    assert page.authors == []


def test_linked_data_may_hold_raw_line_ends() -> None:
    page = page_of(
        '<script type="application/ld+json">{"headline": "a\nb",'
        ' "author": "Ada\nLovelace"}</script>'
    )

    assert page.authors == [Stated("Ada Lovelace", "json-ld")]
