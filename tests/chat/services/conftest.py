"""The cast, and an installation that has every key."""

from typing import Any

import pytest

from tests.chat.services.keys import ALL_KEYS
from tests.factories.accounts import Cast, make_cast


@pytest.fixture(autouse=True)
def _keys(settings: Any) -> None:
    settings.PROVIDER_KEYS = dict(ALL_KEYS)


@pytest.fixture
def cast() -> Cast:
    return make_cast()
