"""Production starts with safe values, or stops with one sentence that names the other.

What the settings derive from the values is in test_settings.py.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.research.commands.calling import ROOT, Done, environment

SAFE = {
    "WEIGHHOUSE_MODE": "production",
    "WEIGHHOUSE_SECRET_KEY": "0123456789-a-key-of-nobody-0123456789-abcdef",
    "WEIGHHOUSE_PUBLIC_URL": "https://weigh.example.org",
}


def check(data_dir: Path, **values: str) -> Done:
    """`manage.py check` with the safe values and these instead of theirs."""
    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={**environment(data_dir), **SAFE, **values},
        capture_output=True,
        text=True,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def test_production_with_safe_values_passes_the_checks(tmp_path: Path) -> None:
    done = check(tmp_path)
    assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WEIGHHOUSE_SECRET_KEY", ""),
        ("WEIGHHOUSE_SECRET_KEY", "short"),
        ("WEIGHHOUSE_PUBLIC_URL", ""),
        ("WEIGHHOUSE_PUBLIC_URL", "http://weigh.example.org"),
        ("WEIGHHOUSE_WORKER", "3"),
    ],
)
def test_an_unsafe_or_unknown_value_stops_it_and_is_named(
    tmp_path: Path, name: str, value: str
) -> None:
    done = check(tmp_path, **{name: value})
    assert done.code == 1
    assert done.out == ""
    assert done.sentence.startswith("weighhouse: ")
    assert name in done.sentence
