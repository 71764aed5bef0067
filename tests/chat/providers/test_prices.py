"""Prices: to the cent from raw counts, and unknown where they are unknown."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.price_row import PriceRow, Rates, Speed, columns, row_from
from chat.engine import Usage
from chat.providers.prices import PRICES, cost, price_row, standing, upper_bound

DAY = date(2026, 12, 1)
# 10,000 tokens of each of the five kinds: the sum of the row's figures by 100.
TOTALS = {
    "claude-fable-5-2": "0.742",
    "claude-mythos-5-2": "0.742",
    "claude-fable-5-1": "0.9275",
    "claude-mythos-5-1": "0.9275",
    "claude-fable-5": "0.935",
    "claude-mythos-5": "0.935",
    "claude-opus-5-5": "0.372",
    "claude-opus-5": "0.4675",
    "claude-opus-4-8": "0.4675",
    "claude-opus-4-7": "0.4675",
    "claude-opus-4-6": "0.4675",
    "claude-opus-4-5": "0.4675",
    "claude-sonnet-5-5": "0.186",
    "claude-sonnet-5": "0.187",
    "claude-sonnet-4-6": "0.2805",
    "claude-sonnet-4-5": "0.2805",
    "claude-haiku-5-5": "0.00935",
    "claude-haiku-4-5": "0.0935",
}
EACH_KIND = Usage(10_000, 10_000, 10_000, 20_000, 10_000)


def row(figures: str = "1 2", **changes: Any) -> PriceRow:
    rates = Rates(*(Decimal(figure) for figure in figures.split()))
    return replace(PriceRow("some-model", DAY, rates), **changes)


@pytest.mark.parametrize(("model", "dollars"), TOTALS.items())
def test_each_model_costs_what_is_published(model: str, dollars: str) -> None:
    assert cost(model, EACH_KIND, at=DAY) == Decimal(dollars)


def test_no_model_is_built_in_that_no_total_is_known_of() -> None:
    assert {built_in.model for built_in in PRICES} == set(TOTALS)


@pytest.mark.parametrize(
    ("usage", "dollars"),
    [
        # 100,000 x 0.10 + 1,000 x 0.50
        (Usage(100_000, 1_000), "0.0105"),
        # 100,001 x 0.50 + 1,000 x 2.50
        (Usage(100_001, 1_000), "0.0525005"),
        # What a cache served counts: 1 x 0.50 + 60,000 x 0.05 + 40,000 x 0.625
        (Usage(1, 0, 60_000, 40_000), "0.0280005"),
        # Output does not: 100,000 x 0.10 + 128,000 x 0.50
        (Usage(100_000, 128_000), "0.074"),
    ],
)
def test_a_prompt_over_100k_costs_five_times_as_much_for_all_tokens(
    usage: Usage, dollars: str
) -> None:
    assert cost("claude-haiku-5-5", usage, at=DAY) == Decimal(dollars)


def test_a_prompt_over_200k_has_its_own_figures_for_all_tokens() -> None:
    model = "claude-sonnet-4-5"
    # 200,000 x 3 + 1,000 x 15
    assert cost(model, Usage(200_000, 1_000), at=DAY) == Decimal("0.615")
    # 200,001 x 6 + 1,000 x 22.5
    assert cost(model, Usage(200_001, 1_000), at=DAY) == Decimal("1.222506")


def test_a_batch_halves_the_tokens_and_not_the_searches() -> None:
    # (1,000,000 x 2 + 100,000 x 10) / 2, and 2 searches
    usage = Usage(1_000_000, 100_000, searches=2)
    assert cost("claude-sonnet-5-5", usage, at=DAY, batch=True) == Decimal("1.52")


def test_a_fast_answer_has_a_price_of_its_own_or_none() -> None:
    # 10,000 x 8 + 1,000 x 40
    usage, fast = Usage(10_000, 1_000), Speed.FAST
    assert cost("claude-opus-5-5", usage, at=DAY, speed=fast) == Decimal("0.12")
    assert cost("claude-opus-5-5", usage, at=DAY, speed=fast, batch=True) is None
    assert cost("claude-sonnet-5-5", usage, at=DAY, speed=fast) is None


def test_ten_dollars_buy_a_thousand_searches() -> None:
    assert cost("claude-haiku-4-5", Usage(searches=1), at=DAY) == Decimal("0.01")


@pytest.mark.parametrize(
    "model",
    [
        "claude-sonnet-5-5-20261015",
        "anthropic/claude-sonnet-5-5",
        "anthropic/claude-sonnet-5.5",
        "anthropic/claude-sonnet-5.5-20261015",
    ],
)
def test_the_stated_aliases_find_their_model(model: str) -> None:
    found = price_row(model, at=DAY)
    assert found is not None
    assert found.model == "claude-sonnet-5-5"


@pytest.mark.parametrize(
    "model",
    [
        "",
        "gpt-5",
        "claude",
        "claude-sonnet-5-6",
        "claude-sonnet-5.5",
        "claude-sonnet-5-5-latest",
        "claude-sonnet-5-5-20261399",
        "claude-sonnet-5-5-2026101",
        "claude-sonnet-5-5-20261015-20261015",
        "claude-sonnet-4-20250514",
        "Claude-Sonnet-5-5",
        " claude-sonnet-5-5",
        "anthropic/claude-sonnet-5.5:online",
        "anthropic/anthropic/claude-sonnet-5-5",
        "bedrock/claude-sonnet-5-5",
        "anthropic.claude-sonnet-5-5-v1:0",
        "claude-sonnet-5-5@20261015",
    ],
)
def test_any_other_id_has_an_unknown_price_and_not_one_of_zero(model: str) -> None:
    assert cost(model, Usage(1, 1), at=DAY) is None
    assert upper_bound(model, 1, 1, at=DAY) is None


def test_an_id_of_its_own_goes_before_an_alias() -> None:
    routed = row("7 7", model="anthropic/claude-sonnet-5.5", revision=1)
    rows = (*PRICES, routed)
    assert price_row("anthropic/claude-sonnet-5.5", at=DAY, rows=rows) == routed
    found = price_row("claude-sonnet-5-5", at=DAY, rows=rows)
    assert found is not None
    assert found.rates.input == 2


def test_a_price_holds_from_its_day_on_in_utc() -> None:
    rows = (row(), row("3 4", valid_from=date(2027, 1, 1)))
    east = timezone(timedelta(hours=14))
    found: list[Decimal | None] = [
        cost("some-model", Usage(10**6), at=at, rows=rows)
        for at in (
            date(2026, 11, 30),
            DAY,
            datetime(2027, 1, 1, 13, 59, tzinfo=east),
            datetime(2027, 1, 1, 14, 0, tzinfo=east),
            datetime(2027, 1, 1, tzinfo=UTC),
        )
    ]
    assert found == [None, 1, 1, 3, 3]


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        cost("some-model", Usage(1), at=datetime(2027, 1, 1))  # noqa: DTZ001


def test_now_is_meant_where_no_time_is_named() -> None:
    tomorrow = datetime.now(UTC).date() + timedelta(days=2)
    rows = (row(valid_from=date(2020, 1, 1)), row("9 9", valid_from=tomorrow))
    assert cost("some-model", Usage(10**6), rows=rows) == 1


def test_imported_rows_win_by_day_then_by_revision_over_built_in_ones() -> None:
    built_in = row("1 1", valid_from=date(2026, 11, 30))
    old = row("2 1", valid_from=date(2026, 1, 1), revision=3)
    wrong = row("3 1", valid_from=date(2026, 6, 1), revision=1)
    right = row("4 1", valid_from=date(2026, 6, 1), revision=2)

    assert standing(at=DAY, rows=(built_in, old)) == (old,)
    for rows in ((built_in, old, wrong, right), (right, wrong, old, built_in)):
        assert standing(at=DAY, rows=rows) == (right,)
        assert standing(at=date(2026, 3, 1), rows=rows) == (old,)


def test_a_kind_of_token_without_a_rate_makes_the_cost_unknown() -> None:
    rows = (row("1 2"),)
    assert cost("some-model", Usage(10, 10), at=DAY, rows=rows) is not None
    for usage in (Usage(cache_read_tokens=1), Usage(0, 0, 0, 1), Usage(searches=1)):
        assert cost("some-model", usage, at=DAY, rows=rows) is None
    assert cost("some-model", Usage(1), at=DAY, rows=rows, batch=True) is None
    assert upper_bound("some-model", 1, 1, searches=1, at=DAY, rows=rows) is None


def test_a_price_of_zero_is_known() -> None:
    rows = (row("0 0"),)
    assert cost("some-model", Usage(10, 10), at=DAY, rows=rows) == Decimal(0)
    assert upper_bound("some-model", 10, 10, at=DAY, rows=rows) == Decimal(0)


@pytest.mark.parametrize("usage", [Usage(-1, 5), Usage(1, 1, 0, 1, 2)])
def test_counts_that_contradict_each_other_have_no_cost(usage: Usage) -> None:
    assert cost("claude-sonnet-5-5", usage, at=DAY) is None


def test_a_bound_takes_each_token_at_its_dearest() -> None:
    # 100,000 x 16 + 16,384 x 40, and 5 searches
    bound = upper_bound("claude-fable-5-2", 100_000, 16_384, searches=5, at=DAY)
    assert bound == Decimal("2.30536")
    # One token over the cliff: 100,001 x 1.00 + 1,000 x 2.50
    assert upper_bound("claude-haiku-5-5", 100_001, 1_000, at=DAY) == Decimal(
        "0.102501"
    )
    # 10,000 x 16 + 1,000 x 40
    fast = upper_bound("claude-opus-5-5", 10_000, 1_000, at=DAY, speed=Speed.FAST)
    assert fast == Decimal("0.2")


def test_a_bound_of_less_than_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="zero"):
        upper_bound("claude-fable-5-2", -1, 0)


usages = st.builds(
    lambda read, written, hour, output, searches, plain: Usage(
        plain, output, read, max(written, hour), min(written, hour), searches
    ),
    *[st.integers(0, 150_000)] * 3,
    st.integers(0, 128_000),
    st.integers(0, 20),
    st.integers(0, 150_000),
)


@given(st.sampled_from(PRICES), usages, st.integers(0, 60_000), st.integers(0, 9_000))
def test_no_reply_within_its_limits_costs_more_than_the_bound(
    built_in: PriceRow, usage: Usage, spare: int, unwritten: int
) -> None:
    model, speed = built_in.model, built_in.speed
    prompt, output = usage.prompt_tokens + spare, usage.output_tokens + unwritten
    spent = cost(model, usage, at=DAY, speed=speed)
    bound = upper_bound(
        model, prompt, output, searches=usage.searches, at=DAY, speed=speed
    )
    assert spent is not None
    assert bound is not None
    assert spent <= bound


def test_a_row_survives_its_flat_form() -> None:
    assert [row_from(columns(each)) for each in PRICES] == list(PRICES)
