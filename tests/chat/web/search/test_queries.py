"""A query is cut to what a backend takes, at a word's end, and that is said."""

from urllib.parse import quote_plus

import pytest

from chat.web.search.queries import QueryLimit
from chat.web.search.values import Sent
from chat.web.search.web_search import WebSearch
from tests.fakes.search_server import searching


@pytest.mark.row("B17")
@pytest.mark.parametrize(
    ("name", "parameter", "chars", "words"),
    [
        ("brave", "q", 400, 50),
        ("google", "q", 1_024, 32),
        ("tavily", "query", 400, None),
        ("serper", "q", 2_048, 32),
        ("searxng", "q", 1_024, None),
        ("duckduckgo", "q", 500, None),
        ("bing", "q", 500, None),
    ],
)
def test_each_backend_is_sent_what_it_takes(
    name: str, parameter: str, chars: int, words: int | None
) -> None:
    long = "word " * 1_000
    with searching(name) as (search, server):
        search.search(long)
        sent = server.asked[parameter]
    assert isinstance(search, WebSearch)
    assert search.sent(long) == Sent(sent, was_cut=True)
    assert len(sent) <= chars
    assert set(sent.split()) == {"word"}
    assert len(sent.split()) == words or len(sent) > chars - len(" word")


def test_a_query_that_fits_is_sent_as_it_is_on_one_line() -> None:
    assert QueryLimit(chars=20).sent("two\n words\u200b ") == Sent("two words", False)


def test_one_long_word_is_cut_within() -> None:
    assert QueryLimit(chars=5).sent("a" * 9) == Sent("a" * 5, True)


def test_an_address_with_the_query_stays_short_enough_in_any_script() -> None:
    limit = QueryLimit(chars=1_000, url_bytes=100)
    for query in ("漢字" * 100, "漢 " * 100, "é" * 500):
        sent = limit.sent(query)
        assert sent.was_cut
        assert 80 < len(quote_plus(sent.query)) <= 100


@pytest.mark.parametrize("query", ["", "   ", "\u200b", "\ud800"])
def test_a_query_without_words_is_empty(query: str) -> None:
    assert QueryLimit(chars=5).sent(query).query == ""
