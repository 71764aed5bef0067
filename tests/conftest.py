"""Closed network, and what every test may rely on."""

import pytest
from pytest_socket import socket_allow_hosts

LOOPBACK = ["127.0.0.1", "::1", "localhost"]


def pytest_runtest_setup() -> None:
    """No test reaches beyond this machine; databases and fakes are on loopback."""
    socket_allow_hosts(LOOPBACK, allow_unix_socket=True)


@pytest.fixture(autouse=True)
def _proxy_free(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
