"""Each backend of the web is asked as it documents, and gives results and no more."""

from typing import Any

import pytest

from chat.web.search import SearchBackend, SearchResult, backend, register
from tests.fakes.search_server import RECORDED, searching
from tests.fakes.search_server.recording import KEY, said

NAMES = sorted(RECORDED)


@pytest.mark.row("B17")
@pytest.mark.parametrize("name", NAMES)
def test_it_gives_title_address_and_snippet(name: str) -> None:
    with searching(name) as (search, _):
        found = search.search("python")
    assert found == [SearchResult(*each) for each in RECORDED[name].results]


@pytest.mark.row("B17")
@pytest.mark.parametrize("name", NAMES)
def test_no_results_are_an_empty_list(name: str) -> None:
    with searching(name, RECORDED[name].nothing) as (search, _):
        assert search.search("python") == []


@pytest.mark.row("C1")
@pytest.mark.parametrize("name", NAMES)
def test_zero_or_less_means_none_and_nothing_is_sent(name: str) -> None:
    with searching(name) as (search, server):
        assert search.search("python", 0) == []
        assert search.search("python", -3) == []
        assert search.search(" \u200b ", 3) == []
        assert server.looked_up == []


@pytest.mark.parametrize("name", NAMES)
def test_it_is_asked_once_and_by_its_own_name(name: str) -> None:
    with searching(name) as (search, server):
        search.search("python language")
        host = RECORDED[name].where.partition("/")[0]
        assert [each.server_name for each in server.seen] == [host]
        assert "python language" in server.asked.values()


@pytest.mark.parametrize(
    ("name", "header"),
    [
        ("brave", "x-subscription-token"),
        ("google", "x-goog-api-key"),
        ("serper", "x-api-key"),
        ("tavily", "authorization"),
    ],
)
def test_the_key_is_in_a_header_and_nowhere_else(name: str, header: str) -> None:
    with searching(name) as (search, server):
        search.search("python")
        (seen,) = server.seen
    assert seen.headers[header].removeprefix("Bearer ") == KEY
    assert KEY not in seen.start_line
    assert KEY.encode() not in seen.body


@pytest.mark.row("C1")
@pytest.mark.parametrize(
    ("name", "parameter"),
    [
        ("brave", "count"),
        ("google", "num"),
        ("serper", "num"),
        ("tavily", "max_results"),
    ],
)
@pytest.mark.parametrize(("asked", "sent"), [(1, 1), (10, 10), (11, 10), (10**9, 10)])
def test_one_to_ten_results_are_asked_for(
    name: str, parameter: str, asked: int, sent: int
) -> None:
    with searching(name) as (search, server):
        search.search("python", asked)
        assert int(server.asked[parameter]) == sent


@pytest.mark.row("C1")
def test_five_are_asked_for_and_given_unless_told_otherwise() -> None:
    many = [{"title": "T", "url": f"https://a{n}.org/"} for n in range(30)]
    with searching("tavily", said({"results": many})) as (search, server):
        assert len(search.search("python")) == 5
        assert server.asked["max_results"] == 5
        assert len(search.search("python", 50)) == 10


@pytest.mark.parametrize("name", ["searxng", "serper", "tavily"])
def test_what_a_backend_wrote_itself_is_not_shown(name: str) -> None:
    assert b"ever" in RECORDED[name].good
    with searching(name) as (search, _):
        assert "ever" not in str(search.search("python"))


@pytest.mark.row("B17")
def test_a_backend_of_one_s_own_is_made_by_its_name() -> None:
    class Own:
        def search(self, query: str, max_results: int = 5) -> list[SearchResult]:
            return [SearchResult(query, "https://own.weighed.org/", "")]

    def make(**_: Any) -> SearchBackend:
        return Own()

    register("own-of-a-test", make)
    assert backend("own-of-a-test").search("x")[0].title == "x"
    with pytest.raises(ValueError, match="registered already"):
        register("own-of-a-test", make)
    with pytest.raises(ValueError, match="needs a name"):
        register(" ", make)
