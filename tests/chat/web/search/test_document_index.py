"""Search in the documents that were given."""

import contextlib
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from chat.web.search import Document, DocumentIndex, backend, register

DOCUMENTS = [
    Document("doc:a", "A", "Cats sleep.\n\nThe licence is free software."),
    Document("doc:b", "B", "Dogs bark loudly.\n\nNobody maintains the café."),
]


@pytest.fixture
def index() -> DocumentIndex:
    return DocumentIndex(DOCUMENTS)


def test_a_passage_is_where_its_offsets_say(index: DocumentIndex) -> None:
    (passage,) = index.passages("maintained cafe", 1)
    assert passage.uri == "doc:b"
    assert DOCUMENTS[1].text[passage.start : passage.end] == passage.text
    assert "Nobody maintains the café." in passage.text


def test_a_query_is_words_and_no_language(index: DocumentIndex) -> None:
    for query in [
        '"',
        "cats AND (",
        "NEAR(cats, 2)",
        "title:cats",
        "*",
        "-cats",
        "\x00",
    ]:
        index.passages(query)
    assert index.passages('cats" OR dogs')[0].uri in {"doc:a", "doc:b"}


@pytest.mark.parametrize("most", [0, -1])
def test_zero_or_fewer_results_are_none(index: DocumentIndex, most: int) -> None:
    assert index.search("cats", most) == []
    assert index.passages("cats", most) == []


def test_a_document_is_one_result(index: DocumentIndex) -> None:
    results = index.search("cats licence dogs")
    assert sorted(result.url for result in results) == ["doc:a", "doc:b"]
    assert all("\n" not in result.snippet for result in results)


def test_several_threads_may_search_at_once(index: DocumentIndex) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: index.passages("licence"), range(64)))
    assert all(passages == found[0] for passages in found)


@pytest.mark.parametrize("uri", ["", "doc:a", "doc with spaces", "doc:\n"])
def test_an_unusable_uri_is_refused(index: DocumentIndex, uri: str) -> None:
    with pytest.raises(ValueError, match="document URI"):
        index.add(Document(uri, "", "text"))


def test_text_with_lone_surrogates_can_be_indexed() -> None:
    index = DocumentIndex([Document("doc:x", "", "broken \ud800 words")])
    assert index.passages("words")[0].text == "broken \ud800 words"


def test_backends_are_made_by_name() -> None:
    assert backend("documents", documents=DOCUMENTS).search("dogs")[0].url == "doc:b"


def test_an_unknown_backend_names_the_known_ones() -> None:
    with pytest.raises(
        ValueError, match=r"unknown search backend 'x'; known: .*documents"
    ):
        backend("x")


def test_a_backend_is_registered_once() -> None:
    with pytest.raises(ValueError, match="registered already"):
        register("documents", DocumentIndex)


def test_closing_waits_for_the_searches_of_threads_that_were_left_behind() -> None:
    text = "\n\n".join(f"Sentence {number} about logs." for number in range(5000))
    index = DocumentIndex([Document("a", "A", text)])
    searching = threading.Event()

    def search() -> None:
        with contextlib.suppress(sqlite3.ProgrammingError):
            while True:
                index.passages("logs sentence about", 20)
                searching.set()

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert searching.wait(30)
    index.close()
    for thread in threads:
        thread.join(30)
    assert not any(thread.is_alive() for thread in threads)


def test_adding_a_document_reports_about_every_mebibyte_and_at_the_end() -> None:
    index, calls = DocumentIndex(), []
    index.add(Document("doc:a", "", "word\n" * 700_000), lambda: calls.append(1))
    assert 3 <= len(calls) <= 5
    index.add(Document("doc:b", "", ""), lambda: calls.append(1))
    assert 4 <= len(calls) <= 6


def test_what_the_report_raises_leaves_the_index_as_it_was(
    index: DocumentIndex,
) -> None:
    def lose() -> None:
        raise LookupError

    large = Document("doc:c", "C", "Birds sing.\n\n" * 100_000)
    with pytest.raises(LookupError):
        index.add(large, lose)
    assert index.document("doc:c") is None
    assert index.passages("birds") == []
    index.add(large)
    assert index.passages("birds", 1)[0].text.startswith("Birds sing.")
    assert index.passages("dogs", 1)[0].uri == "doc:b"


def test_a_document_without_words_takes_no_other_documents_passages() -> None:
    texts = {"doc:a": "", "doc:b": "Cats.", "doc:c": "\n\n", "doc:d": "Dogs."}
    index = DocumentIndex(Document(uri, "", text) for uri, text in texts.items())
    assert index.passages("cats")[0].uri == "doc:b"
    assert index.passages("dogs")[0].uri == "doc:d"
