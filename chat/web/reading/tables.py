"""Cells of a table, a line a row, each under its column."""

from collections.abc import Mapping

_MOST_COLUMNS = 100
_MOST_ROWS_SPANNED = 1_000
_MOST_SKIPPED = 12


class TableColumns:
    """Says what stands between the cells of one table.

    Empty and spanned cells keep their place only in a table that has header cells: a
    table without is often there for the layout.
    """

    def __init__(self) -> None:
        self._has_headers = False
        self._next = 0
        self._covered: dict[int, int] = {}
        self._cell: tuple[int, int] | None = None
        self._last_filled: int | None = None

    def row(self) -> None:
        """Begin a row."""
        for column in [column for column in self._covered if column >= self._next]:
            self._pass_covered(column)
        self._next = 0
        self._cell = None
        self._last_filled = None

    def cell(
        self, tag: str, attributes: Mapping[str, str | None], length: int
    ) -> tuple[str, str]:
        """Begin a cell; return the separator and the mark that its text begins with.

        ``length`` is how much text there is by now: it tells whether the cell before
        was empty.
        """
        if self._cell and length > self._cell[1]:
            self._last_filled = self._cell[0]
        if tag == "th":
            self._has_headers = True
        column = self._place(attributes)
        self._cell = (column, length)
        if self._last_filled is None:
            return "", "| " * min(column, _MOST_SKIPPED) if self._has_headers else ""
        skipped = column - self._last_filled if self._has_headers else 1
        return " " + "| " * min(skipped, _MOST_SKIPPED), ""

    def _place(self, attributes: Mapping[str, str | None]) -> int:
        """Give the cell the next free column, and cover what it spans."""
        while self._next in self._covered:
            self._pass_covered(self._next)
            self._next += 1
        column = min(self._next, _MOST_COLUMNS)
        self._next = column + _span(attributes.get("colspan"), _MOST_COLUMNS)
        down = _span(attributes.get("rowspan"), _MOST_ROWS_SPANNED)
        if down > 1:
            for covered in range(column, min(self._next, _MOST_COLUMNS)):
                self._covered[covered] = down - 1
        return column

    def _pass_covered(self, column: int) -> None:
        self._covered[column] -= 1
        if not self._covered[column]:
            del self._covered[column]


def _span(value: str | None, most: int) -> int:
    digits = (value or "").strip()
    if not digits.isascii() or not digits.isdigit() or len(digits) > 5:
        return 1
    return max(1, min(int(digits), most))
