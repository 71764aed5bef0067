"""The table that `make rows` prints: every row, what proves it and what fails."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.row_report import main, row_lines
from tests.rows import ROW_IDS, ROWS

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = """
import pytest

@pytest.mark.row("D13", "D1")
def test_passes(): pass

@pytest.mark.row("D13")
@pytest.mark.row("D13")
def test_is_counted_once(): pass

@pytest.mark.row("D2")
def test_fails(): assert False

@pytest.fixture
def broken():
    yield
    raise ValueError

@pytest.mark.row("D3")
def test_fails_at_its_end(broken): pass

@pytest.mark.row("D4")
@pytest.mark.skip(reason="no service")
def test_is_skipped(): pass
"""


def run_pytest(folder: Path, source: str, *options: str) -> tuple[int, str]:
    """A suite of its own, in a process of its own, with only the plugin loaded."""
    (folder / "test_sample.py").write_text(source)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = row(id): a row\n")
    command = [sys.executable, "-m", "pytest", "-p", "tests.row_report", "-q"]
    command += ["-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, "-c", str(folder / "pytest.ini"), *options, str(folder)],
        cwd=ROOT,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def line_of(row_id: str, text: str) -> str:
    (line,) = [line for line in text.splitlines() if line.split(" ")[0] == row_id]
    return " ".join(line.split())


def test_the_rows_are_those_of_the_product() -> None:
    lengths = {"A": 14, "B": 18, "C": 14, "D": 14}
    expected = [
        f"{letter}{n + 1}" for letter in lengths for n in range(lengths[letter])
    ]
    assert [row.id for row in ROWS] == expected


def test_every_row_has_a_title_of_its_own_that_fits_its_column() -> None:
    assert len({row.title for row in ROWS}) == len(ROWS)
    assert max(len(row.title) for row in ROWS) <= 60


def test_the_table_counts_passing_failing_and_skipped_tests(tmp_path: Path) -> None:
    code, output = run_pytest(tmp_path, SAMPLE, "--rows")
    assert code == 1
    assert line_of("D13", output).endswith("2 passing 0 failing")
    assert line_of("D1", output).endswith("1 passing 0 failing")
    assert line_of("D2", output).endswith("0 passing 1 failing")
    assert line_of("D3", output).endswith("0 passing 1 failing")
    assert line_of("D4", output).endswith("0 passing 0 failing 1 skipped")
    assert line_of("A1", output).endswith("0 passing 0 failing")
    assert "3 passed" in output.splitlines()[-1]


def test_the_counts_of_several_processes_are_one_table(tmp_path: Path) -> None:
    _, output = run_pytest(tmp_path, SAMPLE, "--rows", "-p", "xdist", "-n", "2")
    assert line_of("D13", output).endswith("2 passing 0 failing")


def test_a_kept_result_is_printed_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "rows.json"
    run_pytest(tmp_path, SAMPLE, "--rows-file", str(kept))
    assert main([str(kept)]) == 0
    output = capsys.readouterr().out
    assert line_of("D13", output).endswith("2 passing 0 failing")
    assert len(output.splitlines()) == len(ROWS)
    assert set(json.loads(kept.read_text())) == ROW_IDS


def test_rows_nothing_proves_are_printed_too() -> None:
    assert len(list(row_lines({}))) == len(ROWS)


@pytest.mark.parametrize("arguments", ['"D99"', '"D1", "Z1"', ""])
def test_a_marker_that_names_no_row_fails_collection(
    tmp_path: Path, arguments: str
) -> None:
    source = f"import pytest\n@pytest.mark.row({arguments})\ndef test_it(): pass\n"
    code, output = run_pytest(tmp_path, source)
    assert code == pytest.ExitCode.USAGE_ERROR
    assert "the rows are listed in tests/rows.py" in output
