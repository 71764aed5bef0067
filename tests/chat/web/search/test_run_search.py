"""Within a run the same search is made once, and every search is on record."""

import threading

import pytest

from chat.web.search import Document, DocumentIndex, SearchLimited
from chat.web.search.run_search import RunSearch
from chat.web.search.values import Sent
from tests.fakes.search_server import RECORDED, searching


@pytest.mark.row("B17")
def test_the_same_query_and_number_are_asked_once() -> None:
    with searching("brave") as (backend, server):
        run = RunSearch(backend)
        first = run.search("python  language")
        assert run.search("python language") == first
        assert run.search("python language", 5) == first
        assert len(server.seen) == 1
        run.search("python language", 3)
        run.search("Python language", 3)
        assert len(server.seen) == 3


def test_more_than_ten_is_ten_and_none_is_nothing() -> None:
    with searching("brave") as (backend, server):
        run = RunSearch(backend)
        assert run.search("python", 10) == run.search("python", 99)
        assert run.search("python", 0) == []
        assert run.search(" ") == []
        assert len(server.seen) == len(run.records) == 1


def test_what_one_caller_does_to_its_list_no_other_sees() -> None:
    with searching("brave") as (backend, _):
        run = RunSearch(backend)
        run.search("python").clear()
        assert len(run.search("python")) == 2


def test_calls_at_the_same_time_wait_for_the_one_answer() -> None:
    with searching("brave") as (backend, server):
        run, start, found = RunSearch(backend), threading.Barrier(4), []

        def ask() -> None:
            start.wait()
            found.append(run.search("python"))

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(server.seen) == 1
        assert found == [found[0]] * 4


def test_a_failure_is_no_answer_and_is_asked_again() -> None:
    recorded = RECORDED["brave"]
    with searching("brave", recorded.failures["later"].said) as (backend, server):
        run = RunSearch(backend)
        with pytest.raises(SearchLimited):
            run.search("python")
        server.says(recorded.good)
        assert len(run.search("python")) == 2
    assert [each.failure for each in run.records] == ["limited", ""]


def test_the_record_says_what_was_sent() -> None:
    with searching("tavily") as (backend, server):
        run = RunSearch(backend)
        long = "word " * 200
        found = run.search(long, 2)
        (record,) = run.records
        assert record.query == long
        assert record.sent == Sent(server.asked["query"], was_cut=True)
        assert (record.max_results, record.results) == (2, tuple(found))


def test_documents_are_searched_in_the_same_way() -> None:
    index = DocumentIndex([Document("doc:a", "A", "The licence is MIT.")])
    run = RunSearch(index)
    assert run.search("licence")[0].url == "doc:a"
    assert run.records[0].sent == Sent("licence", False)
