"""However a worker ends, its runs go on elsewhere and no process of it is left."""

import os
import signal
from pathlib import Path

import pytest

from research.models import WorkerBeat
from research.services.journal import broken_link
from research.states import RunStatus
from tests.end_to_end.conftest import StartCommand
from tests.end_to_end.runs import ask_for_run, claims_of, make_ready_cast, status_of
from tests.fakes.gated_storage import Gate
from tests.fakes.processes import Command

pytestmark = pytest.mark.django_db(transaction=True)


def _sentinel_of(worker: Command) -> int:
    """The one child of the parent; all others are children of it."""
    ready = worker.worker_pids()[0]
    stat = Path(f"/proc/{ready}/stat").read_text()
    return int(stat.rsplit(")", 1)[1].split()[1])


def _wait_gone(worker: Command) -> None:
    worker.until(lambda: not worker.survivors(), "all its processes are gone")


def test_a_worker_asked_to_stop_hands_its_run_to_another(
    start: StartCommand, gate: Gate
) -> None:
    run = ask_for_run(make_ready_cast())
    gate.close()
    leaving = start("worker")
    leaving.until(gate.waiting_pid, "the run is under way")

    leaving.signal(signal.SIGTERM)
    leaving.until(lambda: "handed over" in leaving.output(), "it knows that it stops")
    gate.open()

    assert leaving.wait() == 0
    assert status_of(run) == RunStatus.QUEUED
    assert run.attempts == 0
    _wait_gone(leaving)

    staying = start("worker")
    staying.until(lambda: status_of(run) == RunStatus.COMPLETED, "another completes it")
    assert len(claims_of(run)) == 2
    assert broken_link(run) is None


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_the_whole_group_ends_the_worker_in_order(
    start: StartCommand, gate: Gate, number: signal.Signals
) -> None:
    run = ask_for_run(make_ready_cast())
    gate.close()
    worker = start("worker")
    worker.until(gate.waiting_pid, "the run is under way")
    worker.until(WorkerBeat.objects.exists, "the worker shows that it lives")
    worker.family()

    os.killpg(worker.pid, number)
    worker.until(lambda: "handed over" in worker.output(), "it knows that it stops")
    gate.open()

    assert worker.wait() == 0
    _wait_gone(worker)
    assert status_of(run) == RunStatus.QUEUED
    assert not WorkerBeat.objects.exists()


def test_a_killed_parent_leaves_no_process(start: StartCommand) -> None:
    worker = start("worker", WEIGHHOUSE_WORKERS="2")
    worker.wait_ready(2)

    worker.signal(signal.SIGKILL)

    worker.wait()
    assert len(worker.family()) >= 3
    _wait_gone(worker)


def test_a_killed_sentinel_ends_the_worker_with_exit_code_1(
    start: StartCommand,
) -> None:
    worker = start("worker", WEIGHHOUSE_WORKERS="2")
    worker.wait_ready(2)
    worker.family()

    os.kill(_sentinel_of(worker), signal.SIGKILL)

    assert worker.wait() == 1
    assert "The worker's sentinel died" in worker.output()
    _wait_gone(worker)


@pytest.mark.sqlite
def test_a_worker_refuses_a_database_without_tables(
    start: StartCommand, tmp_path: Path
) -> None:
    worker = start("worker", DATABASE_URL=f"sqlite:///{tmp_path / 'empty.sqlite3'}")

    assert worker.wait() == 1
    assert worker.output().splitlines() == [
        "CommandError: The database is not up to date; run `manage.py migrate` first."
    ]


def test_a_worker_without_a_database_says_so(start: StartCommand) -> None:
    worker = start("worker", DATABASE_URL="postgresql://nobody@127.0.0.1:1/none")

    assert worker.wait() == 1
    assert "CommandError: The database cannot be used:" in worker.output()
    assert "Traceback" not in worker.output()


@pytest.mark.parametrize(
    ("url", "sentence", "reason"),
    [
        (
            "redis://127.0.0.1:1/0",
            "CommandError: The queue cannot be used:",
            "Connection refused",
        ),
        ("none", "weighhouse: REDIS_URL", "must start with redis"),
    ],
)
def test_a_worker_without_its_queue_says_so(
    start: StartCommand, url: str, sentence: str, reason: str
) -> None:
    worker = start("worker", REDIS_URL=url)

    assert worker.wait() == 1
    last = worker.output().splitlines()[-1]
    assert last.startswith(sentence)
    assert reason in last
    assert "Traceback" not in worker.output()
