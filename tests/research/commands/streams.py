"""A standard error that does something when a certain line is written to it."""

import io
from collections.abc import Callable, Sequence

from tests.research.commands.calling import Done, call


class Watched(io.StringIO):
    """Calls `act` once for each of the parts, when a text that begins with it comes."""

    def __init__(self, parts: Sequence[str], act: Callable[[], object]) -> None:
        super().__init__()
        self.parts = list(parts)
        self.act = act

    def write(self, text: str) -> int:
        written = super().write(text)
        if self.parts and any(
            line.startswith(self.parts[0]) for line in text.splitlines()
        ):
            self.parts.pop(0)
            self.act()
        return written


def call_watched(
    parts: Sequence[str],
    act: Callable[[], object],
    *arguments: str,
    name: str = "research",
) -> Done:
    """A command that is disturbed when it writes these lines."""
    watched = Watched(parts, act)
    done = call(name, *arguments, err=watched)
    assert not watched.parts, f"never written: {watched.parts}"
    return done
