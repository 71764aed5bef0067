"""Which backends there are, by name.

A backend of the web is imported when one is made: whoever searches documents alone
does not wait for its clients.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol

from chat.web.search.documents import DocumentIndex
from chat.web.search.errors import SearchMisconfigured
from chat.web.search.values import SearchResult


class SearchBackend(Protocol):
    """What every backend can do; zero or fewer results asked for means none.

    Raises SearchError where there is no answer, which is not the same as no results.
    """

    def search(self, query: str, max_results: int = 5) -> list[SearchResult]: ...


Factory = Callable[..., SearchBackend]

_FACTORIES: dict[str, Factory] = {}


def register(name: str, factory: Factory) -> None:
    """Make `factory` the maker of backend `name`; ValueError if that is taken."""
    if not name.strip():
        raise ValueError("a search backend needs a name")
    if name in _FACTORIES:
        raise ValueError(f"search backend {name!r} is registered already")
    _FACTORIES[name] = factory


def backend(name: str, **options: Any) -> SearchBackend:
    """A new backend of that name; SearchMisconfigured, a ValueError, if it cannot be.

    The message has the known names if the name is unknown, and the environment
    variable if a credential is missing.
    """
    if name not in _FACTORIES:
        known = ", ".join(backend_names())
        msg = f"unknown search backend {name!r}; known: {known}"
        raise SearchMisconfigured(msg)
    return _FACTORIES[name](**options)


def backend_names() -> list[str]:
    """The names that backend() knows, in order."""
    return sorted(_FACTORIES)


def _imported(name: str) -> Factory:
    def make(**options: Any) -> SearchBackend:
        module = import_module(f"chat.web.search.backends.{name}")
        made: SearchBackend = module.make(**options)
        return made

    return make


register("documents", DocumentIndex)
for _name in ("bing", "brave", "duckduckgo", "google", "searxng", "serper", "tavily"):
    register(_name, _imported(_name))
