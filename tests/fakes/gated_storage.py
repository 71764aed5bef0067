"""A slow snapshot store: reading waits while a test keeps the gate closed.

It is plugged in by a setting, so that the worker under test is the product as it is.
"""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from django.core.files.base import File
from django.core.files.storage import FileSystemStorage

GIVE_UP_AFTER_S = 120


@dataclass(frozen=True)
class Gate:
    """Shared through a folder by the test and the processes it starts."""

    folder: Path

    @property
    def _closed(self) -> Path:
        return self.folder / "closed"

    @property
    def _waiting(self) -> Path:
        return self.folder / "waiting"

    def close(self, *, after: int = 0) -> None:
        """Lets `after` more reads pass, of all processes together."""
        self._waiting.unlink(missing_ok=True)
        (self.folder / "passed").unlink(missing_ok=True)
        self._closed.write_text(str(after))

    def open(self) -> None:
        self._closed.unlink()

    def waiting_pid(self) -> int | None:
        """The process that waits at the gate."""
        try:
            return int(self._waiting.read_text() or "0") or None
        except FileNotFoundError:
            return None

    def pass_through(self) -> None:
        """Called by the store before each read."""
        if not self._closed.exists() or self._may_pass():
            return
        self._waiting.write_text(str(os.getpid()))
        deadline = time.monotonic() + GIVE_UP_AFTER_S
        while self._closed.exists() and time.monotonic() < deadline:
            time.sleep(0.02)

    def _may_pass(self) -> bool:
        with (self.folder / "passed").open("ab") as passed:
            passed.write(b".")
            passed.flush()
            return passed.tell() <= int(self._closed.read_text())


class GatedStorage(FileSystemStorage):
    def _open(self, name: str, mode: str = "rb") -> File:
        folder = os.environ.get("TEST_GATE")
        if folder:
            Gate(Path(folder)).pass_through()
        return super()._open(name, mode)
