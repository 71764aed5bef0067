"""python -m chat.engine.diagnostics FILE|- [--json] [--redact]: findings of a report.

FILE, or standard input for `-`, holds a RunReport or a whole AgentResult.summary().
Exit codes: 0 nothing above info, 1 warnings, 2 critical findings; 64 wrong arguments,
65 no report in the input, 66 no input, 74 the output cannot be written.
"""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NoReturn

from chat.engine.explain import plain, visible
from chat.engine.findings import Finding, Severity, analyze
from chat.engine.loading import MAX_BYTES, ReportError, load_report
from chat.engine.report import RunReport

PROG = "python -m chat.engine.diagnostics"
USAGE, DATA, NO_INPUT, NO_OUTPUT = 64, 65, 66, 74
INTERRUPTED = 130
_EXITS = {Severity.INFO: 0, Severity.WARNING: 1, Severity.CRITICAL: 2}


class _Parser(argparse.ArgumentParser):
    """argparse itself would exit 2, which here means a critical finding."""

    def error(self, message: str) -> NoReturn:
        _complain(message)
        sys.exit(USAGE)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the findings and return the exit code."""
    options = _parser().parse_args(arguments)
    try:
        report = load_report(_input(options.file))
    except OSError as error:
        _complain(f"{error.strerror or error}: {options.file}")
        return NO_INPUT
    except ReportError as error:
        _complain(str(error))
        return DATA
    if options.redact:
        report = report.redacted()
    found = analyze(report)
    text = _json(report, found) if options.json else "\n".join(_lines(report, found))
    try:
        _print(text)
    except OSError as error:
        _discard_output()
        _complain(f"The output cannot be written: {error.strerror or error}")
        return NO_OUTPUT
    return max((_EXITS[each.severity] for each in found), default=0)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog=PROG,
        description="Print the findings of a run report.",
        epilog=(
            "Exit codes: 0 nothing above info, 1 warnings, 2 critical; 64 wrong "
            "arguments, 65 no report in the input, 66 no input, 74 no output."
        ),
        allow_abbrev=False,
    )
    parser.add_argument(
        "file",
        metavar="FILE",
        help="a report or a result's summary as JSON; - is stdin",
    )
    parser.add_argument(
        "--json", action="store_true", help="print the report and the findings as JSON"
    )
    parser.add_argument(
        "--redact", action="store_true", help="replace every name by a keyed hash"
    )
    return parser


def _input(name: str) -> bytes:
    """Read a little more than a report may have, so that too much is noticed."""
    if name == "-":
        if sys.stdin is None:
            raise OSError("standard input is closed")
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    with Path(name).open("rb") as file:
        return file.read(MAX_BYTES + 1)


def _json(report: RunReport, found: tuple[Finding, ...]) -> str:
    """Return what can be given to this command again."""
    content = {
        "report": report.to_json(),
        "findings": [each.to_json() for each in found],
    }
    return json.dumps(content, indent=2)


def _lines(report: RunReport, found: tuple[Finding, ...]) -> Iterator[str]:
    stops = ", then ".join((report.stop, *report.secondary))
    yield f"{visible(report.status)}: {visible(stops)}"
    counts = Counter(each.severity for each in found)
    worst_first = [
        f"{counts[each]} {each}" for each in reversed(Severity) if counts[each]
    ]
    yield f"findings: {', '.join(worst_first) or 'none'}"
    for each in found:
        evidence = (f"{name} = {plain(fact)}" for name, fact in each.evidence.items())
        yield ""
        yield f"[{each.severity}] {each.code}: {each.title}"
        yield f"  evidence: {'; '.join(evidence)}"
        yield f"  cause: {each.cause}"
        yield f"  now: {each.fix_now}"
        yield f"  for the next release: {each.fix_release}"


def _print(text: str) -> None:
    if sys.stdout is None:
        raise OSError("standard output is closed")
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
    sys.stdout.flush()


def _discard_output() -> None:
    """Keep the interpreter from writing what is left, and failing, when it ends."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(sentence: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"{PROG}: {visible(sentence)}\n")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
