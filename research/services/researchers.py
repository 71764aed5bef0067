"""Which model does the reading, by the name that a run carries."""

from collections.abc import Callable

from accounts.errors import BadInput
from chat import engine
from chat.providers.extractive import ExtractiveModel

EXTRACTIVE = "extractive"

# An installation adds its own from an AppConfig.ready().
RESEARCHERS: dict[str, Callable[[], engine.Model]] = {EXTRACTIVE: ExtractiveModel}


def make_researcher(name: str) -> engine.Model:
    """A fresh model. Raises BadInput when no such researcher is installed."""
    factory = RESEARCHERS.get(name)
    if factory is None:
        message = f"There is no researcher {name!r} in this installation."
        raise BadInput(message, code="researcher_unknown")
    return factory()


def is_language_model(name: str) -> bool | None:
    """What the researcher's profile says; None when it is not installed here."""
    try:
        return make_researcher(name).profile.language_model
    except BadInput:
        return None
