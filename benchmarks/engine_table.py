"""The figures as text: rows side by side, and a word on each target."""

from collections.abc import Iterable, Sequence

CPU_TARGET = 0.5
GROWTH_TARGET = 1.3
MEMORY_TARGET = 2.0
IMPORT_TARGET_S = 0.15


def lines(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table with its first column to the left and the others to the right."""
    table = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in table
    )


def figure(value: float | None, places: int = 2) -> str:
    """Return the figure, or a dash where there is none."""
    return "-" if value is None else f"{value:.{places}f}"


def fastest(figures: Iterable[float | None]) -> float | None:
    """Return the least figure, None where nobody has one."""
    return min((each for each in figures if each is not None), default=None)


def ratio(ours: float | None, theirs: float | None) -> float | None:
    """Return ours for each of theirs, None where one is unknown."""
    return None if ours is None or not theirs else ours / theirs


def verdict(value: float | None, target: float, *, inclusive: bool = True) -> str:
    """Return pass or miss, or a dash where nothing was measured."""
    if value is None:
        return "-"
    met = value <= target if inclusive else value < target
    return "pass" if met else "miss"
