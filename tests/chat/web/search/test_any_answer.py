"""Whatever a backend answers: clean results of public pages, or a named failure."""

import html
import json
import re
import unicodedata
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chat.web.guard import Policy, check_url
from chat.web.search import (
    SearchBackend,
    SearchLimited,
    SearchRefused,
    SearchResult,
    SearchUnavailable,
)
from chat.web.search.one_line import one_line
from tests.fakes.search_server import RECORDED, searching
from tests.fakes.search_server.recording import page, said
from tests.fakes.web_server import answer

MARKUP = ("<b>", "</b", "<", ">", "&", "amp;", "lt;", "#8203;", "<!--", "&#x3c;")
ODD = ("\u202e", "\u200b", "\n", "\x00", "\ud800", "\U000e0041", "\u2028", "a", " ")
PIECES = st.sampled_from(MARKUP + ODD)
WILD = st.lists(PIECES | st.text(max_size=5), max_size=20).map("".join)
BAD_URLS = ("http://10.0.0.7/", "https://u@kept.org/", "http://[::1]", "https:")
ODD_URLS = ("javascript:alert(1)", "https://kept.org:99999999/", "//kept.org")
URLS = st.one_of(
    st.sampled_from(("https://kept.org/", *BAD_URLS, *ODD_URLS)),
    st.builds("https://kept.org/{}".format, WILD),
    st.builds("{}://{}/{}".format, st.sampled_from(["http", "https"]), WILD, WILD),
)
TEXTS = st.none() | st.integers() | WILD | st.lists(WILD, max_size=2)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WILD,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(WILD, inner, max_size=3)
    ),
    max_leaves=8,
)
ENTRIES = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "title": TEXTS,
            "url": URLS | ANY_JSON,
            "link": URLS | ANY_JSON,
            "content": TEXTS,
            "description": TEXTS,
            "snippet": TEXTS,
        },
    )
    | ANY_JSON,
    max_size=12,
)
ENVELOPES = ENTRIES.flatmap(
    lambda entries: st.sampled_from(
        [
            {"results": entries},
            {"organic": entries},
            {"kind": "customsearch#search", "items": entries},
            {"type": "search", "web": {"results": entries}},
            {"results": entries, "unresponsive_engines": entries},
            {"error": entries, "message": entries},
        ]
    )
)
STATUSES = st.sampled_from([200, 200, 200, 203, 204, 400, 401, 403, 404, 422, 429, 500])
UNSEEN = {"Cc", "Cs", "Zl", "Zp"}
TAG = re.compile(r"<[a-zA-Z/!?][^<>]*>")


def check_outcome(search: SearchBackend) -> None:
    """Ask, and check what comes: results, or one of the failures that have names."""
    try:
        found = search.search("python", 10)
    except (SearchLimited, SearchRefused, SearchUnavailable) as failure:
        told = str(failure)
        check_line(told)
    else:
        check(found)


def check(found: list[SearchResult]) -> None:
    assert len(found) <= 10
    assert len({each.url.rstrip("/") for each in found}) == len(found)
    for each in found:
        scheme, _, rest = each.url.partition("://")
        assert scheme in {"http", "https"}
        port = urlsplit(each.url).port or 443
        check_url(f"https://{rest}", Policy(ports=frozenset((port, 443))))
        assert len(each.title) <= 200
        assert len(each.snippet) <= 400
        check_line(each.title)
        check_line(each.snippet)


def check_line(line: str) -> None:
    assert line == " ".join(line.split())
    assert not TAG.search(line)
    assert not UNSEEN.intersection(map(unicodedata.category, line))
    assert not set("\u202a\u202b\u202c\u202d\u202e\u2066\u2069\u200b\ufeff") & set(line)


@pytest.mark.row("B17")
@pytest.mark.parametrize("name", ["brave", "google", "searxng", "serper", "tavily"])
def test_any_json_gives_clean_results_or_a_named_failure(name: str) -> None:
    with searching(name) as (search, server):

        @settings(max_examples=60)
        @given(ENVELOPES | ANY_JSON, STATUSES)
        def play(body: Any, status: int) -> None:
            server.says(said(body, status=status))
            check_outcome(search)

        play()


@pytest.mark.parametrize("name", ["bing", "duckduckgo"])
def test_any_page_gives_clean_results_or_a_named_failure(name: str) -> None:
    good = RECORDED[name].good.partition(b"\r\n\r\n")[2].decode()

    with searching(name) as (search, server):

        @settings(max_examples=40)
        @given(WILD, st.integers(0, len(good)), st.integers(0, 60), STATUSES)
        def play(wild: str, at: int, gone: int, status: int) -> None:
            text = good[:at] + wild + good[at + gone :]
            clean = text.encode(errors="replace").decode()
            server.says(page(clean, status=status))
            check_outcome(search)

        play()


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 100_000,
        b'{"results": ' + b"[" * 100_000,
        b'{"results": [1e999, NaN, -Infinity]}',
        b"\xff\xfe\x00",
        "{}".encode("utf-16"),
        b'{"results": [{"url": "' + b"9" * 5_000 + b'"}]}',
        b'{"results": ' + b"9" * 5_000 + b"}",
        b"",
    ],
)
def test_hostile_json_is_a_named_failure_or_nothing(body: bytes) -> None:
    hostile = answer(body, media_type="application/json")
    with searching("tavily", hostile) as (search, _), suppress(SearchUnavailable):
        assert search.search("python") == []


@given(WILD | st.text())
def test_cleaning_is_complete_at_once(text: str) -> None:
    line = one_line(text, 400)
    check_line(line)
    assert one_line(line, 400) == line
    assert html.unescape(line) == line or line.endswith("…")


def test_cleaning_the_longest_hostile_text_ends() -> None:
    for text in ("&amp;" * 100_000, "<" * 100_000, "<b" * 50_000, "&lt;" * 100_000):
        check_line(one_line(text, 400))
    assert json.dumps(one_line("&amp;" * 999 + "lt;b&gt;", 400))
