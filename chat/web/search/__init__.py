"""Search backends by name: each takes a query and gives plain results."""

from collections.abc import Callable
from typing import Any, Protocol

from chat.web.search.documents import DocumentIndex
from chat.web.search.values import Document, Passage, SearchResult

__all__ = [
    "Document",
    "DocumentIndex",
    "Passage",
    "SearchBackend",
    "SearchResult",
    "backend",
    "register",
]


class SearchBackend(Protocol):
    """What every backend can do; zero or fewer results asked for means none."""

    def search(self, query: str, max_results: int = 5) -> list[SearchResult]: ...


_FACTORIES: dict[str, Callable[..., SearchBackend]] = {}


def register(name: str, factory: Callable[..., SearchBackend]) -> None:
    """Make `factory` the maker of backend `name`; a name is given once."""
    if name in _FACTORIES:
        raise ValueError(f"search backend {name!r} is registered already")
    _FACTORIES[name] = factory


def backend(name: str, **options: Any) -> SearchBackend:
    """A new backend of that name; ValueError names the known ones if it is unknown."""
    if name not in _FACTORIES:
        known = ", ".join(sorted(_FACTORIES))
        raise ValueError(f"unknown search backend {name!r}; known: {known}")
    return _FACTORIES[name](**options)


register("documents", DocumentIndex)
