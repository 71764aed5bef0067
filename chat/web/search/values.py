"""What a search takes and gives: plain values, the same for every backend."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One hit of a search: where it is and a piece of what it says."""

    title: str
    url: str
    snippet: str


@dataclass(frozen=True, slots=True)
class Sent:
    """A query as a backend gets it; ``was_cut`` says that it was longer."""

    query: str
    was_cut: bool


@dataclass(frozen=True, slots=True)
class Document:
    """One readable text that a run was given, under its URI."""

    uri: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document's text; offsets in characters, higher scores first."""

    uri: str
    start: int
    end: int
    text: str
    score: float
