"""Calls in threads of their own, that can be waited for and left behind.

Job    one call
Feed   an iterator, handed over item by item
"""

import os
from collections import deque
from collections.abc import Callable, Iterator
from contextvars import copy_context
from queue import Empty, SimpleQueue
from threading import Lock, Thread, current_thread
from time import monotonic
from typing import Any, Generic, TypeAlias, TypeVar

T = TypeVar("T")
# Of several jobs: an item for each that is done.
Bell: TypeAlias = SimpleQueue[None]
IDLE_S = 1.0


class Job(Generic[T]):
    """Runs `call` at once. An abandoned job keeps neither the run nor the process.

    Each job has its own copy of the caller's context variables. bell: rung when the job
    is done.
    """

    def __init__(
        self, call: Callable[[], T], name: str, bell: Bell | None = None
    ) -> None:
        self.started = monotonic()
        self.name = name
        self.error: BaseException | None = None
        self._bell = bell
        self._call = call
        self._value: T | None = None
        self._context = copy_context()
        self._running = Lock()
        self._running.acquire()
        _hand_over(self)

    def wait(self, seconds: float | None) -> bool:
        """Wait, and tell whether the job is done."""
        done = self._running.acquire(timeout=-1 if seconds is None else seconds)
        if done:
            self._running.release()
        return done

    def value(self) -> T | None:
        """What the call returned, once the job is done without error."""
        return self._value

    def work(self) -> None:
        """Called once, by the thread that the job was handed to."""
        try:
            self._value = self._context.run(self._call)
        except BaseException as error:  # noqa: BLE001, whoever waits for it decides
            self.error = error
        finally:
            self._running.release()
            if self._bell is not None:
                self._bell.put(None)


class Feed(Job[None], Generic[T]):
    """Runs an iterator to its end, or until it is left, and hands over each item.

    over: every item was handed over, and `error` says whether the iterator failed.
    """

    def __init__(self, items: Callable[[], Iterator[T]], name: str) -> None:
        self._items = items
        self._queue: SimpleQueue[T | None] = SimpleQueue()
        self._left = False
        self.over = False
        super().__init__(self._pump, name)

    def next(self, seconds: float) -> T | None:
        """The next item; None when none came in time, or when the feed is over."""
        try:
            item = self._queue.get(timeout=seconds)
        except Empty:
            return None
        if item is None:
            # The thread has only its last steps to do; without them no error is known.
            self.over = self.wait(None)
        return item

    def leave(self) -> None:
        """Let the iterator be closed at its next item."""
        self._left = True

    def _pump(self) -> None:
        try:
            for item in self._items():
                if self._left:
                    break
                self._queue.put(item)
        finally:
            self._queue.put(None)


class _Worker(Thread):
    """Takes one job after the other. A daemon: the process does not wait for it."""

    def __init__(self) -> None:
        super().__init__(name="engine", daemon=True)
        self.inbox: SimpleQueue[Job[Any]] = SimpleQueue()
        self.start()

    def run(self) -> None:
        while (job := self._next()) is not None:
            current_thread().name = job.name
            job.work()
            del job
            _idle.append(self)

    def _next(self) -> "Job[Any] | None":
        try:
            return self.inbox.get(timeout=IDLE_S)
        except Empty:
            pass
        try:
            _idle.remove(self)
        except ValueError:
            # Taken from the list in this moment: the job is on its way.
            return self.inbox.get()
        return None


# Starting a thread costs more than all else in a round, so that idle ones are kept. A
# worker whose job hangs never comes back to this list.
_idle: deque[_Worker] = deque()
# After a fork the list would name threads that exist in the parent alone.
os.register_at_fork(after_in_child=_idle.clear)


def _hand_over(job: Job[Any]) -> None:
    try:
        worker = _idle.pop()
    except IndexError:
        worker = _Worker()
    worker.inbox.put(job)


def describe(error: BaseException) -> str:
    """Return the error's kind and message, at most 500 characters of it."""
    message = told(error)
    name = type(error).__name__
    return f"{name}: {message[:500]}" if message else name


def told(error: BaseException) -> str:
    """Return the error's own words, nothing where it has none."""
    try:
        return str(error)
    except Exception:  # noqa: BLE001, a broken __str__ must not hide the error
        return ""
