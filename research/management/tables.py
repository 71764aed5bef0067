"""Plain tables, for terminals and for programs that read them."""

from collections.abc import Sequence


def aligned(table: Sequence[Sequence[str]]) -> list[str]:
    """A line a row, its cells one under the other; rows are of one length."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return ["  ".join(map(str.ljust, line, widths)).rstrip() for line in table]
