"""Parse hostile documents in a separate process with limits of time and memory.

The child is a plain interpreter with a bare environment: it also starts from a
worker that may not have children of multiprocessing, and holds no secret.
"""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from chat.web.reading.errors import ReadingRefused, Reason
from chat.web.reading.values import Readable, readable_from

# Without the site module and its files an interpreter starts in half the time.
_START = (
    "import sys; sys.dont_write_bytecode = True; sys.path[:0] = sys.argv[1:]; "
    "from chat.web.reading.child import main; main()"
)
_MAX_ANSWER_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """What one document may use: CPU and wall seconds, bytes of address space."""

    cpu_s: int
    wall_s: float
    memory_bytes: int = 1024 * 1024 * 1024


def read_in_process(
    kind: str,
    body: bytes,
    *,
    url: str = "",
    limits: ProcessLimits,
    exceeded: Reason,
) -> Readable:
    """Read a ``pdf`` or ``html`` body (UTF-8) in a child; ``exceeded`` names its end.

    Raises ReadingRefused with the child's reason, or ``exceeded`` where the child
    met a limit or died.
    """
    request = {"kind": kind, "url": url, "limits": _as_dict(limits)}
    with tempfile.TemporaryFile() as question, tempfile.TemporaryFile() as answer:
        question.write(json.dumps(request).encode() + b"\n" + body)
        question.seek(0)
        if not _ran_well(question, answer, limits.wall_s):
            raise ReadingRefused(exceeded)
        answer.seek(0)
        return _readable(answer.read(_MAX_ANSWER_BYTES + 1), exceeded)


def _ran_well(question: IO[bytes], answer: IO[bytes], wall_s: float) -> bool:
    command = [sys.executable, "-I", "-S", "-c", _START, *_import_path()]
    try:
        done = subprocess.run(
            command,
            stdin=question,
            stdout=answer,
            stderr=subprocess.DEVNULL,
            env=_environment(),
            cwd="/",
            timeout=wall_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def _environment() -> dict[str, str]:
    """Nothing of ours but where shared libraries are; no key and no proxy."""
    kept = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
    return {name: os.environ[name] for name in kept if name in os.environ}


def _import_path() -> list[str]:
    """The child finds what this process finds, however it was started."""
    root = str(Path(__file__).resolve().parents[3])
    return [root, *(entry for entry in sys.path if Path(entry).is_absolute())]


def _as_dict(limits: ProcessLimits) -> dict[str, int]:
    return {"cpu_s": limits.cpu_s, "memory_bytes": limits.memory_bytes}


def _readable(answer: bytes, exceeded: Reason) -> Readable:
    try:
        fields: dict[str, Any] = json.loads(answer)
    except ValueError:
        raise ReadingRefused(exceeded) from None
    if "refused" in fields:
        raise ReadingRefused(fields["refused"], fields["detail"])
    return readable_from(fields)
