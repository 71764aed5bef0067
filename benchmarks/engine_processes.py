"""Measurements of one library, each in a fresh process of its own interpreter."""

import json
import resource
import subprocess
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from benchmarks.engine_libraries import ROOT, Library, NotAvailable

CASE_S = 120
_PATH = f"import sys; sys.path.append({str(ROOT)!r})"


@dataclass(frozen=True, slots=True)
class Cell:
    """One size of the dialogue; size is the bytes of each result."""

    rounds: int
    size: int

    def __str__(self) -> str:
        size = f"{self.size // 1000} kB" if self.size >= 1000 else f"{self.size} B"
        return f"{size} x {self.rounds}"


def measure(
    library: Library, python: Path, measure: str, cell: Cell, runs: int
) -> dict[str, float]:
    """Run the workload; NotAvailable with the last line it wrote where it fails."""
    module = f"benchmarks.engine_workloads.{library.workload}"
    options = ["-E", "-s", "-W", "ignore", "-m", module]
    numbers = map(str, (cell.rounds, cell.size, runs))
    output = _output([str(python), *options, measure, library.variant, *numbers])
    figures: dict[str, float] = json.loads(output)
    return figures


def launch(python: Path, statement: str) -> tuple[float, float]:
    """Start Python in isolation for one statement; seconds of wall clock and of CPU."""
    before, begin = _children_cpu(), perf_counter()
    _isolated(python, statement)
    return perf_counter() - begin, _children_cpu() - before


def modules(python: Path, statement: str) -> int:
    """Return how many modules are loaded after the statement."""
    return int(_isolated(python, f"{statement}; print(len(sys.modules))"))


def _isolated(python: Path, statement: str) -> str:
    code = f"{_PATH}; {statement}"
    return _output([str(python), "-I", "-W", "ignore", "-c", code])


def _output(command: list[str]) -> str:
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=CASE_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise NotAvailable(f"not done in {CASE_S} s") from None
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["no word"]
        raise NotAvailable(lines[-1][:200])
    return done.stdout


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
