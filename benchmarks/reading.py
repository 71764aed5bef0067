"""How well and how fast pages are read, beside trafilatura where that is installed.

python -m benchmarks reading --data DIR [--kinds] [--child]
"""

import argparse
import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from benchmarks.reading_figures import Figures, figures, quoted
from benchmarks.reading_pages import KnownPage, halves, sets_in
from chat.web.reading import Readable, ReadingRefused, readable
from chat.web.reading.charset import decode
from chat.web.reading.html import read_html

_ROUNDS = 2
_CHILD_PAGES = 10

Result = TypeVar("Result")


def main() -> int:
    """Print the figures of every set of pages; 2 without pages."""
    given = _arguments()
    if given.data is None:
        print("reading: pages are not part of the project; name a folder with --data")
        return 0
    sets = sets_in(given.data) if given.data.is_dir() else {}
    if not sets:
        print(f"There are no pages in {given.data}.", file=sys.stderr)
        return 2
    for name, pages in sets.items():
        print(f"reading: {name}, {len(pages)} pages")
        _compare(pages, by_kind=given.kinds)
        if given.child:
            _print_child(pages[:_CHILD_PAGES])
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks reading", description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of pages")
    parser.add_argument("--kinds", action="store_true", help="a line a kind of page")
    parser.add_argument(
        "--child", action="store_true", help="time the separate process too"
    )
    return parser.parse_args()


def _compare(pages: list[KnownPage], *, by_kind: bool) -> None:
    ours, seconds = _timed(_read, pages)
    texts = [page.main_text() for page in ours]
    _print("main content", _score(pages, texts))
    texts_of = dict(zip(pages, texts, strict=True))
    for which, half in zip(("one half", "other half"), halves(pages), strict=True):
        _print_part(f"  {which}", half, texts_of)
    for kind in sorted({page.kind for page in pages}) if by_kind else ():
        _print_part(
            f"  {kind}", [page for page in pages if page.kind == kind], texts_of
        )
    found = [quoted(p.truth, o.text) for p, o in zip(pages, ours, strict=True)]
    known = [share for share in found if share is not None]
    print(f"  sentences found anywhere in text: {sum(known) / len(known):.3f}")
    print(f"  {len(pages) / seconds:.0f} pages/s of CPU in this process")
    _print_peer(pages, seconds)


def _print_part(
    name: str, pages: list[KnownPage], texts_of: dict[KnownPage, str]
) -> None:
    _print(name, _score(pages, [texts_of[page] for page in pages]))


def _print_peer(pages: list[KnownPage], seconds: float) -> None:
    if importlib.util.find_spec("trafilatura") is None:
        print("  peer not available: trafilatura")
        return
    import trafilatura

    def extract(page: KnownPage) -> str:
        return trafilatura.extract(page.html, url=page.url) or ""

    texts, theirs = _timed(extract, pages)
    _print(f"trafilatura {trafilatura.__version__}", _score(pages, texts))
    print(f"  speed: {theirs / seconds:.1f} times trafilatura's")


def _print_child(pages: list[KnownPage]) -> None:
    _, here = _timed(_read, pages)
    _, apart = _timed(_read_apart, pages)
    added = (apart - here) / len(pages) * 1000
    print(f"  the separate process adds {added:.0f} ms a page")


def _read(page: KnownPage) -> Readable:
    """Read in this process what the product reads in a separate one."""
    return read_html(decode(page.html, declared=None, prescan=True).text, page.url)


def _read_apart(page: KnownPage) -> Readable | None:
    try:
        return readable(page.html, url=page.url)
    except ReadingRefused:
        return None


def _timed(
    read: Callable[[KnownPage], Result], pages: list[KnownPage]
) -> tuple[list[Result], float]:
    """Return the results and the CPU seconds, children's too, of the faster round."""
    results: list[Result] = []
    least = float("inf")
    for _ in range(_ROUNDS):
        begin = _cpu_seconds()
        results = [read(page) for page in pages]
        least = min(least, _cpu_seconds() - begin)
    return results, least


def _cpu_seconds() -> float:
    return sum(os.times()[:4])


def _score(pages: list[KnownPage], texts: list[str]) -> Figures:
    return figures([(p.truth, t) for p, t in zip(pages, texts, strict=True)])


def _print(name: str, found: Figures) -> None:
    print(
        f"  {name:<20} F1 {found.f1:.3f} P {found.precision:.3f} R {found.recall:.3f}"
        f" | words F1 {found.word_f1:.3f} R {found.word_recall:.3f}"
        f" | quotes {found.quotes:.3f}"
    )


if __name__ == "__main__":
    sys.exit(main())
