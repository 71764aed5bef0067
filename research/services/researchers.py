"""Which model does the reading, by the name that a run carries."""

from collections.abc import Callable

from chat.providers.extractive import ExtractiveModel

from accounts.errors import BadInput
from chat import engine

EXTRACTIVE = "extractive"

_FACTORIES: dict[str, Callable[[], engine.Model]] = {EXTRACTIVE: ExtractiveModel}


def register_researcher(name: str, make: Callable[[], engine.Model]) -> None:
    """Adds a researcher at start-up, from an AppConfig.ready()."""
    _FACTORIES[name] = make


def make_researcher(name: str) -> engine.Model:
    """A fresh model. Raises BadInput when no such researcher is installed."""
    factory = _FACTORIES.get(name)
    if factory is None:
        message = f"There is no researcher {name!r} in this installation."
        raise BadInput(message, code="researcher_unknown")
    return factory()
