"""Two ways of counting cached tokens, both priced to the cent."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from chat.engine import Usage
from chat.providers.price_usage import (
    additive_usage,
    reported_searches,
    subset_usage,
)
from chat.providers.prices import cost

DAY = date(2026, 12, 1)
# What each API reports, and what it comes to by the published figures, by hand.
ADDITIVE: list[tuple[str, dict[str, Any], str]] = [
    # 2,679 x 2 + 118 x 10
    (
        "claude-sonnet-5-5",
        {
            "input_tokens": 2_679,
            "output_tokens": 118,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "cache_creation": None,
            "server_tool_use": None,
            "service_tier": "standard",
        },
        "0.006538",
    ),
    # 1,000 x 4 + 50,000 x 0.20 + 8,000 x 5 + 4,000 x 8 + 2,000 x 20, and 3 searches
    (
        "claude-opus-5-5",
        {
            "input_tokens": 1_000,
            "output_tokens": 2_000,
            "cache_creation_input_tokens": 12_000,
            "cache_read_input_tokens": 50_000,
            "cache_creation": {
                "ephemeral_5m_input_tokens": 8_000,
                "ephemeral_1h_input_tokens": 4_000,
            },
            "server_tool_use": {"web_search_requests": 3, "web_fetch_requests": 7},
        },
        "0.156",
    ),
    # A sum without its parts is of five minutes: 9 x 3 + 1,200 x 3.75 + 40 x 15
    (
        "claude-sonnet-4-6",
        {
            "input_tokens": 9,
            "output_tokens": 40,
            "cache_creation_input_tokens": 1_200,
        },
        "0.005127",
    ),
    # Parts without their sum: 9 x 3 + 200 x 3.75 + 1,000 x 6 + 40 x 15, and a search
    (
        "claude-sonnet-4-6",
        {
            "input_tokens": 9,
            "output_tokens": 40,
            "cache_creation": {
                "ephemeral_5m_input_tokens": 200,
                "ephemeral_1h_input_tokens": 1_000,
            },
            "server_tool_use": {"web_search_requests": 1},
        },
        "0.017377",
    ),
    # A read is a tenth, a fortieth and a fortieth of the input; nothing else is asked.
    (
        "claude-fable-5",
        {"input_tokens": 0, "output_tokens": 0, "cache_read_input_tokens": 10**6},
        "1.00",
    ),
    (
        "claude-fable-5-1",
        {"input_tokens": 0, "output_tokens": 0, "cache_read_input_tokens": 10**6},
        "0.25",
    ),
    (
        "claude-mythos-5-2",
        {"input_tokens": 0, "output_tokens": 0, "cache_read_input_tokens": 10**6},
        "0.20",
    ),
]
SUBSET: list[tuple[str, dict[str, Any], str]] = [
    # 63,000 in all: 1,000 x 4 + 50,000 x 0.20 + 12,000 x 5, and 2,000 x 20
    (
        "anthropic/claude-opus-5.5",
        {
            "prompt_tokens": 63_000,
            "completion_tokens": 2_000,
            "total_tokens": 65_000,
            "prompt_tokens_details": {
                "cached_tokens": 50_000,
                "cache_write_tokens": 12_000,
            },
            "completion_tokens_details": {"reasoning_tokens": 1_500},
        },
        "0.114",
    ),
    # 5,000 x 2 + 300 x 10, and one search
    (
        "anthropic/claude-sonnet-5",
        {
            "prompt_tokens": 5_000,
            "completion_tokens": 300,
            "server_tool_use": {"web_search_requests": 1},
        },
        "0.023",
    ),
]


@pytest.mark.parametrize(("model", "report", "dollars"), ADDITIVE)
def test_the_messages_api_counts_cached_tokens_beside_the_input(
    model: str, report: dict[str, Any], dollars: str
) -> None:
    usage = additive_usage(report)
    assert usage is not None
    assert cost(model, usage, at=DAY) == Decimal(dollars)


@pytest.mark.parametrize(("model", "report", "dollars"), SUBSET)
def test_openai_counts_cached_tokens_within_the_prompt(
    model: str, report: dict[str, Any], dollars: str
) -> None:
    usage = subset_usage(report)
    assert usage is not None
    assert usage.prompt_tokens == report["prompt_tokens"]
    assert cost(model, usage, at=DAY) == Decimal(dollars)


def test_both_readings_end_in_the_same_usage() -> None:
    beside = additive_usage(
        {
            "input_tokens": 100,
            "output_tokens": 7,
            "cache_read_input_tokens": 900,
            "cache_creation_input_tokens": 50,
        }
    )
    within = subset_usage(
        {
            "prompt_tokens": 1_050,
            "completion_tokens": 7,
            "prompt_tokens_details": {"cached_tokens": 900, "cache_write_tokens": 50},
        }
    )
    assert beside == within == Usage(100, 7, 900, 50)


def test_tokens_kept_for_an_hour_are_part_of_those_written() -> None:
    parts = {"ephemeral_5m_input_tokens": 30, "ephemeral_1h_input_tokens": 20}
    whole = {"input_tokens": 1, "output_tokens": 1, "cache_creation": parts}
    assert additive_usage(whole) == Usage(1, 1, 0, 50, 20)
    both = {**whole, "cache_creation_input_tokens": 50}
    assert additive_usage(both) == Usage(1, 1, 0, 50, 20)


@pytest.mark.parametrize(
    "report",
    [
        None,
        "none",
        [],
        {},
        {"input_tokens": 5},
        {"input_tokens": -5, "output_tokens": 1},
        {"input_tokens": 5, "output_tokens": True},
        {"input_tokens": 5.5, "output_tokens": 1},
        {"input_tokens": "5", "output_tokens": 1},
        {"input_tokens": 5, "output_tokens": 1, "server_tool_use": "none"},
        {"input_tokens": 5, "output_tokens": 1, "cache_read_input_tokens": -1},
        # The sum and its parts, more and less.
        {
            "input_tokens": 5,
            "output_tokens": 1,
            "cache_creation_input_tokens": 9,
            "cache_creation": {"ephemeral_5m_input_tokens": 10},
        },
        {
            "input_tokens": 5,
            "output_tokens": 1,
            "cache_creation_input_tokens": 9,
            "cache_creation": {
                "ephemeral_5m_input_tokens": 4,
                "ephemeral_1h_input_tokens": 4,
            },
        },
    ],
)
def test_an_additive_report_without_sense_is_unknown_usage(report: object) -> None:
    assert additive_usage(report) is None


@pytest.mark.parametrize(
    "report",
    [
        None,
        {"prompt_tokens": 5},
        {"completion_tokens": 5},
        {"prompt_tokens": None, "completion_tokens": 5},
        # More cached than there were: counted in some third way.
        {
            "prompt_tokens": 5,
            "completion_tokens": 1,
            "prompt_tokens_details": {"cached_tokens": 6},
        },
    ],
)
def test_a_subset_report_without_sense_is_unknown_usage(report: object) -> None:
    assert subset_usage(report) is None


@pytest.mark.parametrize(
    ("report", "searches"),
    [
        ({"server_tool_use": {"web_search_requests": 2}}, 2),
        ({"server_tool_use": {"web_search_requests": 0}}, 0),
        ({"server_tool_use": {"web_search_requests": -2}}, None),
        ({"server_tool_use": {"web_fetch_requests": 2}}, None),
        ({"server_tool_use": None}, None),
        ({}, None),
        (None, None),
    ],
)
def test_searches_that_nobody_counted_are_not_none_at_all(
    report: object, searches: int | None
) -> None:
    assert reported_searches(report) == searches
