"""Where commands write: the result on standard output, everything else on the other."""

import io
import sys
from collections.abc import Mapping
from typing import IO, Any

from rich.console import Console

WIDTH = 100


def result_console(options: Mapping[str, Any]) -> Console:
    """Standard output, or what the caller of the command gave instead."""
    return _console(options.get("stdout") or sys.stdout, options)


def message_console(options: Mapping[str, Any]) -> Console:
    """Standard error, or what the caller of the command gave instead."""
    return _console(options.get("stderr") or sys.stderr, options)


def _console(stream: IO[str], options: Mapping[str, Any]) -> Console:
    """At most WIDTH columns; nothing in a text is taken for markup."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")  # an ASCII terminal stays usable
    console = Console(
        file=stream,
        markup=False,
        highlight=False,
        emoji=False,
        no_color=True if options.get("no_color") else None,
        force_terminal=True if options.get("force_color") else None,
    )
    wide = not console.is_terminal or console.width > WIDTH
    if wide:
        console.width = WIDTH
    return console
