"""What is no answer is an error of its own kind, never "no results"."""

import pytest

from chat.web.search import SearchError, SearchLimited, SearchUnavailable
from tests.fakes.search_server import RECORDED, searching
from tests.fakes.search_server.recording import KEY, said
from tests.fakes.web_server import answer, redirect

CASES = [
    pytest.param(name, label, id=f"{name}-{label}")
    for name, recorded in sorted(RECORDED.items())
    for label in recorded.failures
]


@pytest.mark.row("B17")
@pytest.mark.parametrize(("name", "label"), CASES)
def test_each_failure_has_its_kind(name: str, label: str) -> None:
    failure = RECORDED[name].failures[label]
    with (
        searching(name, failure.said) as (search, _),
        pytest.raises(SearchError) as raised,
    ):
        search.search("python")
    assert type(raised.value) is failure.error
    assert failure.words in str(raised.value)
    assert name in str(raised.value)
    assert KEY not in str(raised.value)
    if isinstance(raised.value, SearchLimited):
        assert raised.value.retry_after_s == failure.retry_after_s


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_a_host_that_nobody_knows_is_an_outage(name: str) -> None:
    with searching(name) as (search, server):
        server.names[RECORDED[name].where.partition("/")[0]] = []
        with pytest.raises(SearchUnavailable, match="could not be asked"):
            search.search("python")


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_a_query_is_not_carried_to_where_a_redirect_leads(name: str) -> None:
    with searching(name, redirect("https://elsewhere.org/")) as (search, server):
        with pytest.raises(SearchUnavailable, match="redirect"):
            search.search("python")
        assert server.looked_up == [RECORDED[name].where.partition("/")[0]]


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_a_private_address_is_never_asked(name: str) -> None:
    with searching(name) as (search, server):
        server.names[RECORDED[name].where.partition("/")[0]] = ["10.0.0.7"]
        with pytest.raises(SearchUnavailable, match="not on the public internet"):
            search.search("python")
        assert server.dialled == []


def test_a_certificate_of_somebody_else_is_an_outage() -> None:
    with searching("brave") as (search, server):
        server.tls["api.search.brave.com"] = "wrong_host"
        with pytest.raises(SearchUnavailable, match="who it is"):
            search.search("python")
        assert server.seen == []


def test_an_answer_beyond_the_cap_is_an_outage() -> None:
    long = said({"results": [], "padding": "x" * 1_100_000})
    with (
        searching("tavily", long) as (search, _),
        pytest.raises(SearchUnavailable, match="more than is read"),
    ):
        search.search("python")


@pytest.mark.parametrize(
    ("header", "wait"),
    [
        ("Retry-After: 2.5", 2.5),
        ("Retry-After: Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        ("Retry-After: soon", None),
        ("Retry-After: -4", None),
        ("Retry-After: 1e400", None),
        (f"Retry-After: {'9' * 400}", 31 * 86_400.0),
        ("X-RateLimit-Reset: 1774828800", None),
        ("X-RateLimit-Reset: soon", None),
    ],
)
def test_when_to_ask_again_is_read_or_unknown(header: str, wait: float | None) -> None:
    busy = answer("busy", header, status=429)
    with (
        searching("tavily", busy) as (search, _),
        pytest.raises(SearchLimited) as raised,
    ):
        search.search("python")
    assert raised.value.retry_after_s == wait


def test_results_without_a_single_address_are_no_answer() -> None:
    odd = said({"results": [{"title": "A"}, {"url": 3}, "text"]})
    with (
        searching("tavily", odd) as (search, _),
        pytest.raises(SearchUnavailable, match="no address"),
    ):
        search.search("python")
