"""Where the live tests go, how often, and what they leave behind.

WEIGHHOUSE_LIVE=1, ANTHROPIC_API_KEY   both, or every live test is deselected
LIVE_MODEL                             another model than the cheapest
LIVE_URL                               another endpoint that speaks the Messages API
LIVE_FOLDER                            where the traffic is written
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest
from pytest_socket import socket_allow_hosts

from chat.providers.anthropic import AnthropicModel
from tests.conftest import LOOPBACK
from tests.live.recorder import Recorder, write_scenario

URL = os.environ.get("LIVE_URL") or "https://api.anthropic.com"
MODEL = os.environ.get("LIVE_MODEL") or "claude-haiku-5-5"
HERE = Path(__file__).parent
LEFT = pytest.StashKey[str]()


def key() -> str:
    return os.environ.get("ANTHROPIC_API_KEY", "")


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    dropped = [] if key() else [each for each in items if _paid(each)]
    config.hook.pytest_deselected(items=dropped)
    items[:] = [each for each in items if each not in dropped]


def _paid(item: pytest.Item) -> bool:
    return item.path.parent == HERE and item.get_closest_marker("live") is not None


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if LEFT in config.stash:
        terminalreporter.write_line(config.stash[LEFT])


@dataclass(frozen=True, slots=True)
class Line:
    """The way to the API, the same for all tests."""

    recorder: Recorder
    client: httpx2.Client

    def model(self, name: str = MODEL, **options: Any) -> AnthropicModel:
        """A model whose every call is counted and recorded."""
        settings: dict[str, Any] = {"base_url": URL, "http_client": self.client}
        return AnthropicModel(name, api_key=key(), **settings, **options)


@pytest.fixture(scope="session")
def folder() -> Path:
    place = os.environ.get("LIVE_FOLDER")
    # Of the test settings: a new folder under the temporary one.
    data = Path(os.environ["WEIGHHOUSE_DATA_DIR"])
    return Path(place).expanduser() if place else data / "live"


@pytest.fixture(scope="session")
def _line(pytestconfig: pytest.Config, folder: Path) -> Iterator[Line]:
    if "PYTEST_XDIST_WORKER" in os.environ:
        pytest.fail("Live tests count their calls in one process: run them without -n.")
    recorder = Recorder(httpx2.HTTPTransport(trust_env=False))
    with httpx2.Client(transport=recorder, timeout=120) as client:
        yield Line(recorder, client)
    said = f"live: {recorder.calls} calls, {recorder.refused} refused, in {folder}"
    pytestconfig.stash[LEFT] = said


@pytest.fixture
def line(_line: Line, folder: Path, request: pytest.FixtureRequest) -> Iterator[Line]:
    """Opens the network to the one host; afterwards the test's traffic is written."""
    host = httpx2.URL(URL).host
    socket_allow_hosts([*LOOPBACK, host], allow_unix_socket=True)
    yield _line
    name = request.node.name.removeprefix("test_")
    title = name.replace("_", " ")
    exchanges = _line.recorder.take()
    if exchanges:
        write_scenario(folder, f"live_{name}", title, exchanges, datetime.now(UTC))
    assert not _line.recorder.refused
