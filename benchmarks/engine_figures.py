"""The least of every figure, taken from the libraries in turn."""

import statistics
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic

from benchmarks.engine_libraries import OURS, PEERS, Library, NotAvailable
from benchmarks.engine_processes import Cell, launch, measure, modules
from benchmarks.engine_table import ratio

CELLS = tuple(Cell(rounds, size) for size in (200, 20_000) for rounds in (10, 50, 200))
LONG = tuple(Cell(400, size) for size in (200, 20_000))
LARGEST = CELLS[-1]
RUNS = {10: 20, 50: 8, 200: 3, 400: 2}
ONE_CPU = replace(OURS, title="chat.engine, on one CPU", variant="one-cpu")
DROPPED = replace(OURS, title="chat.engine, events dropped", variant="events")


@dataclass(frozen=True, slots=True)
class ImportFigures:
    """Seconds over bare Python, the least of wall and CPU and the median of wall."""

    least_s: float
    median_s: float
    cpu_s: float
    modules: int


@dataclass(slots=True)
class Figures:
    """What was measured so far, and what could not be."""

    pythons: dict[Library, Path] = field(default_factory=dict)
    least: dict[tuple[Library, Cell, str], float] = field(default_factory=dict)
    imports: dict[Library, ImportFigures] = field(default_factory=dict)
    failed: dict[tuple[Library, str], str] = field(default_factory=dict)

    def title(self, library: Library) -> str:
        """Return the name of the library's row."""
        known = library in self.pythons
        return library.title if known else f"{library.title}: peer not available"

    def take(self, library: Library, what: str, cell: Cell) -> None:
        """Measure once more and keep the lesser of each figure."""
        python = self.pythons.get(library)
        if python is None:
            return
        try:
            found = measure(library, python, what, cell, RUNS[cell.rounds])
        except NotAvailable as reason:
            self.failed[library, f"{what}, {cell}"] = str(reason)
            return
        for name, value in found.items():
            key = (library, cell, name)
            self.least[key] = min(value, self.least.get(key, value))

    def get(self, library: Library, cell: Cell, name: str) -> float | None:
        """Return the figure, None where it could not be measured."""
        return self.least.get((library, cell, name))

    def growth(self, library: Library, cell: Cell) -> float | None:
        """Return the CPU of the last tenth of the rounds over that of the first."""
        return ratio(self.get(library, cell, "last"), self.get(library, cell, "first"))


def take_cpu(figures: Figures, repetitions: int, until: float) -> int:
    """Measure every cell, library after library; return the repetitions made.

    until: monotonic seconds after which no repetition begins that would not end.
    """
    for done in range(repetitions):
        begin = monotonic()
        for cell in CELLS:
            for library in (OURS, ONE_CPU, *PEERS):
                figures.take(library, "cpu", cell)
        for cell in LONG:
            for library in (OURS, ONE_CPU):
                figures.take(library, "cpu", cell)
        if 2 * monotonic() - begin > until:
            return done + 1
    return repetitions


def take_memory(figures: Figures) -> None:
    """Trace one run of the largest cell for each library, and ours in both ways."""
    for library in (OURS, DROPPED, *PEERS):
        figures.take(library, "memory", LARGEST)


def take_imports(figures: Figures, launches: int) -> None:
    """Start every Python with and without its import, in turn."""
    found = [
        _Launches(one, figures.pythons[one])
        for one in _once_each((OURS, *PEERS))
        if one in figures.pythons
    ]
    for _ in range(launches + 1):
        for each in found:
            each.one_more()
    for each in found:
        each.conclude(figures)


@dataclass(slots=True)
class _Launches:
    library: Library
    python: Path
    bare: list[tuple[float, float]] = field(default_factory=list)
    full: list[tuple[float, float]] = field(default_factory=list)
    problem: str = ""

    def one_more(self) -> None:
        """Start Python both ways once."""
        if self.problem:
            return
        try:
            self.bare.append(launch(self.python, "pass"))
            self.full.append(launch(self.python, self.library.imports))
        except NotAvailable as reason:
            self.problem = str(reason)

    def conclude(self, figures: Figures) -> None:
        """Write down what was found, without the first launch: it may have compiled."""
        if self.problem:
            figures.failed[self.library, "import"] = self.problem
            return
        walls, cpus = zip(*self.full[1:], strict=True)
        bare_walls, bare_cpus = zip(*self.bare[1:], strict=True)
        figures.imports[self.library] = ImportFigures(
            least_s=min(walls) - min(bare_walls),
            median_s=statistics.median(walls) - statistics.median(bare_walls),
            cpu_s=min(cpus) - min(bare_cpus),
            modules=modules(self.python, self.library.imports),
        )


def _once_each(libraries: Iterable[Library]) -> list[Library]:
    """Return the first library of each requirement: its variants import the same."""
    first: dict[str, Library] = {}
    for one in libraries:
        first.setdefault(one.requirement, one)
    return list(first.values())
