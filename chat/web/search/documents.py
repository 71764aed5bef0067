"""Search in the documents that were given: an index in memory, no network."""

import re
import sqlite3
import threading
import weakref
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from chat.web.search.passages import split_passages
from chat.web.search.values import Document, Passage, SearchResult

MOST_RESULTS = 20
SNIPPET_CHARS = 300
PROGRESS_CHARS = 1024 * 1024
_MOST_TERMS = 48
_BATCH = 1_000
_TERM = re.compile(r"[^\W_]+")
_UNUSABLE = re.compile(r"[\x00-\x20\x7f]")


class DocumentIndex:
    """Documents by URI, and their passages ranked by BM25; safe from many threads."""

    def __init__(self, documents: Iterable[Document] = ()) -> None:
        self._documents: dict[str, Document] = {}
        # Of each document, the number of its first passage.
        self._firsts: list[int] = []
        # Of each passage, its start and end: there may be millions.
        self._starts, self._ends = array("Q"), array("Q")
        self._lock = threading.Lock()
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        # An index that is only dropped must not leave its connection open.
        self._closing = weakref.finalize(self, self._database.close)
        # At exit a thread that was left behind may still be searching.
        self._closing.atexit = False
        # Contentless: the texts are held once, in the documents.
        self._database.execute(
            "CREATE VIRTUAL TABLE passages USING fts5(words, content='',"
            " tokenize='porter unicode61 remove_diacritics 2')"
        )
        for document in documents:
            self.add(document)

    def add(
        self, document: Document, on_progress: Callable[[], object] | None = None
    ) -> None:
        """Index one more document; ValueError if its URI is taken or unusable.

        Calls `on_progress` about every PROGRESS_CHARS characters and at the end. What
        it raises leaves the index as it was.
        """
        if not document.uri or _UNUSABLE.search(document.uri):
            raise ValueError(f"unusable document URI: {document.uri!r}")
        with self._lock:
            if document.uri in self._documents:
                raise ValueError(f"document URI given twice: {document.uri}")
            first = len(self._starts)
            try:
                self._index(document.text, on_progress or _nothing)
            except BaseException:
                self._database.rollback()
                del self._starts[first:], self._ends[first:]
                raise
            self._database.commit()
            self._documents[document.uri] = document
            self._firsts.append(first)

    def _index(self, text: str, on_progress: Callable[[], object]) -> None:
        spans = split_passages(text)
        told = 0
        while batch := list(islice(spans, _BATCH)):
            row = len(self._starts)
            self._starts.extend(start for start, _ in batch)
            self._ends.extend(end for _, end in batch)
            self._database.executemany(
                "INSERT INTO passages(rowid, words) VALUES (?, ?)",
                _rows(text, batch, row),
            )
            if batch[-1][1] - told >= PROGRESS_CHARS:
                told = batch[-1][1]
                on_progress()
        on_progress()

    def close(self) -> None:
        """Give the memory back; a search afterwards is a sqlite3.ProgrammingError.

        Waits for a search under way: closing beneath it would end the process.
        """
        with self._lock:
            self._closing()

    def __len__(self) -> int:
        return len(self._documents)

    @property
    def documents(self) -> tuple[Document, ...]:
        """Every document, in the order in which they were given."""
        return tuple(self._documents.values())

    def document(self, uri: str) -> Document | None:
        """The document under `uri`, or None."""
        return self._documents.get(uri)

    def passages(self, query: str, limit: int = 5) -> list[Passage]:
        """The best passages for any of the query's words, best first."""
        expression = _match_expression(query)
        limit = min(limit, MOST_RESULTS)
        if not expression or limit < 1:
            return []
        with self._lock:
            rows = self._database.execute(
                "SELECT rowid, bm25(passages) FROM passages WHERE passages MATCH ?"
                " ORDER BY bm25(passages), rowid LIMIT ?",
                (expression, limit),
            ).fetchall()
        return [self._passage(row, rank) for row, rank in rows]

    def search(self, query: str, max_results: int = 5) -> list[SearchResult]:
        """The best documents for the query with their best passage as the snippet."""
        results: dict[str, SearchResult] = {}
        for passage in self.passages(query, MOST_RESULTS):
            title = self._documents[passage.uri].title
            found = SearchResult(title, passage.uri, snippet(passage.text))
            results.setdefault(passage.uri, found)
        return list(results.values())[: max(0, max_results)]

    def _passage(self, row: int, rank: float) -> Passage:
        document = self.documents[bisect_right(self._firsts, row) - 1]
        start, end = self._starts[row], self._ends[row]
        # FTS5 ranks best as most negative.
        return Passage(document.uri, start, end, document.text[start:end], -rank)


def _nothing() -> None:
    return


def _rows(
    text: str, spans: Iterable[tuple[int, int]], first: int
) -> Iterator[tuple[int, str]]:
    for row, (start, end) in enumerate(spans, first):
        yield row, _storable(text[start:end])


def snippet(text: str) -> str:
    """`text` on one line, cut to SNIPPET_CHARS characters."""
    line = " ".join(text.split())
    return line if len(line) <= SNIPPET_CHARS else line[: SNIPPET_CHARS - 1] + "…"


def _storable(text: str) -> str:
    """`text` without lone surrogates, which SQLite refuses."""
    return text.encode(errors="replace").decode()


def _match_expression(query: str) -> str:
    """Any of the words, each quoted, so that nothing in a query is an operator."""
    terms = dict.fromkeys(term.lower() for term in _TERM.findall(query))
    return " OR ".join(f'"{term}"' for term in list(terms)[:_MOST_TERMS])
