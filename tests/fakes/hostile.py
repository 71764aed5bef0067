"""Runs work on hostile input in a process of its own, which a limit can end."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Sound code takes seconds; what it guards against took minutes or hours.
LIMIT_S = 60


def run_within_limit(code: str, *arguments: str) -> str:
    """What `code` prints; fails if it fails or takes longer than LIMIT_S."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
