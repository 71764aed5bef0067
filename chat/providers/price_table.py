"""The prices that are built in; `manage.py prices import` adds others and newer ones.

US dollars per million tokens, as published by the provider and read on READ. A row
holds from the day it was read, or from the day that its source names; nothing earlier
is priced by it. Cache rates are figures of their own, never derived: a read has cost a
tenth, a twentieth and a fortieth of the input.
"""

from datetime import date
from decimal import Decimal

from accounts.price_row import Cliff, PriceRow, Rates, Speed

READ = date(2026, 11, 30)
LONG_PROMPTS_COST_THE_SAME = date(2026, 3, 13)  # of the 4.6 models

_SOURCE = "genai-prices 0.2.3, after platform.claude.com/docs/en/about-claude/pricing"
_HALF = Decimal("0.5")
_PER_1000_SEARCHES = Decimal(10)


def _rates(figures: str) -> Rates:
    """Input, output, cache write for 5 minutes and for an hour, cache read."""
    return Rates(*(Decimal(figure) for figure in figures.split()))


def _row(
    model: str, figures: str, *, above: int = 0, then: str = "", since: date = READ
) -> PriceRow:
    return PriceRow(
        model=model,
        valid_from=since,
        rates=_rates(figures),
        cliff=Cliff(above, _rates(then)) if above else None,
        batch_factor=_HALF,
        searches_per_1000=_PER_1000_SEARCHES,
        source=_SOURCE,
    )


_FAST_OPUS = PriceRow(
    model="claude-opus-5-5",
    speed=Speed.FAST,
    valid_from=READ,
    rates=_rates("8 40 10 16 0.40"),
    searches_per_1000=_PER_1000_SEARCHES,
    source=_SOURCE,
)

# Dated ids are resolved by a rule of prices.py, so that none is listed twice here.
PRICES: tuple[PriceRow, ...] = (
    _row("claude-fable-5-2", "8 40 10 16 0.20"),
    _row("claude-mythos-5-2", "8 40 10 16 0.20"),
    _row("claude-fable-5-1", "10 50 12.5 20 0.25"),
    _row("claude-mythos-5-1", "10 50 12.5 20 0.25"),
    _row("claude-fable-5", "10 50 12.5 20 1.00"),
    _row("claude-mythos-5", "10 50 12.5 20 1.00"),
    _row("claude-opus-5-5", "4 20 5 8 0.20"),
    _FAST_OPUS,
    _row("claude-opus-5", "5 25 6.25 10 0.50"),
    _row("claude-opus-4-8", "5 25 6.25 10 0.50"),
    _row("claude-opus-4-7", "5 25 6.25 10 0.50"),
    _row("claude-opus-4-6", "5 25 6.25 10 0.50", since=LONG_PROMPTS_COST_THE_SAME),
    _row("claude-opus-4-5", "5 25 6.25 10 0.50"),
    _row("claude-sonnet-5-5", "2 10 2.5 4 0.10"),
    _row("claude-sonnet-5", "2 10 2.5 4 0.20"),
    _row("claude-sonnet-4-6", "3 15 3.75 6 0.30", since=LONG_PROMPTS_COST_THE_SAME),
    _row(
        "claude-sonnet-4-5",
        "3 15 3.75 6 0.30",
        above=200_000,
        then="6 22.5 7.5 12 0.60",
    ),
    _row(
        "claude-haiku-5-5",
        "0.10 0.50 0.125 0.20 0.01",
        above=100_000,
        then="0.50 2.50 0.625 1.00 0.05",
    ),
    _row("claude-haiku-4-5", "1 5 1.25 2 0.10"),
)
