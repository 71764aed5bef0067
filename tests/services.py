"""Which outside services this machine has, and what that means for a test.

A test of the other database, or one that reaches a paid service, is deselected. One
whose service is missing skips and says why; WEIGHHOUSE_REQUIRE_SERVICES=1, set in CI,
turns such a skip into a failure.
"""

import functools
import importlib.util
import os
import shutil
import socket
from urllib.parse import urlsplit

import pytest

REDIS_URL = os.environ.get("REDIS_URL") or "redis://127.0.0.1:6379/0"


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    dropped = [item for item in items if deselected(item)]
    config.hook.pytest_deselected(items=dropped)
    items[:] = [item for item in items if not deselected(item)]


def pytest_runtest_setup(item: pytest.Item) -> None:
    reason = missing_service(item)
    if reason and required():
        pytest.fail(f"WEIGHHOUSE_REQUIRE_SERVICES=1, but {reason}", pytrace=False)
    if reason:
        pytest.skip(reason)


def on_postgres() -> bool:
    return os.environ.get("DATABASE_URL", "").startswith(("postgres:", "postgresql:"))


def required() -> bool:
    return os.environ.get("WEIGHHOUSE_REQUIRE_SERVICES") == "1"


def deselected(item: pytest.Item) -> bool:
    marks = {mark.name for mark in item.iter_markers()}
    if "live" in marks and os.environ.get("WEIGHHOUSE_LIVE") != "1":
        return True
    return "sqlite" in marks if on_postgres() else "postgres" in marks


def missing_service(item: pytest.Item) -> str:
    """Why the test cannot run here, in one sentence; empty when it can."""
    marks = {mark.name for mark in item.iter_markers()}
    if "browser" in marks:
        return _browser_fault()
    return _redis_fault() if "redis" in marks else ""


@functools.cache
def chromium_path() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser")


@functools.cache
def _browser_fault() -> str:
    if importlib.util.find_spec("playwright") is None:
        return "playwright is not installed (make test EXTRAS=dev,browser)."
    return "" if chromium_path() else "chromium is not installed."


@functools.cache
def _redis_fault() -> str:
    parts = urlsplit(REDIS_URL)
    address = (parts.hostname or "127.0.0.1", parts.port or 6379)
    try:
        with socket.create_connection(address, timeout=2):
            return ""
    except OSError:
        return f"no Redis answers on {address[0]}:{address[1]}."
