"""A file of prices, JSON or CSV, as rows: read whole, or refused with one sentence."""

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, NoReturn

from accounts.errors import BadInput, TooLarge
from accounts.price_row import (
    AMOUNTS,
    CLIFF_RATES,
    COLUMNS,
    DECIMALS,
    MODEL_ID,
    WHOLE_DIGITS,
    PriceRow,
    Speed,
    row_from,
)

MAX_BYTES = 1024 * 1024
MAX_ROWS = 500
NEEDED = ("model", "valid_from", "input", "output", "source")
LIMIT = Decimal(10) ** WHOLE_DIGITS

_MODEL = re.compile(MODEL_ID)
_SOURCE = re.compile(r"[^\x00-\x1f\x7f]{1,200}")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_COUNT = re.compile(r"[1-9][0-9]{0,9}")
_NUMBER = re.compile(r"-?[0-9]{1,99}(\.[0-9]{1,99})?([eE][+-]?[0-9]{1,2})?")


def read_price_file(path: Path) -> tuple[PriceRow, ...]:
    """The rows of a .json or a .csv file. Raises BadInput or TooLarge."""
    forms = {".json": _json_records, ".csv": _csv_records}
    form = forms.get(path.suffix.lower())
    if form is None:
        raise BadInput(f"{path}: Name a .json or a .csv file.", field="file")
    records = form(_text(path))
    if len(records) > MAX_ROWS:
        raise TooLarge(f"{path}: One file has {MAX_ROWS} rows at most.", field="file")
    if not records:
        raise BadInput(f"{path}: There is no row in it.", field="file")
    rows = tuple(_Record(n, record).row() for n, record in enumerate(records, 1))
    refuse_duplicates(rows)
    return rows


def refuse_duplicates(rows: Iterable[PriceRow]) -> None:
    """Raises BadInput where two rows are about the same model, speed and day."""
    seen: set[tuple[str, str, date]] = set()
    for row in rows:
        if row.key in seen:
            raise BadInput(f"{row}: There are two rows of this.", field="valid_from")
        seen.add(row.key)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "no such name"
        raise BadInput(f"{path}: It cannot be read: {reason}.", field="file") from error
    if len(content) > MAX_BYTES:
        raise TooLarge(f"{path}: A file of prices has 1 MiB at most.", field="file")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: The text is no UTF-8.", field="file") from error


def _json_records(text: str) -> list[Mapping[str, Any]]:
    """A list of objects; numbers stay as they are written, so that none is rounded."""
    try:
        records = json.loads(
            text,
            object_pairs_hook=_once_each,
            parse_float=str,
            parse_int=str,
            parse_constant=str,
        )
    except (ValueError, RecursionError) as error:
        raise BadInput("The file is no JSON that can be read.", field="file") from error
    if not isinstance(records, list) or not all(isinstance(r, dict) for r in records):
        raise BadInput("The file is to be a list of objects.", field="file")
    return records


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    named = dict(pairs)
    if len(named) < len(pairs):
        raise BadInput("An object names the same column twice.", field="file")
    return named


def _csv_records(text: str) -> list[Mapping[str, Any]]:
    """The first line names the columns; an empty cell is a figure that is not known."""
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as error:
        raise BadInput(f"The file is no CSV: {error}.", field="file") from error
    header = [name.strip() for name in lines[0]] if lines else []
    if len(set(header)) < len(header):
        raise BadInput("The first line names a column twice.", field="file")
    cells = [line for line in lines[1:] if line]
    for number, line in enumerate(cells, 1):
        if len(line) != len(header):
            raise BadInput(
                f"Row {number} has {len(line)} cells under {len(header)} columns.",
                field="file",
            )
    return [dict(zip(header, line, strict=True)) for line in cells]


class _Record:
    """One record of the file, as text by column."""

    def __init__(self, number: int, cells: Mapping[str, Any]) -> None:
        self._number = number
        self._cells: dict[str, str] = {}
        for name, cell in cells.items():
            if name not in COLUMNS:
                known = ", ".join(COLUMNS)
                self._refuse(name[:60], f"There is no such column; known are {known}")
            if cell is not None and not isinstance(cell, str):
                self._refuse(name, "Text or a number is wanted")
            if cell and cell.strip():
                self._cells[name] = cell.strip()

    def row(self) -> PriceRow:
        for name in NEEDED:
            if name not in self._cells:
                self._refuse(name, "This is missing")
        flat = {name: self._amount(name) for name in AMOUNTS}
        self._check_cliff(flat)
        if flat["batch_factor"] is not None and not 0 < flat["batch_factor"] <= 1:
            self._refuse("batch_factor", "More than 0 and at most 1 is wanted")
        return row_from(
            {
                **flat,
                "model": self._matching("model", _MODEL, "This is no id of a model"),
                "speed": self._speed(),
                "valid_from": self._day(),
                "cliff_above": self._count("cliff_above"),
                "source": self._matching("source", _SOURCE, "At most 200 characters"),
            }
        )

    def _check_cliff(self, flat: Mapping[str, Decimal | None]) -> None:
        named = [name for name in CLIFF_RATES if flat[name] is not None]
        if not named and "cliff_above" not in self._cells:
            return
        for name in ("cliff_above", "cliff_input", "cliff_output"):
            if name not in self._cells:
                self._refuse(name, "A cliff needs this")

    def _amount(self, name: str) -> Decimal | None:
        text = self._cells.get(name)
        if text is None:
            return None
        if not _NUMBER.fullmatch(text):
            self._refuse(name, f"{text[:40]!r} is no number")
        amount = Decimal(text)
        if amount < 0:
            self._refuse(name, f"{text[:40]} is less than zero")
        if amount >= LIMIT or amount != round(amount, DECIMALS):
            self._refuse(name, "At most six digits before the point and six after it")
        return abs(amount)  # "-0" is zero

    def _count(self, name: str) -> int | None:
        text = self._cells.get(name)
        if text is not None and not _COUNT.fullmatch(text):
            self._refuse(name, "A whole number of tokens is wanted")
        return None if text is None else int(text)

    def _day(self) -> date:
        text = self._matching("valid_from", _DAY, "A day such as 2027-01-31 is wanted")
        try:
            return date.fromisoformat(text)
        except ValueError:
            self._refuse("valid_from", f"There is no day {text}")

    def _speed(self) -> Speed:
        try:
            return Speed(self._cells.get("speed", Speed.STANDARD))
        except ValueError:
            self._refuse("speed", f"One of {', '.join(Speed)} is wanted")

    def _matching(self, name: str, pattern: re.Pattern[str], otherwise: str) -> str:
        text = self._cells[name]
        if not pattern.fullmatch(text):
            self._refuse(name, otherwise)
        return text

    def _refuse(self, name: str, reason: str) -> NoReturn:
        raise BadInput(f"Row {self._number}: {name}: {reason}.", field=name)
