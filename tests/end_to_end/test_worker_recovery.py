"""A killed worker loses no run, no evidence and no answer."""

import os
import signal
from uuid import uuid4

import pytest
from django_q.models import OrmQ

from accounts.models import UsageRecord
from research.models import Citation, Run
from research.services.journal import broken_link
from research.services.ring import ring
from research.states import RunStatus
from tests.end_to_end.conftest import StartCommand
from tests.end_to_end.runs import (
    DOCUMENTS,
    ask_for_run,
    claims_of,
    journal_of,
    make_ready_cast,
    status_of,
)
from tests.fakes.gated_storage import Gate
from tests.fakes.processes import Command
from tests.services import REDIS_URL

pytestmark = pytest.mark.django_db(transaction=True)


def _kill_busy(worker: Command, gate: Gate) -> None:
    """Ends the process that reads behind the gate, then opens the gate."""
    pid = worker.until(gate.waiting_pid, "a worker reads a snapshot")
    os.kill(pid, signal.SIGKILL)
    gate.open()


def _wait_completed(worker: Command, run: Run) -> None:
    worker.until(
        lambda: status_of(run) not in {RunStatus.QUEUED, RunStatus.RUNNING},
        "the run ends",
    )
    assert run.status == RunStatus.COMPLETED, worker.output()[-4000:]


def test_a_run_whose_worker_was_killed_is_finished_from_its_journal(
    start: StartCommand, gate: Gate
) -> None:
    run = ask_for_run(make_ready_cast())
    # The documents are read once for the agent, then again to prove its quotes: the
    # worker dies there, with all that the agent did in the journal.
    gate.close(after=len(DOCUMENTS))
    worker = start("worker")
    worker.until(gate.waiting_pid, "a worker proves the quotes")
    before = journal_of(run)
    answers = run.events.filter(kind="model_replied").count()

    _kill_busy(worker, gate)
    _wait_completed(worker, run)

    assert run.attempts == 2
    assert len(claims_of(run)) == 2
    assert answers > 0
    assert run.events.filter(kind="model_replied").count() == answers
    assert UsageRecord.objects.filter(subject_ref=run.public_id).count() == answers
    assert journal_of(run)[: len(before)] == before
    assert broken_link(run) is None
    quotes = list(
        Citation.objects.filter(claim__run=run).values_list("quote", flat=True)
    )
    assert quotes == ["The service keeps access logs for 30 days."]


def test_a_run_killed_before_its_first_answer_is_finished(
    start: StartCommand, gate: Gate
) -> None:
    run = ask_for_run(make_ready_cast())
    gate.close()
    worker = start("worker")

    _kill_busy(worker, gate)
    _wait_completed(worker, run)

    assert run.attempts == 2
    assert broken_link(run) is None


@pytest.mark.redis
def test_a_run_that_redis_lost_with_its_worker_is_rung_for_again(
    start: StartCommand, gate: Gate
) -> None:
    run = ask_for_run(make_ready_cast())
    gate.close()
    worker = start("worker", REDIS_URL=REDIS_URL, TEST_QUEUE=f"test-{uuid4().hex}")

    _kill_busy(worker, gate)
    _wait_completed(worker, run)

    assert run.attempts == 2


def test_a_killed_idle_worker_does_not_stop_the_cluster(start: StartCommand) -> None:
    cast = make_ready_cast()
    worker = start("worker")
    worker.wait_ready()

    os.kill(worker.worker_pids()[0], signal.SIGKILL)
    worker.wait_ready(2)
    run = ask_for_run(cast)

    _wait_completed(worker, run)
    assert "The cluster is restarted" in worker.output()


def test_a_restart_hands_over_what_busy_workers_have(
    start: StartCommand, gate: Gate
) -> None:
    cast = make_ready_cast()
    worker = start("worker", WEIGHHOUSE_WORKERS="2")
    worker.wait_ready(2)
    gate.close()
    first = ask_for_run(cast)
    busy = worker.until(gate.waiting_pid, "the first run is under way")
    idle = next(pid for pid in worker.worker_pids() if pid != busy)
    os.kill(idle, signal.SIGKILL)
    second = ask_for_run(cast, "Who answers mail?")

    worker.until(
        lambda: "The cluster is restarted" in worker.output(), "the watchdog acts"
    )
    gate.open()

    _wait_completed(worker, first)
    _wait_completed(worker, second)
    assert broken_link(first) is None


def test_a_run_delivered_twice_is_executed_once(start: StartCommand) -> None:
    run = ask_for_run(make_ready_cast())
    ring(run.public_id)
    assert OrmQ.objects.count() == 2
    worker = start("worker", WEIGHHOUSE_WORKERS="2")

    _wait_completed(worker, run)
    worker.until(lambda: not OrmQ.objects.exists(), "all deliveries are used up")

    assert run.attempts == 1
    assert len(claims_of(run)) == 1
