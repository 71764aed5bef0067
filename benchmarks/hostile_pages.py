"""How long hostile pages of two megabytes keep the reader busy, beside an ordinary one.

python -m benchmarks hostile_pages [KIND ...]

Seconds are of the processor, here and in the process that parses, the least of three
readings; "times" is their ratio to an ordinary page of the same size in the same run.
Exit code 1 where a kind took more than a second.
"""

import resource
import sys

from chat.web.reading import ReadingRefused, readable
from tests.fakes.hostile_pages import PAGES, SIZE, ordinary

_ROUNDS = 3
_MOST_SECONDS = 1.0


def main(kinds: list[str]) -> int:
    """Read each kind and print its figures."""
    usual, _ = _reading(ordinary())
    print(f"{'ordinary page':34}{usual:6.2f} s")
    slow = 0
    for kind in kinds or PAGES:
        seconds, outcome = _reading(PAGES[kind](SIZE))
        slow += seconds > _MOST_SECONDS
        print(f"{kind:34}{seconds:6.2f} s {seconds / usual:6.2f} times  {outcome}")
    return 1 if slow else 0


def _reading(body: bytes) -> tuple[float, str]:
    """Return the least seconds of some readings, and what came of the last."""
    taken = []
    for _ in range(_ROUNDS):
        before = _seconds()
        outcome = _outcome(body)
        taken.append(_seconds() - before)
    return min(taken), outcome


def _outcome(body: bytes) -> str:
    try:
        page = readable(body)
    except ReadingRefused as refusal:
        return f"refused: {refusal.reason}"
    return f"{len(page.text):,} characters{', in part' * page.text_truncated}"


def _seconds() -> float:
    used = (
        resource.getrusage(resource.RUSAGE_SELF),
        resource.getrusage(resource.RUSAGE_CHILDREN),
    )
    return sum(each.ru_utime + each.ru_stime for each in used)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
