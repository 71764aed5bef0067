"""What the workloads share: the script of the fake model, and how a run is measured.

python -m benchmarks.engine_workloads.NAME MEASURE VARIANT ROUNDS SIZE RUNS

prints one JSON object. MEASURE `cpu`: the least of RUNS runs after a short one, in ms:
`cpu` and `wall` a round, `first` and `last` CPU a round in that tenth of the rounds.
MEASURE `memory`: `peak`, traced bytes at the peak of one run for each byte of results.
"""

import gc
import json
import sys
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from time import perf_counter, process_time

ANSWER = "Access logs are retained for 90 days."
TOOL = "read_page"
SYSTEM = "Answer from what the pages say."
QUESTION = "For how many days are access logs retained?"
WARM_UP_ROUNDS = 10
_SENTENCE = "Release 4 keeps the audit log for 30 days in the region it came from. "


@dataclass(frozen=True, slots=True)
class Script:
    """One dialogue: a call a round, each with a new argument, and then the answer.

    size: bytes of each result. marks: CPU seconds of the process at each request.
    """

    rounds: int
    size: int
    variant: str
    marks: list[float] = field(default_factory=list)

    def next_page(self) -> str | None:
        """Return the argument of the next call, None when the answer is due."""
        self.marks.append(process_time())
        asked = len(self.marks)
        return f"page-{asked}" if asked <= self.rounds else None

    def body(self) -> str:
        """Return what every result ends with; a tool puts the page's name before it."""
        return (_SENTENCE * (self.size // len(_SENTENCE) + 1))[: self.size]


Run = Callable[[], None]
Prepare = Callable[[Script], Run]


def main(prepare: Prepare) -> None:
    """Measure what `prepare` returns; building it is not measured."""
    measure, variant, *numbers = sys.argv[1:]
    rounds, size, runs = map(int, numbers)
    script = Script(rounds, size, variant)
    _checked(prepare, _fresh(script, min(rounds, WARM_UP_ROUNDS)))
    figures = (
        _memory(prepare, script) if measure == "memory" else _cpu(prepare, script, runs)
    )
    print(json.dumps(figures))


def _cpu(prepare: Prepare, script: Script, runs: int) -> dict[str, float]:
    several = [_timed(prepare, _fresh(script, script.rounds)) for _ in range(runs)]
    return {name: min(one[name] for one in several) for name in several[0]}


def _timed(prepare: Prepare, script: Script) -> dict[str, float]:
    run = prepare(script)
    gc.collect()
    wall, cpu = perf_counter(), process_time()
    run()
    cpu, wall = process_time() - cpu, perf_counter() - wall
    _check(script)
    tenth, marks = max(1, script.rounds // 10), script.marks
    return {
        "cpu": cpu * 1e3 / script.rounds,
        "wall": wall * 1e3 / script.rounds,
        "first": (marks[tenth] - marks[0]) * 1e3 / tenth,
        "last": (marks[-1] - marks[-1 - tenth]) * 1e3 / tenth,
    }


def _memory(prepare: Prepare, script: Script) -> dict[str, float]:
    run = prepare(script)
    gc.collect()
    tracemalloc.start()
    run()
    peak = tracemalloc.get_traced_memory()[1]
    _check(script)
    return {"peak": peak / (script.rounds * script.size)}


def _fresh(script: Script, rounds: int) -> Script:
    return replace(script, rounds=rounds, marks=[])


def _checked(prepare: Prepare, script: Script) -> None:
    prepare(script)()
    _check(script)


def _check(script: Script) -> None:
    if len(script.marks) != script.rounds + 1:
        sys.exit(f"{len(script.marks)} requests instead of {script.rounds + 1}")
