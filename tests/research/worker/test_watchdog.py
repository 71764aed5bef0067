"""The watchdog finds a frozen cluster, and leaves a busy or an idle one alone."""

import pytest

from research.worker.cluster import Pulse
from research.worker.watchdog import Watchdog

PATIENCE_S = 60


@pytest.fixture
def watchdog() -> Watchdog:
    return Watchdog(workers=2, patience_s=PATIENCE_S)


@pytest.fixture
def pulse() -> Pulse:
    return Pulse()


def _faults(watchdog: Watchdog, pulse: Pulse, busy: int, waiting: int) -> list[str]:
    """What it says at each second of two minutes in which the cluster stays so."""
    found = []
    for _ in range(2 * PATIENCE_S):
        pulse.beat(busy=busy, waiting=waiting, at=pulse.at + 1)
        found.append(watchdog.fault(pulse, pulse.at))
    return found


@pytest.mark.parametrize("busy", [0, 1])
def test_a_task_that_idle_workers_leave_waiting_is_a_fault(
    watchdog: Watchdog, pulse: Pulse, busy: int
) -> None:
    faults = _faults(watchdog, pulse, busy, waiting=1)

    assert not any(faults[:PATIENCE_S])
    assert faults[PATIENCE_S] == "a task waits and idle workers do not take it"


def test_a_task_that_waits_for_busy_workers_is_no_fault(
    watchdog: Watchdog, pulse: Pulse
) -> None:
    assert not any(_faults(watchdog, pulse, busy=2, waiting=1))


def test_an_idle_cluster_without_a_task_is_no_fault(
    watchdog: Watchdog, pulse: Pulse
) -> None:
    assert not any(_faults(watchdog, pulse, busy=0, waiting=0))


def test_a_task_taken_in_time_starts_the_wait_anew(
    watchdog: Watchdog, pulse: Pulse
) -> None:
    start = pulse.at
    pulse.beat(busy=1, waiting=1, at=start)
    watchdog.fault(pulse, start)
    pulse.beat(busy=2, waiting=0, at=start + 50)
    watchdog.fault(pulse, start + 50)
    pulse.beat(busy=1, waiting=1, at=start + 70)

    assert watchdog.fault(pulse, start + 70) == ""


def test_a_sentinel_that_shows_no_pulse_is_a_fault(
    watchdog: Watchdog, pulse: Pulse
) -> None:
    assert watchdog.fault(pulse, pulse.at + PATIENCE_S - 1) == ""
    assert watchdog.fault(pulse, pulse.at + PATIENCE_S) == "the sentinel is silent"
