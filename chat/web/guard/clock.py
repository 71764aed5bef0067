"""One deadline over everything that a fetch does."""

import time

from chat.web.guard.refusal import FetchRefused, Reason


class Deadline:
    """Counts down from when it is made; ``left`` raises once nothing is left."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Return the seconds left, more than zero."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise FetchRefused(Reason.DEADLINE, f"The limit is {self._seconds:g} s.")
        return left
