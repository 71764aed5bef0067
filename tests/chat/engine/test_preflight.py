"""Whether there is room to work is judged before the first call, by mode."""

from typing import Any

import pytest

from chat.engine.budget import Budget
from chat.engine.limits import Limits, PreflightFloors
from chat.engine.preflight import Preflight, check_fitness, effective_limits

pytestmark = pytest.mark.row("B11")


def room(working: int) -> Budget:
    """Return a budget that leaves so many tokens to a task of 500."""
    return Budget(working + 4_500, reserve=2_000, system=900, tools=1_100)


def judged(mode: Any, working: int, **floors: int) -> Preflight:
    limits = Limits(mode=mode, preflight=PreflightFloors(**floors))
    return check_fitness(limits, room(working), 500)


@pytest.mark.parametrize(
    ("mode", "working", "fitness", "action", "goes_on_as"),
    [
        ("autonomous", 0, "unfit", "downgraded", "standard"),
        ("autonomous", 15_999, "unfit", "downgraded", "standard"),
        ("autonomous", 16_000, "marginal", "warned", "autonomous"),
        ("autonomous", 31_999, "marginal", "warned", "autonomous"),
        ("autonomous", 32_000, "fit", "none", "autonomous"),
        ("standard", 0, "marginal", "warned", "standard"),
        ("standard", 7_999, "marginal", "warned", "standard"),
        ("standard", 8_000, "fit", "none", "standard"),
        ("direct", 0, "skipped", "none", "direct"),
        ("direct", 90_000, "skipped", "none", "direct"),
    ],
)
def test_a_run_is_judged_by_the_floors_of_its_mode(
    mode: str, working: int, fitness: str, action: str, goes_on_as: str
) -> None:
    assert judged(mode, working) == Preflight(fitness, action, goes_on_as, working)


@pytest.mark.parametrize("mode", ["direct", "standard", "autonomous"])
def test_an_unbounded_window_is_not_judged(mode: Any) -> None:
    preflight = check_fitness(Limits(mode=mode), Budget(), 10**9)
    assert preflight == Preflight("skipped", "none", mode, None)


def test_a_task_longer_than_the_window_leaves_nothing_to_work_with() -> None:
    assert check_fitness(Limits(), room(1_000), 90_000).working == 0


@pytest.mark.parametrize(
    ("mode", "floors", "fitness"),
    [
        ("autonomous", {"unfit": 0}, "marginal"),
        ("autonomous", {"marginal": 0}, "unfit"),
        ("autonomous", {"unfit": 0, "marginal": 0}, "fit"),
        ("standard", {"standard": 0}, "fit"),
        ("standard", {"unfit": 0, "marginal": 0}, "marginal"),
        ("autonomous", {"standard": 0}, "unfit"),
    ],
)
def test_zero_disables_one_floor(
    mode: str, floors: dict[str, int], fitness: str
) -> None:
    assert judged(mode, 0, **floors).fitness == fitness


def test_floors_may_be_set() -> None:
    assert judged("autonomous", 90_000, unfit=100_000).fitness == "unfit"
    assert judged("standard", 9_000, standard=9_001).fitness == "marginal"


@pytest.mark.parametrize(
    ("mode", "working", "words"),
    [
        ("autonomous", 10, "of the window are free, and autonomous mode needs 16000: "),
        ("autonomous", 10, "the run goes on in standard mode"),
        ("autonomous", 20_000, "few for autonomous mode, which should have 32000"),
        ("standard", 10, "few for standard mode, which should have 8000"),
    ],
)
def test_the_warning_names_the_mode(
    mode: str, working: int, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    judged(mode, working)
    [record] = caplog.records
    assert words in record.getMessage()
    assert record.getMessage().startswith(f"Only {working} tokens")


def test_a_fit_run_is_not_warned_about(caplog: pytest.LogCaptureFixture) -> None:
    judged("autonomous", 32_000)
    judged("direct", 0)
    assert caplog.records == []


def test_a_downgraded_run_has_the_caps_of_standard_mode() -> None:
    limits = Limits(mode="autonomous")
    held = effective_limits(limits, check_fitness(limits, room(10), 500))
    assert (held.mode, held.tool_cap, held.context_cap) == ("standard", 80, 160)
    assert held.iteration_cap == Limits().iteration_cap


def test_a_downgrade_keeps_every_limit_that_was_set() -> None:
    limits = Limits(mode="autonomous", tool_calls=200, iterations=9, deadline_s=5)
    held = effective_limits(limits, check_fitness(limits, room(10), 500))
    assert (held.tool_cap, held.context_cap, held.iteration_cap) == (200, 400, 9)
    assert held.deadline_s == 5


@pytest.mark.parametrize("mode", ["direct", "standard", "autonomous"])
def test_without_a_downgrade_the_limits_stay_as_they_are(mode: Any) -> None:
    limits = Limits(mode=mode)
    preflight = check_fitness(limits, room(20_000), 500)
    assert effective_limits(limits, preflight) is limits
