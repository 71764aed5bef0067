"""Ties a child's life to its parent's, so that a killed parent leaves no orphan.

Linux alone can ask for it; elsewhere only an orderly end is clean.
"""

import ctypes
import os
import signal
import sys
from dataclasses import dataclass

PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)


def die_with_parent(parent: int, number: int = signal.SIGKILL) -> None:
    """Call in the child: it gets the signal `number` when `parent` has ended."""
    if sys.platform != "linux":
        return
    if _libc.prctl(PR_SET_PDEATHSIG, int(number)) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    if os.getppid() != parent:  # it ended before we could ask
        os.kill(os.getpid(), number)


@dataclass
class _Forking:
    parent: int = 0

    def remember(self) -> None:
        self.parent = os.getpid()

    def follow(self) -> None:
        die_with_parent(self.parent)


def bind_children() -> None:
    """From now on whatever is forked, here or further down, dies with its parent."""
    forking = _Forking()
    os.register_at_fork(before=forking.remember, after_in_child=forking.follow)
