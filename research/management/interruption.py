"""Ctrl-C: asked once the work ends in good order, asked twice it ends at once."""

import signal
import threading
from types import FrameType, TracebackType
from typing import Self

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interruption:
    """Notes the signals while it is entered; KeyboardInterrupt at the second one.

    A handler runs between any two steps, also inside a transaction, so it only notes.
    """

    def __init__(self) -> None:
        self.signal = 0
        self._handlers: dict[signal.Signals, signal._HANDLER] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                self._handlers[number] = signal.signal(number, self._note)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    @property
    def exit_code(self) -> int:
        """What a shell expects of a process that such a signal ended."""
        return 128 + (self.signal or signal.SIGINT)

    def _note(self, number: int, frame: FrameType | None) -> None:
        again, self.signal = bool(self.signal), number
        if again:
            raise KeyboardInterrupt
