"""Where commands write: the result on standard output, everything else on the other."""

import contextlib
import io
import os
import sys
from collections.abc import Mapping
from typing import IO, Any

from rich.console import Console

WIDTH = 100


class PatientConsole(Console):
    """When its reader goes away it falls silent; the work and its exit code go on."""

    def on_broken_pipe(self) -> None:
        self.quiet = True
        with contextlib.suppress(OSError, ValueError):  # a stream without a descriptor
            descriptor = self.file.fileno()
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, descriptor)
            os.close(nowhere)

    def write_whole(self, text: str) -> None:
        """The text as it is, neither wrapped nor styled."""
        try:
            self.file.write(text)
            self.file.flush()
        except BrokenPipeError:
            self.on_broken_pipe()


def result_console(options: Mapping[str, Any]) -> PatientConsole:
    """Standard output, or what the caller of the command gave instead."""
    return _console(options.get("stdout") or sys.stdout, options)


def message_console(options: Mapping[str, Any]) -> PatientConsole:
    """Standard error, or what the caller of the command gave instead."""
    return _console(options.get("stderr") or sys.stderr, options)


def _console(stream: IO[str], options: Mapping[str, Any]) -> PatientConsole:
    """At most WIDTH columns; nothing in a text is taken for markup."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")  # an ASCII terminal stays usable
    console = PatientConsole(
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
