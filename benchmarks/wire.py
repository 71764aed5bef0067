"""What a long research run sends and pays for: cached, not cached, and elsewhere.

python -m benchmarks wire [--venvs PATH] [--no-peers]

Everybody plays the same script, 30 rounds and an answer, against the local model server
over a socket. The others are installed by pip into environments of their own, kept for
the next call; one that cannot be had loses its row. Exit code 1 where a round of ours
does not read from the cache all that was sent before it.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from benchmarks.engine_libraries import (
    Library,
    NotAvailable,
    default_folder,
    interpreters,
)
from benchmarks.engine_table import figure, lines, ratio
from benchmarks.wire_runs import MODEL, ROUND_CHARS, ROUNDS, Run, ours, peer, take
from benchmarks.wire_server import Turn

# With the second, a round has more blocks than the API looks back from a breakpoint.
WIDTHS = (1, 12)
OURS, PLAIN = "AnthropicModel, cache of 5m", "AnthropicModel, no cache"
_PYDANTIC = "pydantic-ai-slim[anthropic]==2.68.0"
_LANGCHAIN = "langchain[anthropic]==1.5.2"
PEERS = (
    Library("pydantic-ai", _PYDANTIC, "pydantic_ai", "default", ""),
    Library("pydantic-ai, prompt marked", _PYDANTIC, "pydantic_ai", "instructions", ""),
    Library("pydantic-ai, its caching", _PYDANTIC, "pydantic_ai", "cache", ""),
    Library("langchain", _LANGCHAIN, "langchain", "default", ""),
    Library("langchain, its caching", _LANGCHAIN, "langchain", "cache", ""),
)
# Shown as so many times ours.
TIMES: Mapping[str, Callable[[Run], float]] = {
    "bytes": lambda run: run.size,
    "prompt tokens": lambda run: run.total("prompt_tokens"),
    "not from cache": lambda run: run.unread,
    "money, prompts": lambda run: float(run.prompt_cost),
    "money, all": lambda run: float(run.cost),
}
# Shown as parts of the run's own prompt tokens.
PARTS = {
    "read": "cache_read_tokens",
    "written": "cache_write_tokens",
    "uncached": "input_tokens",
}


def main() -> int:
    chosen = _arguments()
    peers = interpreters(chosen.venvs, PEERS) if chosen.peers else {}
    print(f"wire: {ROUNDS} rounds and an answer, {MODEL} by its price rows")
    unread = [line for width in WIDTHS for line in _section(width, peers)]
    print(*(f"{line}\n" for line in unread), sep="", end="", file=sys.stderr)
    return int(bool(unread))


def _section(width: int, peers: Mapping[Library, Path | NotAvailable]) -> Sequence[str]:
    """Print the table of one script; return where ours did not read from the cache."""
    runs = {OURS: take(ours("5m"), width), PLAIN: take(ours(None), width)}
    told: list[str] = []
    for library, python in peers.items():
        try:
            runs[library.title] = run = take(peer(library, _there(python)), width)
        except NotAvailable as reason:
            told.append(f"{library.title}: not available: {reason}")
        else:
            told += (f"{library.title}: {remark}" for remark in run.remarks[:1])
    calls = "a call" if width == 1 else f"{width} calls"
    print(f"\n{calls} a round, {ROUND_CHARS} characters of results\n{_table(runs)}")
    print(*(f"{line[:300]}\n" for line in told), sep="", end="")
    return [f"{calls} a round: {line}" for line in _unread(runs[OURS].turns)]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks wire")
    parser.add_argument("--venvs", type=Path, default=default_folder())
    parser.add_argument("--no-peers", dest="peers", action="store_false")
    return parser.parse_args()


def _there(python: Path | NotAvailable) -> Path:
    if isinstance(python, NotAvailable):
        raise python
    return python


def _table(runs: Mapping[str, Run]) -> str:
    """Return how many times ours every run is, and what its own prompts consist of."""
    head = ["", *TIMES, *(f"{part} %" for part in PARTS)]
    rows = [
        [title, *_times(run, runs[OURS]), *_parts(run)] for title, run in runs.items()
    ]
    return lines(head, rows)


def _times(run: Run, ours: Run) -> Iterator[str]:
    return (figure(ratio(taken(run), taken(ours))) for taken in TIMES.values())


def _parts(run: Run) -> Iterator[str]:
    whole = run.total("prompt_tokens")
    return (f"{100 * run.total(name) / whole:.1f}" for name in PARTS.values())


def _unread(turns: Sequence[Turn]) -> Iterator[str]:
    """Yield each round that did not read all that the one before it had sent."""
    for number, (earlier, later) in enumerate(pairwise(turns), start=2):
        before, read = earlier.usage.prompt_tokens, later.usage.cache_read_tokens
        if read < before:
            yield f"request {number} read {read} of {before} tokens from the cache"


if __name__ == "__main__":
    sys.exit(main())
