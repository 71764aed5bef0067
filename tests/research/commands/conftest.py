"""An organization that may research, and documents to bring."""

from collections.abc import Callable
from pathlib import Path

import pytest

from accounts.models import Feature
from tests.factories.accounts import Cast, enable, make_cast


@pytest.fixture
def cast(db: None) -> Cast:
    """Harbour may research; the other organization may not."""
    cast = make_cast()
    enable(cast.organization, Feature.MCP_APPROVAL, Feature.MCP_RESEARCH)
    return cast


@pytest.fixture
def document(tmp_path: Path) -> Callable[[str, bytes], str]:
    """Writes one file and returns its path."""

    def write(name: str, body: bytes) -> str:
        path = tmp_path / name
        path.write_bytes(body)
        return str(path)

    return write
