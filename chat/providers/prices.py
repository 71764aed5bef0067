"""What a reply costs, in US dollars, from its raw token counts and dated price rows.

An id of a model finds a price by one of these names, tried in this order:

1.  the id as it is;
2.  without a date at its end: claude-sonnet-5-5-20261015 is claude-sonnet-5-5;
3.  without OpenRouter's `anthropic/`, dots of the version as hyphens:
    anthropic/claude-sonnet-5.5 is claude-sonnet-5-5;
4.  both.

Nothing else is tried: no beginnings, no `:online`, no other provider's prefix. Where no
name has a row that holds, the price is None: unknown, never zero. What was imported
goes before what is built in; of each, the newest row that holds, in its last revision.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from decimal import Decimal

from accounts.price_row import RATES, PriceRow, Rates, Speed
from chat.engine.model import Usage
from chat.providers.price_table import PRICES

OPENROUTER_PREFIX = "anthropic/"
DATED = re.compile(r"(?P<name>.+)-(?P<day>20[0-9]{6})")
PER_MILLION = Decimal("0.000001")
PER_THOUSAND = Decimal("0.001")

__all__ = ["PRICES", "cost", "names", "price_row", "standing", "upper_bound"]


def cost(
    model: str,
    usage: Usage,
    *,
    at: date | None = None,
    speed: Speed = Speed.STANDARD,
    batch: bool = False,
    rows: Iterable[PriceRow] = PRICES,
) -> Decimal | None:
    """The exact price in US dollars of one reply; None where it is not known.

    usage: of a single request, as a cliff depends on the length of one prompt. at: a
    day in UTC or an aware time, by default now. batch: answered in a batch, which
    lowers the token rates and not the price of searches. None too where a kind of token
    was used that the row has no rate for, and where the counts contradict each other.
    """
    row = price_row(model, at=at, speed=speed, rows=rows)
    if row is None or not _sensible(usage):
        return None
    rates = _rates_for(row, usage.prompt_tokens)
    tokens = _total(
        (usage.input_tokens, rates.input),
        (usage.output_tokens, rates.output),
        (usage.cache_read_tokens, rates.cache_read),
        (usage.cache_write_tokens - usage.cache_write_1h_tokens, rates.cache_write_5m),
        (usage.cache_write_1h_tokens, rates.cache_write_1h),
    )
    searches = _total((usage.searches, row.searches_per_1000))
    factor = row.batch_factor if batch else Decimal(1)
    if tokens is None or searches is None or factor is None:
        return None
    return tokens * factor * PER_MILLION + searches * PER_THOUSAND


def upper_bound(
    model: str,
    prompt_tokens: int,
    max_output_tokens: int,
    *,
    searches: int = 0,
    at: date | None = None,
    speed: Speed = Speed.STANDARD,
    rows: Iterable[PriceRow] = PRICES,
) -> Decimal | None:
    """The most in US dollars that one request may cost; None where it is not known.

    Each token at the dearest rate that it can meet: of the cache writes and the input,
    and of the tiers that so long a prompt may fall into. prompt_tokens: all that the
    model may read, what the provider's own tools bring it included.
    """
    if min(prompt_tokens, max_output_tokens, searches) < 0:
        raise ValueError("A request has no fewer than zero tokens and searches.")
    row = price_row(model, at=at, speed=speed, rows=rows)
    if row is None:
        return None
    tiers = (row.rates, _rates_for(row, prompt_tokens))
    read = max(rate for rates in tiers for rate in _prompt_rates(rates))
    written = max(rates.output for rates in tiers)
    searched = _total((searches, row.searches_per_1000))
    if searched is None:
        return None
    tokens = prompt_tokens * read + max_output_tokens * written
    return tokens * PER_MILLION + searched * PER_THOUSAND


def price_row(
    model: str,
    *,
    at: date | None = None,
    speed: Speed = Speed.STANDARD,
    rows: Iterable[PriceRow] = PRICES,
) -> PriceRow | None:
    """The row that prices the model at that time, or None."""
    tried = list(names(model))
    alike = (row for row in rows if row.speed == speed and row.model in tried)
    held = {row.model: row for row in standing(at=at, rows=alike)}
    return next((held[name] for name in tried if name in held), None)


def standing(
    *, at: date | None = None, rows: Iterable[PriceRow] = PRICES
) -> tuple[PriceRow, ...]:
    """One row for each model and speed: the one that holds at that time, by name."""
    day = _day(at)
    held: dict[tuple[str, str], PriceRow] = {}
    for row in sorted(rows, key=_precedence):
        if row.valid_from <= day:
            held[row.model, row.speed.value] = row
    return tuple(held[key] for key in sorted(held))


def names(model: str) -> Iterator[str]:
    """The names by which an id may find its price, in the order they are tried."""
    yield model
    yield from _undated(model)
    if model.startswith(OPENROUTER_PREFIX):
        bare = model.removeprefix(OPENROUTER_PREFIX).replace(".", "-")
        yield bare
        yield from _undated(bare)


def _undated(model: str) -> Iterator[str]:
    dated = DATED.fullmatch(model)
    if dated and _is_day(dated["day"]):
        yield dated["name"]


def _is_day(digits: str) -> bool:
    try:
        date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
    except ValueError:
        return False
    return True


def _day(at: date | None) -> date:
    if at is None:
        return datetime.now(UTC).date()
    if not isinstance(at, datetime):
        return at
    if at.tzinfo is None:
        raise ValueError("Name the time zone of the time that a price is asked for.")
    return at.astimezone(UTC).date()


def _precedence(row: PriceRow) -> tuple[bool, date, int]:
    """Imported rows stand above the built-in ones, however old they are."""
    return row.revision > 0, row.valid_from, row.revision


def _rates_for(row: PriceRow, prompt_tokens: int) -> Rates:
    cliff = row.cliff
    return cliff.rates if cliff and prompt_tokens > cliff.above else row.rates


def _prompt_rates(rates: Rates) -> list[Decimal]:
    kinds = [getattr(rates, name) for name in RATES if name != "output"]
    return [rate for rate in kinds if rate is not None]


def _total(*parts: tuple[int, Decimal | None]) -> Decimal | None:
    """Counts times rates; None where something was counted that has no rate."""
    if any(count and rate is None for count, rate in parts):
        return None
    return sum((count * rate for count, rate in parts if rate is not None), Decimal(0))


def _sensible(usage: Usage) -> bool:
    counts = (
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_read_tokens,
        usage.cache_write_tokens - usage.cache_write_1h_tokens,
        usage.cache_write_1h_tokens,
        usage.searches,
    )
    return min(counts) >= 0
