"""One call in a thread of its own, that can be waited for and left behind."""

from collections.abc import Callable
from contextvars import copy_context
from threading import Event, Thread
from time import monotonic
from typing import Generic, TypeVar

T = TypeVar("T")


class Job(Generic[T]):
    """Runs `call` at once. An abandoned job keeps neither the run nor the process.

    Daemon threads and no pool: a pool waits for its threads when the process ends.
    Each job has its own copy of the caller's context variables.
    """

    def __init__(self, call: Callable[[], T], name: str) -> None:
        self.started = monotonic()
        self.error: BaseException | None = None
        self._call = call
        self._value: T | None = None
        self._done = Event()
        Thread(
            target=copy_context().run, args=(self._work,), name=name, daemon=True
        ).start()

    def wait(self, seconds: float | None) -> bool:
        """Wait, and tell whether the job is done."""
        return self._done.wait(seconds)

    def value(self) -> T | None:
        """What the call returned, once the job is done without error."""
        return self._value

    def _work(self) -> None:
        try:
            self._value = self._call()
        except BaseException as error:  # noqa: BLE001, whoever waits for it decides
            self.error = error
        finally:
            self._done.set()


def describe(error: BaseException) -> str:
    """Return the error's kind and message, at most 500 characters of it."""
    try:
        message = str(error)
    except Exception:  # noqa: BLE001, a broken __str__ must not hide the error
        message = ""
    name = type(error).__name__
    return f"{name}: {message[:500]}" if message else name
