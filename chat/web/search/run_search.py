"""The searches of one run: each is made once, and all are on record."""

import threading
from dataclasses import dataclass

from chat.web.search.errors import SearchError
from chat.web.search.limits import DEFAULT_RESULTS, MOST_RESULTS
from chat.web.search.registry import SearchBackend
from chat.web.search.values import SearchResult, Sent


@dataclass(frozen=True, slots=True)
class SearchRecord:
    """One search that was made. ``sent``: what the backend got of the query.

    ``failure``: the kind of the SearchError, "" where there was an answer.
    """

    query: str
    sent: Sent
    max_results: int
    results: tuple[SearchResult, ...]
    failure: str = ""


class RunSearch:
    """A backend for the length of one run; safe to call from several threads.

    The same query for the same number is asked once, also by two calls at a time: the
    second waits and has the first one's results. A failure is no answer, so that the
    next call asks again.
    """

    def __init__(self, backend: SearchBackend) -> None:
        self._backend = backend
        self._lock = threading.Lock()
        self._turns: dict[tuple[str, int], threading.Lock] = {}
        self._answers: dict[tuple[str, int], tuple[SearchResult, ...]] = {}
        self._records: list[SearchRecord] = []

    @property
    def records(self) -> tuple[SearchRecord, ...]:
        """Every search that was made, in the order in which they ended."""
        with self._lock:
            return tuple(self._records)

    def sent(self, query: str) -> Sent:
        """What the backend would be sent of a query."""
        told = getattr(self._backend, "sent", None)
        # Backends that take queries of any length need not say what they take.
        sent: Sent = told(query) if told else Sent(" ".join(query.split()), False)
        return sent

    def search(
        self, query: str, max_results: int = DEFAULT_RESULTS
    ) -> list[SearchResult]:
        """As the backend's; SearchError."""
        wanted = min(max_results, MOST_RESULTS)
        sent = self.sent(query)
        if wanted < 1 or not sent.query:
            return []
        key = (sent.query, wanted)
        with self._lock:
            turn = self._turns.setdefault(key, threading.Lock())
        with turn:
            if key not in self._answers:
                self._answers[key] = self._ask(query, sent, wanted)
            return list(self._answers[key])

    def _ask(self, query: str, sent: Sent, wanted: int) -> tuple[SearchResult, ...]:
        try:
            results = tuple(self._backend.search(query, wanted))
        except SearchError as error:
            self._note(SearchRecord(query, sent, wanted, (), error.kind))
            raise
        self._note(SearchRecord(query, sent, wanted, results))
        return results

    def _note(self, record: SearchRecord) -> None:
        with self._lock:
            self._records.append(record)
