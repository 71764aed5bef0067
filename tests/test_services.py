"""A missing service is a printed skip, or a failure where services are required."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
NOWHERE = "redis://127.0.0.1:9/0"
POSTGRES = "postgres://postgres@127.0.0.1/postgres"
SAMPLE = """
import pytest

@pytest.mark.redis
def test_of_redis(): pass

@pytest.mark.postgres
def test_of_postgres(): pass

@pytest.mark.sqlite
def test_of_sqlite(): pass

@pytest.mark.live
def test_of_a_paid_service(): pass

def test_of_nothing_special(): pass
"""


def run_pytest(folder: Path, **environment: str) -> str:
    """The outcome line and the reasons of a suite of its own, without Redis."""
    (folder / "test_sample.py").write_text(SAMPLE)
    markers = "\n    ".join(["redis", "postgres", "sqlite", "live", "browser"])
    (folder / "pytest.ini").write_text(f"[pytest]\nmarkers =\n    {markers}\n")
    names = ("DATABASE_URL", "WEIGHHOUSE_REQUIRE_SERVICES", "WEIGHHOUSE_LIVE")
    kept = {key: value for key, value in os.environ.items() if key not in names}
    command = [sys.executable, "-m", "pytest", "-p", "tests.services", "-rs", "-v"]
    done = subprocess.run(
        [*command, "-c", str(folder / "pytest.ini"), str(folder)],
        cwd=ROOT,
        env={**kept, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "REDIS_URL": NOWHERE}
        | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def test_a_newcomer_without_services_gets_a_green_suite_and_the_reason(
    tmp_path: Path,
) -> None:
    told = run_pytest(tmp_path)
    assert "no Redis answers on 127.0.0.1:9" in told
    assert "2 passed, 1 skipped, 2 deselected" in told


def test_where_services_are_required_a_missing_one_is_a_failure(
    tmp_path: Path,
) -> None:
    told = run_pytest(tmp_path, WEIGHHOUSE_REQUIRE_SERVICES="1")
    assert "WEIGHHOUSE_REQUIRE_SERVICES=1, but no Redis answers" in told
    assert "2 passed, 2 deselected, 1 error" in told


@pytest.mark.parametrize(
    ("url", "runs", "is_left_out"),
    [
        ("", "test_of_sqlite", "test_of_postgres"),
        (POSTGRES, "test_of_postgres", "test_of_sqlite"),
    ],
    ids=["sqlite", "postgres"],
)
def test_the_other_databases_tests_are_deselected_not_skipped(
    tmp_path: Path, url: str, runs: str, is_left_out: str
) -> None:
    told = run_pytest(tmp_path, DATABASE_URL=url)
    assert f"{runs} PASSED" in told
    assert is_left_out not in told


def test_tests_of_paid_services_run_only_when_asked_for(tmp_path: Path) -> None:
    assert "test_of_a_paid_service" not in run_pytest(tmp_path)
    assert "test_of_a_paid_service PASSED" in run_pytest(tmp_path, WEIGHHOUSE_LIVE="1")
