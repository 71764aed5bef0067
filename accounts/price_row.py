"""What a model costs from one day on: a value that every layer may hold.

Knows no Django, so that providers price a reply without it. `columns` and `row_from`
are the flat form, the same in a file of prices and in the database.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Any


class Speed(StrEnum):
    """How a request is served; a fast answer has a price of its own."""

    STANDARD = "standard"
    FAST = "fast"


@dataclass(frozen=True, slots=True)
class Rates:
    """US dollars per million tokens. None is unknown, or a kind the model lacks.

    input: tokens that no cache served. cache_write_5m, cache_write_1h: tokens kept for
    five minutes and for an hour. cache_read: tokens that a cache served.
    """

    input: Decimal
    output: Decimal
    cache_write_5m: Decimal | None = None
    cache_write_1h: Decimal | None = None
    cache_read: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Cliff:
    """The rates of all tokens of a request whose prompt has more than `above`."""

    above: int
    rates: Rates


@dataclass(frozen=True, slots=True)
class PriceRow:
    """One model's price from the day `valid_from` on, in UTC.

    batch_factor: of the token rates, for requests answered in a batch.
    searches_per_1000: US dollars. source: where the figures were read. revision: 0 in
    the table that is built in; 1 and up for each import of the same model, speed and
    day, of which the last one counts.
    """

    model: str
    valid_from: date
    rates: Rates
    cliff: Cliff | None = None
    speed: Speed = Speed.STANDARD
    batch_factor: Decimal | None = None
    searches_per_1000: Decimal | None = None
    source: str = ""
    revision: int = 0

    @property
    def key(self) -> tuple[str, str, date]:
        """What one row of a file, and each revision of it, is about."""
        return self.model, self.speed.value, self.valid_from

    def __str__(self) -> str:
        fast = "" if self.speed is Speed.STANDARD else f" ({self.speed})"
        return f"{self.model}{fast} from {self.valid_from}"


MODEL_ID = r"[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,119}"
WHOLE_DIGITS = DECIMALS = 6  # of a figure, before the point and after it
RATES = tuple(field.name for field in fields(Rates))
CLIFF_RATES = tuple(f"cliff_{name}" for name in RATES)
AMOUNTS = (*RATES, *CLIFF_RATES, "batch_factor", "searches_per_1000")
COLUMNS = ("model", "speed", "valid_from", "cliff_above", *AMOUNTS, "source")


def columns(row: PriceRow) -> dict[str, Any]:
    """The row's figures by column, without its revision."""
    cliff = row.cliff
    flat: dict[str, Any] = {name: getattr(row.rates, name) for name in RATES}
    for name, column in zip(RATES, CLIFF_RATES, strict=True):
        flat[column] = getattr(cliff.rates, name) if cliff else None
    return {
        **flat,
        "model": row.model,
        "speed": row.speed,
        "valid_from": row.valid_from,
        "cliff_above": cliff.above if cliff else None,
        "batch_factor": row.batch_factor,
        "searches_per_1000": row.searches_per_1000,
        "source": row.source,
    }


def row_from(flat: Mapping[str, Any], revision: int = 0) -> PriceRow:
    """The other way round; `flat` has every column, rightly typed."""
    above = flat["cliff_above"]
    cliff = Rates(*(flat[name] for name in CLIFF_RATES)) if above is not None else None
    return PriceRow(
        model=flat["model"],
        valid_from=flat["valid_from"],
        rates=Rates(*(flat[name] for name in RATES)),
        cliff=Cliff(above, cliff) if cliff else None,
        speed=Speed(flat["speed"]),
        batch_factor=flat["batch_factor"],
        searches_per_1000=flat["searches_per_1000"],
        source=flat["source"],
        revision=revision,
    )
