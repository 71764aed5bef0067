"""What a run may use, by mode; and settings that could not be kept are refused."""

from typing import Any

import pytest

from chat.engine.errors import ConfigurationError
from chat.engine.limits import Limits, PreflightFloors


@pytest.mark.row("B4")
@pytest.mark.parametrize(
    ("mode", "calls", "context_calls"),
    [("direct", 25, 50), ("standard", 80, 160), ("autonomous", 300, 600)],
)
def test_the_mode_sets_the_calls(mode: Any, calls: int, context_calls: int) -> None:
    limits = Limits(mode=mode)
    assert (limits.tool_cap, limits.context_cap) == (calls, context_calls)
    assert limits.iteration_cap == calls + context_calls + 10


@pytest.mark.row("B4")
def test_standard_is_the_mode_where_none_is_set() -> None:
    assert Limits() == Limits(mode="standard")


@pytest.mark.row("B4")
@pytest.mark.parametrize("mode", ["direct", "standard", "autonomous"])
def test_calls_that_are_set_hold_in_every_mode(mode: Any) -> None:
    limits = Limits(mode=mode, tool_calls=0, context_calls=7)
    assert (limits.tool_cap, limits.context_cap, limits.iteration_cap) == (0, 7, 17)


@pytest.mark.row("B4")
def test_context_calls_are_twice_the_tool_calls_that_were_set() -> None:
    assert Limits(mode="autonomous", tool_calls=3).context_cap == 6


@pytest.mark.row("A6")
def test_a_chat_turn_has_12_iterations_and_16_384_output_tokens() -> None:
    limits = Limits.chat()
    assert (limits.mode, limits.tool_cap) == ("direct", 25)
    assert (limits.iteration_cap, limits.max_output_tokens) == (12, 16_384)


@pytest.mark.row("A6")
def test_every_limit_of_a_chat_turn_may_be_changed() -> None:
    limits = Limits.chat(iterations=3, max_output_tokens=None, deadline_s=60)
    assert (limits.iterations, limits.max_output_tokens) == (3, None)
    assert (limits.mode, limits.deadline_s) == ("direct", 60)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("mode", "reckless"),
        ("mode", None),
        ("mode", []),
        ("tool_calls", -1),
        ("tool_calls", 2.0),
        ("parallel_calls", None),
        ("error_rounds", 0),
        ("error_rounds", None),
        ("pauses", -1),
        ("pauses", True),
        ("disable_parallel_tool_use", 1),
        ("reply_reserve", 0),
        ("reply_reserve", "8192"),
        ("deadline_s", None),
        ("tick_s", None),
        ("preflight", 16_000),
        ("preflight.unfit", PreflightFloors(unfit=-1)),
        ("preflight.marginal", PreflightFloors(marginal=None)),
        ("preflight.standard", PreflightFloors(standard=0.5)),
    ],
)
def test_a_limit_that_cannot_be_kept_is_refused_by_name(field: str, value: Any) -> None:
    with pytest.raises(ConfigurationError, match=rf"^Limits\.{field} "):
        Limits(**{field.partition(".")[0]: value})


@pytest.mark.row("B10")
@pytest.mark.parametrize(
    ("problem", "limits"),
    [
        ("reply_reserve must be less", {"reply_reserve": 8_000, "window": 8_000}),
        ("max_output_tokens must be less", {"max_output_tokens": 9, "window": 9}),
        ("max_output_tokens must", {"max_output_tokens": 200_000, "window": 8_000}),
        ("max_output_tokens is more", {"max_output_tokens": 501, "reply_reserve": 500}),
    ],
)
def test_sizes_that_no_request_could_have_are_refused(
    problem: str, limits: dict[str, int]
) -> None:
    with pytest.raises(ConfigurationError, match=rf"^Limits\.{problem}"):
        Limits(**limits)


@pytest.mark.row("B10")
def test_sizes_that_just_fit_are_taken() -> None:
    limits = Limits(max_output_tokens=500, reply_reserve=500, window=501)
    assert limits.reply_reserve == limits.max_output_tokens == 500
