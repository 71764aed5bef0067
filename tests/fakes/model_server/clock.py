"""A clock that stands still until a test moves it."""

from datetime import UTC, datetime, timedelta

# Just before the containers of the scenario files expire.
START = datetime(2026, 11, 30, 19, 20, tzinfo=UTC)


class Clock:
    """Call it for the time; `advance` moves it."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.now += timedelta(seconds=seconds)
