"""The commands as a shell sees them: exit codes, one sentence, signals, pipes."""

import json
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.fakes.gated_storage import Gate
from tests.fakes.processes import PATIENCE_S, wait_until
from tests.research.commands.calling import ROOT, Done, environment, shell


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of an installation that quickstart has made."""
    folder = tmp_path_factory.mktemp("installation")
    done = shell(folder / "data", "quickstart", "--out", str(folder / "demo"))
    assert done.code == 0, done.err
    assert "Bleach is no longer maintained." in done.out
    return folder / "data"


def statuses(data_dir: Path) -> list[str]:
    with closing(sqlite3.connect(data_dir / "weighhouse.sqlite3")) as connection:
        rows = connection.execute("SELECT status FROM research_run ORDER BY id")
        return [status for (status,) in rows]


def refused(done: Done, code: int, part: str) -> None:
    assert (done.code, done.out) == (code, "")
    assert done.sentence.startswith("research: ")
    assert part in done.sentence


@pytest.mark.row("D13")
def test_json_alone_is_on_standard_output(demo: Path) -> None:
    done = shell(demo, "research", "pkg:pypi/httpx", "--json")
    assert done.code == 0
    assert json.loads(done.out)["subject"]["key"] == "pkg:pypi/httpx"
    assert done.err.startswith("run run_")


def test_a_package_that_is_not_installed(demo: Path) -> None:
    before = statuses(demo)
    refused(shell(demo, "research", "pkg:pypi/no-such"), 2, "is not installed")
    assert statuses(demo) == before


def test_an_option_that_does_not_exist(demo: Path) -> None:
    done = shell(demo, "research", "--fast")
    assert (done.code, done.out) == (2, "")
    assert "unrecognized arguments: --fast" in done.err


def test_a_database_without_tables(tmp_path: Path) -> None:
    done = shell(tmp_path, "research", "pkg:pypi/bleach")
    refused(done, 70, "The database cannot be used")


def test_the_exit_codes_are_in_the_help_and_in_the_manual(tmp_path: Path) -> None:
    done = shell(tmp_path, "research", "--help")
    manual = (ROOT / "docs" / "commands.md").read_text()
    assert done.code == 0
    for code in (0, 1, 2, 3, 4, 5, 70, 130):
        assert f" {code} " in " ".join(done.out.split())
        assert f"| {code} |" in manual


def test_an_ascii_terminal_gets_its_dossier(demo: Path) -> None:
    command = [sys.executable, "manage.py", "research", "pkg:pypi/bleach", "--quiet"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**environment(demo), "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Bleach is no longer maintained." in done.stdout


def test_ctrl_c_ends_a_real_process_and_its_run(demo: Path, tmp_path: Path) -> None:
    gate = Gate(tmp_path / "gate")
    gate.folder.mkdir()
    paper = tmp_path / "paper.txt"
    paper.write_text("Access logs are kept for 30 days.\n")
    question = "For how many days are access logs kept?"
    command = ["manage.py", "research", "--question", question, "--document", paper]
    gated = {
        "DJANGO_SETTINGS_MODULE": "tests.worker_settings",
        "TEST_GATE": str(gate.folder),
    }
    gate.close()
    with subprocess.Popen(
        [sys.executable, *command],
        cwd=ROOT,
        env={**environment(demo), **gated},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        wait_until(gate.waiting_pid, "the run reads its first document")
        process.send_signal(signal.SIGINT)
        gate.open()
        out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert out == ""
    assert err.splitlines()[0].startswith("run run_")
    assert err.splitlines()[-1] == "research: The run was cancelled."
    assert statuses(demo)[-1] == "cancelled"


def test_a_reader_that_goes_away_is_no_fault(demo: Path) -> None:
    command = [sys.executable, "manage.py", "research", "pkg:pypi/bleach"]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment(demo),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        err = process.stderr.read()
    assert process.returncode == 0
    assert "Traceback" not in err
    assert statuses(demo)[-1] == "completed"
