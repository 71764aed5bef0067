"""Closed network, and what every test may rely on."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from pytest_socket import socket_allow_hosts

pytest_plugins = [
    # Reads @pytest.mark.row and prints the table of `make rows`.
    "tests.row_report",
    # Skips, or under WEIGHHOUSE_REQUIRE_SERVICES=1 fails, what lacks its service.
    "tests.services",
]

# No test asserts a time, so no example has one to keep either: machines are busy.
settings.register_profile(
    "weighhouse", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("weighhouse")

LOOPBACK = ["127.0.0.1", "::1", "localhost"]


def pytest_runtest_setup() -> None:
    """No test reaches beyond this machine; databases and fakes are on loopback."""
    socket_allow_hosts(LOOPBACK, allow_unix_socket=True)


@pytest.fixture(autouse=True)
def _proxy_free(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def _liftable_evidence(request: pytest.FixtureRequest) -> Iterator[None]:
    """A transactional test is flushed at its end; append-only rows must let it.

    The flush sends post_migrate, which installs the triggers again.
    """
    marker = request.node.get_closest_marker("django_db")
    transactional = {"transactional_db", "live_server"} & set(request.fixturenames)
    flushed = bool(transactional or (marker and marker.kwargs.get("transaction")))
    if flushed:
        request.getfixturevalue("transactional_db")
    yield
    if flushed:
        from django.db import connection

        from research.immutability import lift_triggers

        lift_triggers(connection)
