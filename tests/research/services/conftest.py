"""Who asks for runs, and what a scripted researcher is put in place of."""

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from chat import engine
from research.services.researchers import RESEARCHERS
from tests.factories.accounts import Cast, enable, make_cast


@pytest.fixture
def cast() -> Cast:
    cast = make_cast()
    enable(cast.organization, "mcp_approval", "mcp_research")
    return cast


@pytest.fixture
def ben(cast: Cast) -> Actor:
    return cast.actor(cast.ben)


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Callable[[engine.Model], None]:
    """Puts a scripted model where a run's researcher is looked up."""

    def install(model: engine.Model) -> None:
        monkeypatch.setitem(RESEARCHERS, "scripted", lambda: model)

    return install
