"""A pytest plugin: which rows of the product's list the suite proves.

`pytest --rows` prints the table; `--rows-file FILE` keeps the result as JSON, and
`python -m tests.row_report FILE` prints the table of a kept one.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.rows import ROW_IDS, ROWS

PROPERTY = "row"
OUTCOMES = ("passed", "failed", "skipped")
Counts = Mapping[str, Mapping[str, int]]


class RowReport:
    """Counts tests, not phases; a failing set-up or tear-down fails its test."""

    def __init__(self) -> None:
        self.outcomes: dict[str, str] = {}
        self.rows: dict[str, list[str]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        ids = [str(value) for name, value in report.user_properties if name == PROPERTY]
        if not ids:
            return
        self.rows[report.nodeid] = ids
        if report.outcome == "failed":
            self.outcomes[report.nodeid] = "failed"
        elif report.when == "call" or report.outcome == "skipped":
            self.outcomes.setdefault(report.nodeid, report.outcome)

    def counts(self) -> dict[str, dict[str, int]]:
        """Row id -> outcome -> number of tests, every row there."""
        tallies = {row.id: Counter[str]() for row in ROWS}
        for nodeid, outcome in self.outcomes.items():
            for row_id in self.rows[nodeid]:
                tallies[row_id][outcome] += 1
        return {
            row_id: {outcome: tally[outcome] for outcome in OUTCOMES}
            for row_id, tally in tallies.items()
        }


def row_lines(counts: Counts) -> Iterator[str]:
    """One line a row: id, title, passing, failing, and what was skipped if any."""
    for row in ROWS:
        tally = counts.get(row.id, {})
        passed, failed, skipped = (tally.get(outcome, 0) for outcome in OUTCOMES)
        line = f"{row.id:<4} {row.title:<60} {passed:>4} passing {failed:>4} failing"
        yield f"{line} {skipped:>4} skipped" if skipped else line


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("rows")
    group.addoption("--rows", action="store_true", help="print one line a product row")
    group.addoption("--rows-file", type=Path, help="keep the rows' counts as JSON here")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(RowReport(), "rows of the product")


def pytest_collection_modifyitems(items: Iterable[pytest.Item]) -> None:
    """Reports carry the ids, so that they arrive from other processes too."""
    for item in items:
        for row_id in _ids(item):
            item.user_properties.append((PROPERTY, row_id))


def _ids(item: pytest.Item) -> list[str]:
    ids = [row_id for mark in item.iter_markers("row") for row_id in mark.args]
    unknown = sorted({str(row_id) for row_id in ids} - ROW_IDS)
    empty = any(not mark.args for mark in item.iter_markers("row"))
    if unknown or empty:
        named = ", ".join(unknown) or "no row"
        message = f"{item.nodeid} names {named}; the rows are listed in tests/rows.py"
        raise pytest.UsageError(message)
    return sorted(set(ids))


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    report = config.pluginmanager.getplugin("rows of the product")
    counts = report.counts()
    kept: Path | None = config.getoption("--rows-file")
    if kept:
        kept.write_text(json.dumps(counts, indent=1) + "\n")
    if config.getoption("--rows"):
        terminalreporter.section("rows")
        for line in row_lines(counts):
            terminalreporter.write_line(line)


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        sys.stderr.write("Usage: python -m tests.row_report FILE\n")
        return 2
    for line in row_lines(json.loads(Path(arguments[0]).read_text())):
        sys.stdout.write(f"{line}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
