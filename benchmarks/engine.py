"""What the agent loop costs by itself, beside other libraries in the same dialogue.

python -m benchmarks engine [--quick] [--venvs PATH]

A scripted model calls one tool a round, with a new argument each time, then answers.
The others are installed by pip into environments of their own, kept for the next call;
one that cannot be had loses its row. A missed target is a figure and no failure: only
an engine that could not be measured ends in exit code 1.
"""

import argparse
import os
import platform
import sys
from pathlib import Path
from time import monotonic

from benchmarks.engine_figures import (
    CELLS,
    DROPPED,
    LARGEST,
    LONG,
    ONE_CPU,
    Figures,
    take_cpu,
    take_imports,
    take_memory,
)
from benchmarks.engine_libraries import (
    OURS,
    PEERS,
    Library,
    NotAvailable,
    default_folder,
    interpreters,
)
from benchmarks.engine_processes import Cell
from benchmarks.engine_table import (
    CPU_TARGET,
    GROWTH_TARGET,
    IMPORT_TARGET_S,
    MEMORY_TARGET,
    fastest,
    figure,
    lines,
    ratio,
    verdict,
)

BUDGET_S = 300.0
OWN = (OURS, ONE_CPU, DROPPED)


def main() -> int:
    chosen = _arguments()
    figures = Figures()
    for library, python in interpreters(chosen.venvs, (*OWN, *PEERS)).items():
        if isinstance(python, NotAvailable):
            figures.failed[library, "peer not available"] = str(python)
        else:
            figures.pythons[library] = python
    if OURS not in figures.pythons:
        sys.exit(f"engine: {figures.failed[OURS, 'peer not available']}")
    load, until = _load(), monotonic() + BUDGET_S
    take_imports(figures, 3 if chosen.quick else 9)
    take_memory(figures)
    made = take_cpu(figures, 1 if chosen.quick else 4, until)
    print(
        f"engine: Python {platform.python_version()}, {os.cpu_count()} CPUs,"
        f" load {load} before and {_load()} after, least of {made} repetitions"
    )
    for section in (_cpu, _growth, _memory, _imports, _failures):
        print(section(figures))
    return int(any(library in OWN for library, _ in figures.failed))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks engine")
    parser.add_argument("--quick", action="store_true", help="one repetition of each")
    parser.add_argument("--venvs", type=Path, default=default_folder(), metavar="PATH")
    return parser.parse_args()


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}"


def _cpu(figures: Figures) -> str:
    rows = [
        [figures.title(one), *(_cpu_cell(figures, one, cell) for cell in CELLS)]
        for one in (OURS, ONE_CPU, *PEERS)
    ]
    ours, pinned = _ratios(figures, OURS), _ratios(figures, ONE_CPU)
    rows += [
        [f"{OURS.title} / fastest peer", *map(figure, ours)],
        [f"  target <= {CPU_TARGET}", *(verdict(each, CPU_TARGET) for each in ours)],
        ["  on one CPU", *map(figure, pinned)],
    ]
    table = lines(["", *map(str, CELLS)], rows)
    return f"\nCPU ms a round (wall)\n{table}"


def _ratios(figures: Figures, library: Library) -> list[float | None]:
    """Return the library's CPU over that of the fastest peer, cell by cell."""
    least = [fastest(figures.get(one, cell, "cpu") for one in PEERS) for cell in CELLS]
    return [
        ratio(figures.get(library, cell, "cpu"), peer)
        for cell, peer in zip(CELLS, least, strict=True)
    ]


def _cpu_cell(figures: Figures, library: Library, cell: Cell) -> str:
    cpu, wall = (figures.get(library, cell, name) for name in ("cpu", "wall"))
    return "-" if cpu is None else f"{cpu:.2f} ({figure(wall)})"


def _growth(figures: Figures) -> str:
    cells = [cell for cell in (*CELLS, *LONG) if cell.rounds >= 200]
    cells.sort(key=lambda cell: cell.size)
    rows = [
        [figures.title(one), *(figure(figures.growth(one, cell)) for cell in cells)]
        for one in (OURS, ONE_CPU, *PEERS)
    ]
    words = [
        verdict(figures.growth(OURS, cell), GROWTH_TARGET) if cell in LONG else ""
        for cell in cells
    ]
    rows.append([f"target <= {GROWTH_TARGET}", *words])
    title = "CPU of the last tenth of the rounds over the first"
    return f"\n{title}\n{lines(['', *map(str, cells)], rows)}"


def _memory(figures: Figures) -> str:
    ours = (OURS, DROPPED)
    peaks = {one: figures.get(one, LARGEST, "peak") for one in (*ours, *PEERS)}
    rows = [
        [
            figures.title(one),
            figure(peak),
            verdict(peak, MEMORY_TARGET, inclusive=False) if one in ours else "",
        ]
        for one, peak in peaks.items()
    ]
    head = ["", "peak / payload", f"target < {MEMORY_TARGET}"]
    return f"\nMemory that Python allocates, {LARGEST}\n{lines(head, rows)}"


def _imports(figures: Figures) -> str:
    rows = [
        [
            one.title,
            figure(found.least_s, 3),
            figure(found.median_s, 3),
            figure(found.cpu_s, 3),
            str(found.modules),
            verdict(found.least_s, IMPORT_TARGET_S, inclusive=False)
            if one is OURS
            else "",
        ]
        for one, found in figures.imports.items()
    ]
    head = ["", "least", "median", "CPU", "modules", f"target < {IMPORT_TARGET_S}"]
    return f"\nSeconds to import, over bare Python\n{lines(head, rows)}"


def _failures(figures: Figures) -> str:
    told = (
        f"{one.title}: {what}: {reason}"
        for (one, what), reason in figures.failed.items()
    )
    return "\n".join(["", *told]).rstrip()


if __name__ == "__main__":
    sys.exit(main())
