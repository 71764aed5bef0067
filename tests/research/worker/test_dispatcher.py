"""A tick shows that the worker lives and rings for runs that were forgotten."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.utils import timezone
from django_q.conf import Conf
from django_q.models import OrmQ

from research.models import Run, WorkerBeat
from research.services.claim_run import claim_run, release_run
from research.services.stop_flag import ask_to_stop, go_on
from research.states import RunStatus
from research.tasks import execute_run
from research.worker.dispatcher import Dispatcher
from tests.factories.accounts import make_cast
from tests.factories.research import make_case, make_run

# A tick closes its connection, which a test inside a transaction cannot spare.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _queue_in_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where REDIS_URL is set: other tests may use that queue at the same time."""
    monkeypatch.setattr(Conf, "ORM", "default")


@pytest.fixture
def dispatcher() -> Dispatcher:
    return Dispatcher("host:1:aa")


@pytest.fixture
def _stopping() -> Iterator[None]:
    ask_to_stop()
    yield
    go_on()


def _run(**fields: object) -> Run:
    cast = make_cast()
    return make_run(make_case(cast.organization, cast.ben), cast.ben, **fields)


def _held_until(seconds: float) -> dict[str, object]:
    return {
        "status": RunStatus.RUNNING,
        "lease_owner": "elsewhere:7:bb",
        "lease_expires_at": timezone.now() + timedelta(seconds=seconds),
    }


def _rung() -> list[str]:
    return [item.name() for item in OrmQ.objects.all()]


def test_a_run_that_nobody_was_told_of_is_rung_for(dispatcher: Dispatcher) -> None:
    run = _run()

    dispatcher.tick()

    assert _rung() == [run.public_id]


def test_a_run_rung_for_just_now_is_left_alone(dispatcher: Dispatcher) -> None:
    _run(rung_at=timezone.now())

    dispatcher.tick()

    assert _rung() == []


def test_a_run_is_rung_for_once_a_minute_and_not_at_every_tick(
    dispatcher: Dispatcher,
) -> None:
    run = _run()

    dispatcher.tick()
    dispatcher.tick()

    assert _rung() == [run.public_id]


def test_a_run_whose_worker_fell_silent_is_rung_for(dispatcher: Dispatcher) -> None:
    run = _run(attempts=1, **_held_until(-1))

    dispatcher.tick()

    assert _rung() == [run.public_id]


def test_a_run_that_is_worked_on_is_left_alone(dispatcher: Dispatcher) -> None:
    _run(attempts=1, **_held_until(30))

    dispatcher.tick()

    assert _rung() == []


@pytest.mark.parametrize(("seconds", "rings"), [(-1, 1), (60, 0)])
def test_a_postponed_run_is_rung_for_when_its_time_has_come(
    dispatcher: Dispatcher, seconds: float, rings: int
) -> None:
    due = timezone.now() + timedelta(seconds=seconds)
    _run(status=RunStatus.WAITING, attempts=1, not_before=due)

    dispatcher.tick()

    assert len(_rung()) == rings


def test_a_run_handed_over_is_rung_for_at_once(dispatcher: Dispatcher) -> None:
    run = _run(rung_at=timezone.now())
    held = claim_run(run.public_id, "leaving:1:cc")
    assert held is not None

    release_run(held, "leaving:1:cc")
    dispatcher.tick()

    assert _rung() == [run.public_id]


@pytest.mark.usefixtures("_stopping")
def test_a_worker_that_is_stopping_leaves_a_new_run_to_others(
    dispatcher: Dispatcher,
) -> None:
    run = _run(rung_at=timezone.now())

    execute_run(run.public_id)
    dispatcher.tick()

    run.refresh_from_db()
    assert run.status == RunStatus.QUEUED
    assert run.attempts == 0
    assert _rung() == [run.public_id]


def test_a_run_that_three_workers_died_on_is_failed(dispatcher: Dispatcher) -> None:
    run = _run(attempts=3, **_held_until(-1))

    dispatcher.tick()

    run.refresh_from_db()
    assert run.status == RunStatus.FAILED
    assert run.error == "The run was tried 3 times and did not end."
    assert _rung() == []


def test_a_worker_shows_that_it_lives_until_it_signs_off(
    dispatcher: Dispatcher,
) -> None:
    before = timezone.now()

    dispatcher.tick()
    dispatcher.tick()

    assert WorkerBeat.objects.get().owner == "host:1:aa"
    assert WorkerBeat.objects.get().beaten_at >= before
    dispatcher.sign_off()
    assert not WorkerBeat.objects.exists()


def test_workers_silent_for_a_day_are_forgotten(dispatcher: Dispatcher) -> None:
    now = timezone.now()
    WorkerBeat.objects.create(owner="old", beaten_at=now - timedelta(hours=25))
    WorkerBeat.objects.create(owner="recent", beaten_at=now - timedelta(hours=23))

    dispatcher.tick()

    owners = set(WorkerBeat.objects.values_list("owner", flat=True))
    assert owners == {"recent", "host:1:aa"}


def test_a_database_that_is_away_costs_one_tick(
    dispatcher: Dispatcher, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*arguments: object) -> None:
        raise OperationalError

    with connection.execute_wrapper(refuse):
        dispatcher.tick()
    dispatcher.tick()

    assert "The dispatcher could not do its work" in caplog.text
    assert WorkerBeat.objects.count() == 1
