"""Search backends by name: each takes a query and gives plain results."""

from chat.web.search.documents import DocumentIndex
from chat.web.search.errors import (
    SearchError,
    SearchLimited,
    SearchMisconfigured,
    SearchRefused,
    SearchUnavailable,
    SearchUncited,
)
from chat.web.search.registry import SearchBackend, backend, backend_names, register
from chat.web.search.values import Document, Passage, SearchResult

__all__ = [
    "Document",
    "DocumentIndex",
    "Passage",
    "SearchBackend",
    "SearchError",
    "SearchLimited",
    "SearchMisconfigured",
    "SearchRefused",
    "SearchResult",
    "SearchUnavailable",
    "SearchUncited",
    "backend",
    "backend_names",
    "register",
]
