"""Search in the documents that were given: an index in memory, no network."""

import re
import sqlite3
import threading
import weakref
from collections.abc import Iterable

from chat.web.search.passages import split_passages
from chat.web.search.values import Document, Passage, SearchResult

MOST_RESULTS = 20
SNIPPET_CHARS = 300
_MOST_TERMS = 48
_TERM = re.compile(r"[^\W_]+")
_UNUSABLE = re.compile(r"[\x00-\x20\x7f]")


class DocumentIndex:
    """Documents by URI, and their passages ranked by BM25; safe from many threads."""

    def __init__(self, documents: Iterable[Document] = ()) -> None:
        self._documents: dict[str, Document] = {}
        self._order: list[str] = []
        self._spans: list[tuple[int, int, int]] = []
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

    def add(self, document: Document) -> None:
        """Index one more document; ValueError if its URI is taken or unusable."""
        if not document.uri or _UNUSABLE.search(document.uri):
            raise ValueError(f"unusable document URI: {document.uri!r}")
        with self._lock:
            if document.uri in self._documents:
                raise ValueError(f"document URI given twice: {document.uri}")
            self._documents[document.uri] = document
            self._order.append(document.uri)
            at = len(self._order) - 1
            first = len(self._spans)
            self._spans += [(at, a, b) for a, b in split_passages(document.text)]
            self._database.executemany(
                "INSERT INTO passages(rowid, words) VALUES (?, ?)",
                (
                    (row, _storable(document.text[start:end]))
                    for row, (_, start, end) in enumerate(self._spans[first:], first)
                ),
            )

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
        at, start, end = self._spans[row]
        document = self._documents[self._order[at]]
        # FTS5 ranks best as most negative.
        return Passage(document.uri, start, end, document.text[start:end], -rank)


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
