"""Sizes derived from the window: what the reply keeps, and what each part gets."""

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.engine.budget import SHARES, Budget, Role, resolve_budget
from chat.engine.errors import ConfigurationError
from chat.engine.limits import Limits
from chat.engine.model import ModelProfile

pytestmark = pytest.mark.row("B10")

UNLIMITED = Limits()


def resolved(
    limits: Limits = UNLIMITED,
    window: int | None = None,
    max_output: int | None = None,
    *,
    language_model: bool = True,
) -> Budget:
    profile = ModelProfile("one", window, max_output, language_model)
    return resolve_budget(limits, profile, system=0, tools=0)


def test_the_window_that_is_set_goes_before_the_one_that_is_declared() -> None:
    budget = resolved(Limits(window=50_000), 200_000)
    assert (budget.window, budget.fallback) == (50_000, False)
    assert resolved(window=200_000).window == 200_000


@pytest.mark.parametrize("declared", [None, 0])
def test_a_window_that_nobody_declares_is_assumed_and_warned_about_once(
    declared: int | None, caplog: pytest.LogCaptureFixture
) -> None:
    budget = resolved(window=declared)
    assert (budget.window, budget.fallback) == (128_000, True)
    [record] = caplog.records
    assert record.levelno == logging.WARNING
    assert "window of one; 128000 tokens are assumed" in record.getMessage()


def test_a_model_that_is_no_language_model_is_unbounded(
    caplog: pytest.LogCaptureFixture,
) -> None:
    budget = resolved(language_model=False)
    assert (budget.window, budget.fallback, budget.prompt_limit) == (None, False, None)
    assert all(budget.chars(role) == SHARES[role].ceiling for role in Role)
    assert caplog.records == []


@pytest.mark.parametrize(
    ("window", "reserve"),
    [
        (1_000, 500),
        (4_096, 2_048),
        (8_192, 2_560),
        (16_384, 2_560),
        (32_767, 2_560),
        (32_768, 8_192),
        (131_072, 8_192),
        (1_000_000, 8_192),
    ],
)
def test_the_reserve_is_derived_from_the_window(window: int, reserve: int) -> None:
    budget = resolved(window=window)
    assert (budget.reserve, budget.prompt_limit) == (reserve, window - reserve)


@pytest.mark.parametrize(
    ("window", "output", "reserve"),
    [
        (131_072, 7_680, 8_192),
        (131_072, 7_681, 8_193),
        (200_000, 16_384, 16_896),
        (1_000_000, 16_384, 16_896),
        (1_000_000, 8_000, 16_384),
        (20_000, 16_384, 10_000),
    ],
)
def test_the_reserve_holds_the_longest_reply(
    window: int, output: int, reserve: int
) -> None:
    assert resolved(Limits(max_output_tokens=output), window).reserve == reserve
    assert resolved(window=window, max_output=output).reserve == reserve


def test_a_reserve_that_is_set_is_kept() -> None:
    budget = resolved(Limits(reply_reserve=3_000), 200_000)
    assert (budget.reserve, budget.prompt_limit) == (3_000, 197_000)


@pytest.mark.parametrize(
    ("asked", "declared", "output"),
    [
        (None, None, None),
        (None, 4_096, 4_096),
        (None, 64_000, 16_384),
        (32_000, None, 32_000),
        (32_000, 64_000, 32_000),
        (16_384, 8_192, 8_192),
    ],
)
def test_a_reply_is_as_long_as_is_asked_and_the_model_can(
    asked: int | None, declared: int | None, output: int | None
) -> None:
    limits = Limits(max_output_tokens=asked)
    assert resolved(limits, 200_000, declared).max_output == output


@pytest.mark.parametrize("window", [1, 2, 100, 4_096, 8_192, 20_000])
def test_a_declared_reply_is_shortened_to_what_fits(window: int) -> None:
    budget = resolved(window=window, max_output=64_000)
    assert budget.max_output == max(1, budget.reserve)
    reserved = resolved(Limits(reply_reserve=1_000), 8_192, 64_000)
    assert (reserved.reserve, reserved.max_output) == (1_000, 1_000)


@pytest.mark.parametrize(
    ("limits", "window", "problem"),
    [
        (
            Limits(reply_reserve=8_000),
            8_000,
            "reply_reserve must be less than the wind",
        ),
        (
            Limits(reply_reserve=128_000),
            None,
            "reply_reserve must be less than the win",
        ),
        (Limits(max_output_tokens=200), 100, "less than the window of 100"),
        (Limits(max_output_tokens=8_000), 8_000, "less than the window of 8000"),
    ],
)
def test_what_is_set_and_does_not_fit_the_model_is_refused(
    limits: Limits, window: int | None, problem: str
) -> None:
    with pytest.raises(ConfigurationError, match=problem):
        resolved(limits, window)


def test_a_chat_turn_fits_a_small_model_that_declares_its_longest_reply() -> None:
    budget = resolved(Limits.chat(), 8_192, 2_048)
    assert (budget.max_output, budget.reserve) == (2_048, 2_560)


MEASURED = {
    8_192: (2_560, 3_174, 1_000, 2_000, 2_000, 4_000),
    16_384: (2_560, 8_908, 19_632, 2_000, 2_000, 14_179),
    32_768: (8_192, 14_745, 40_000, 2_000, 3_490, 28_188),
    65_536: (8_192, 37_683, 40_000, 27_366, 40_000, 83_239),
    131_072: (8_192, 83_558, 40_000, 32_000, 40_000, 120_000),
}


@pytest.mark.parametrize("window", MEASURED)
def test_each_role_gets_its_share_of_the_window(window: int) -> None:
    budget = resolved(window=window)
    sizes = (
        budget.chars(Role.SYNTHESIS_FINDING),
        budget.chars(Role.REFINER_CANDIDATE),
        budget.chars(Role.CRITIC_EVIDENCE),
        budget.chars(Role.SYNTHESIS_PACKAGE),
    )
    assert (budget.reserve, budget.prompt, *sizes) == MEASURED[window]


@pytest.mark.parametrize(
    ("role", "small", "middle", "large"),
    [
        (Role.RECALL_PAGE, 3_174, 14_745, 40_000),
        (Role.SCHEMA, 3_000, 3_000, 3_000),
        (Role.ERRORS, 1_500, 1_500, 1_500),
        (Role.TASK_CONTEXT, 1_174, 12_745, 24_000),
        (Role.VALIDATION_RESULT, 6_316, 20_000, 20_000),
        (Role.VALIDATION_TASK, 1_579, 4_000, 4_000),
        (Role.TOOL_SUMMARY, 1_000, 1_000, 16_000),
        (Role.GAP_SUMMARY, 500, 500, 4_000),
        (Role.CRITIC_CLAIMED_ANSWER, 2_000, 3_490, 50_000),
        (Role.CRITIC_RESULT, 500, 6_980, 50_000),
    ],
)
def test_the_other_roles_do_too(
    role: Role, small: int, middle: int, large: int
) -> None:
    sizes = [resolved(window=each).chars(role) for each in (8_192, 32_768, 131_072)]
    assert sizes == [small, middle, large]


def test_items_divide_what_a_role_gets_down_to_its_floor() -> None:
    budget = resolved(window=32_768)
    sizes = [budget.chars(Role.SYNTHESIS_FINDING, items) for items in (0, 2, 10, 1000)]
    assert sizes == [40_000, 21_490, 4_298, 1_000]


def test_many_tools_leave_less_for_every_role() -> None:
    profile = ModelProfile("one", 16_384)
    budget = resolve_budget(UNLIMITED, profile, system=1_000, tools=9_000)
    assert (budget.system, budget.tools, budget.prompt) == (1_000, 9_000, 3_824)
    assert budget.chars(Role.RECALL_PAGE) == 3_824


SIZES = st.none() | st.integers(1, 300_000)


@given(SIZES, SIZES, st.integers(0, 50_000), st.sampled_from(Role), st.integers(1, 20))
def test_every_derived_size_fits_the_window(
    window: int | None, output: int | None, fixed: int, role: Role, items: int
) -> None:
    profile = ModelProfile("one", window, output)
    budget = resolve_budget(UNLIMITED, profile, system=fixed, tools=fixed)
    assert budget.window is not None
    assert 0 <= budget.reserve <= budget.window // 2
    assert 1 <= (budget.max_output or 1) <= max(1, budget.reserve)
    assert SHARES[role].floor <= budget.chars(role, items) <= SHARES[role].ceiling


@given(st.integers(1, 300_000), st.sampled_from(Role))
def test_a_larger_window_never_gives_a_role_much_less(window: int, role: Role) -> None:
    # The reserve jumps once, where the usual one first fits.
    smaller, larger = resolved(window=window), resolved(window=window + 1_000)
    lost = 4 * max(0, larger.reserve - smaller.reserve)
    assert larger.chars(role) >= smaller.chars(role) - lost
