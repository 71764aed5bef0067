"""One shared byte by which a worker command tells its children to hand over."""

import mmap

# Anonymous and shared: made before the workers are forked, seen by all of them.
_FLAG = mmap.mmap(-1, 1)


def ask_to_stop() -> None:
    _FLAG[0] = 1


def go_on() -> None:
    """For the workers that follow those that have stopped."""
    _FLAG[0] = 0


def stopping() -> bool:
    return _FLAG[0] == 1
