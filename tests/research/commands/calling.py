"""Calls the commands, in this process or as a shell would."""

import io
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from django.core.management import call_command
from django.core.management.base import CommandError

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class Done:
    """What a shell sees of a command that has ended."""

    code: int
    out: str
    err: str

    @property
    def sentence(self) -> str:
        """The one line on standard error; fails where there are more."""
        (line,) = self.err.splitlines()
        return line


def call(name: str, *arguments: str, err: io.StringIO | None = None) -> Done:
    """In this process, on the test's database."""
    out, err, code = io.StringIO(), err or io.StringIO(), 0
    try:
        call_command(name, *arguments, stdout=out, stderr=err)
    except SystemExit as ended:
        code = int(ended.code or 0)
    except CommandError as refused:
        code = refused.returncode
        err.write(f"{refused}\n")
    return Done(code, out.getvalue(), err.getvalue())


def shell(data_dir: Path, *arguments: str, cwd: Path | None = None) -> Done:
    """In a process of its own, on a database of its own."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *arguments],
        env=environment(data_dir),
        cwd=cwd or ROOT,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def environment(data_dir: Path) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("WEIGHHOUSE_", "DATABASE_URL", "REDIS_URL", "DJANGO_"))
    }
    return {**kept, "WEIGHHOUSE_DATA_DIR": str(data_dir), "PYTHONWARNINGS": "error"}
