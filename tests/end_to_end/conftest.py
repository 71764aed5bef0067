"""Real processes on the test's own database, ended when the test ends."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from django.conf import settings
from django.db import connection
from django_q.conf import Conf

from tests.fakes.gated_storage import Gate
from tests.fakes.processes import Command

StartCommand = Callable[..., Command]


def _database_url() -> str:
    """Where this test's database is, for another process."""
    facts = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{facts['NAME']}"
    user, password = (quote(facts[key], safe="") for key in ("USER", "PASSWORD"))
    account = f"{user}:{password}".rstrip(":")
    # A folder as the host is where PostgreSQL's socket is.
    host = quote(facts["HOST"], safe="")
    port = f":{facts['PORT']}" if facts["PORT"] else ""
    return f"postgresql://{account}@{host}{port}/{facts['NAME']}"


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    folder = tmp_path / "gate"
    folder.mkdir()
    return Gate(folder)


@pytest.fixture
def environment(
    transactional_db: None, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> dict[str, str]:
    """One worker process on this database, the queue in the database too.

    Also where REDIS_URL is set: other tests may use that queue at the same time.
    """
    monkeypatch.setattr(Conf, "ORM", "default")
    kept = {k: v for k, v in os.environ.items() if not k.startswith("REDIS_URL")}
    return {
        **kept,
        "DJANGO_SETTINGS_MODULE": "tests.worker_settings",
        "DATABASE_URL": _database_url(),
        "WEIGHHOUSE_DATA_DIR": str(settings.DATA_DIR),
        "WEIGHHOUSE_SECRET_KEY": settings.SECRET_KEY,
        "WEIGHHOUSE_WORKERS": "1",
        "WEIGHHOUSE_LOG_LEVEL": "INFO",
        "TEST_GATE": str(gate.folder),
        "PYTHONUNBUFFERED": "1",
    }


@pytest.fixture
def start(environment: dict[str, str], tmp_path: Path) -> Iterator[StartCommand]:
    """`start("worker", WEIGHHOUSE_WORKERS="2")`: the command, running."""
    started: list[Command] = []

    def begin(*arguments: str, **more: str) -> Command:
        command = Command(
            *arguments,
            environment={**environment, **more},
            log=tmp_path / f"{arguments[0]}-{len(started)}.log",
        )
        started.append(command)
        return command

    yield begin
    for command in started:
        command.end()
