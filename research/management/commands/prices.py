"""`manage.py prices`: what models cost today, and new prices without a deployment."""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.errors import NotFound, ProductError
from accounts.management.lookup import find_user
from accounts.price_file import read_price_file
from accounts.price_row import PriceRow, Rates, Speed
from accounts.queries import price_rows
from accounts.services import PriceImport, import_prices
from chat.providers.prices import PRICES, price_row, standing
from research.management.exit_codes import exit_code_for
from research.management.tables import aligned

UNITS = "US dollars per million tokens; batch is a factor of them."
HEADINGS = (
    "model",
    "from",
    "input",
    "output",
    "write 5m",
    "write 1h",
    "read",
    "batch",
    "1000 searches",
    "source",
)


class Command(BaseCommand):
    help = (
        "List what models cost, in US dollars per million tokens, or add prices from a"
        " file. A model without a price has an unknown cost, never one of zero."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        listing = verbs.add_parser("list", help="What holds today.")
        listing.add_argument(
            "model", nargs="?", help="Only this one, by any of its ids."
        )
        adding = verbs.add_parser(
            "import", help="Add the rows of a .json or .csv file."
        )
        adding.add_argument("file", type=Path)
        adding.add_argument("--by", help="The address of a platform operator.")
        adding.add_argument(
            "--dry-run", action="store_true", help="Check the file, write nothing."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        verb = _listed if options["verb"] == "list" else _imported
        try:
            lines = verb(options)
        except ProductError as refused:
            code = exit_code_for(refused)
            raise CommandError(refused.message, returncode=code) from refused
        for line in lines:
            self.stdout.write(line)


def _listed(options: Mapping[str, Any]) -> list[str]:
    """A line a row, and one below it where long prompts cost more."""
    rows, model = price_rows(PRICES), options["model"]
    held = standing(rows=rows) if model is None else _of_model(model, rows)
    lines = [line for row in held for line in _cells(row)]
    return [UNITS, *aligned([HEADINGS, *lines])]


def _of_model(model: str, rows: Iterable[PriceRow]) -> list[PriceRow]:
    rows = tuple(rows)
    found = [price_row(model, speed=speed, rows=rows) for speed in Speed]
    held = [row for row in found if row is not None]
    if not held:
        raise NotFound(f"No price of {model} is known today: its cost is unknown.")
    return held


def _cells(row: PriceRow) -> list[tuple[str, ...]]:
    fast = "" if row.speed is Speed.STANDARD else f" ({row.speed})"
    lines = [
        (
            f"{row.model}{fast}",
            row.valid_from.isoformat(),
            *_figures(row.rates),
            _figure(row.batch_factor),
            _figure(row.searches_per_1000),
            row.source if row.revision else "built in",
        )
    ]
    if row.cliff:
        above = f"  over {row.cliff.above:,} tokens"
        lines.append((above, "", *_figures(row.cliff.rates), "", "", ""))
    return lines


def _figures(rates: Rates) -> list[str]:
    kept = (rates.cache_write_5m, rates.cache_write_1h, rates.cache_read)
    return [_figure(rate) for rate in (rates.input, rates.output, *kept)]


def _figure(amount: Decimal | None) -> str:
    return "unknown" if amount is None else f"{amount.normalize():f}"


def _imported(options: Mapping[str, Any]) -> list[str]:
    path, dry_run = options["file"], options["dry_run"]
    done = import_prices(
        by=find_user(options["by"]) if options["by"] else None,
        rows=read_price_file(path),
        origin=path.name,
        dry_run=dry_run,
    )
    adds = "Would add" if dry_run else "Added"
    summary = f"{adds} {_counted(done.added)}; {_counted(done.present)} there already."
    return [*_remarks(done), summary]


def _counted(rows: tuple[PriceRow, ...]) -> str:
    return f"{len(rows)} {'row' if len(rows) == 1 else 'rows'}"


def _remarks(done: PriceImport) -> list[str]:
    """What an operator may not have meant: days to come, and corrections."""
    today = datetime.now(UTC).date()
    remarks = [(row, _remark(row, today)) for row in (*done.added, *done.present)]
    return [f"{row}: {remark}." for row, remark in remarks if remark]


def _remark(row: PriceRow, today: date) -> str:
    days = (row.valid_from - today).days
    words = [f"holds in {days} days, not yet today"] if days > 0 else []
    if row.revision > 1:
        words.append(f"corrects what was imported before, revision {row.revision}")
    return "; ".join(words)
