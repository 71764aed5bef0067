"""Everything one run holds. Nothing of it is shared with another run."""

from collections.abc import Generator
from queue import Empty
from time import monotonic, sleep
from typing import TypeVar

from chat.engine.errors import Stopped
from chat.engine.events import Event, JournaledEvent, Tick
from chat.engine.model import ModelReply, TextDelta
from chat.engine.plugins import Plugins
from chat.engine.setup import Setup
from chat.engine.stops import WITH_CLOSING_TURN
from chat.engine.threads import Bell, Feed

E = TypeVar("E", bound=JournaledEvent)


class Running:
    """One run under way: what it was given, its state and its clock."""

    def __init__(self, setup: Setup, plugins: Plugins) -> None:
        self.model = setup.model
        self.task = setup.task
        self.profile = setup.profile
        self.limits = setup.limits
        self.tools = setup.tools
        self.declared = tuple(setup.tools.values())
        self.contract = setup.contract
        self.budget = setup.budget
        self.preflight = setup.preflight
        self.state = setup.state
        self.plugins = plugins
        self._began = monotonic()
        self._earlier_s = 0.0

    @property
    def may_be_native(self) -> bool:
        """Whether the provider may hold the answer to the schema itself."""
        return self.contract is not None and self.state.native_schema

    def begin(self) -> None:
        """Start the clock, where an earlier process left it."""
        self._began = monotonic()
        self._earlier_s = self.state.elapsed_s

    def elapsed_s(self) -> float:
        """Seconds of wall clock used, those of earlier processes included."""
        return self._earlier_s + monotonic() - self._began

    def seconds_left(self) -> float | None:
        """Seconds until the deadline that holds now, None without one."""
        closing = self.state.ending.stopped
        return self.limits.seconds_left(self.elapsed_s(), closing=closing)

    def note(self, event: E) -> E:
        """Stamp and apply an event; the caller yields what this returns."""
        # It was made for this moment and nobody has it yet, so that it can be stamped
        # in its place; making it again would cost more than applying it.
        object.__setattr__(event, "elapsed_s", round(self.elapsed_s(), 3))
        self.state.apply(event)
        return event

    def poll(self, *, waiting: bool = False) -> None:
        """Ask the plugins whether to stop; raise Stopped if so.

        Reasons that leave a closing turn wait until no call is running.
        """
        reason = self.plugins.should_stop()
        if reason is None:
            return
        if reason in WITH_CLOSING_TURN and (waiting or self.state.ending.stopped):
            return
        words = reason.replace("_", " ")
        raise Stopped(reason, f"The run was stopped from outside: {words}.")

    def listen(self, bell: Bell, seconds: float | None) -> Generator[Event, None, None]:
        """Yield ticks until the bell is rung, or until the time is over."""
        end = None if seconds is None else monotonic() + seconds
        while not self._rung(bell, end):
            if end is not None and monotonic() >= end:
                return
            yield self._tick()
            self.poll(waiting=True)

    def follow(
        self, feed: Feed[TextDelta | ModelReply], seconds: float | None
    ) -> Generator[Event, None, ModelReply | None]:
        """Yield what is written, and ticks; return the reply, None without one in time.

        A feed that ends without a reply is `over` then, and has its error.
        """
        end = None if seconds is None else monotonic() + seconds
        ticked = monotonic()
        while True:
            item = feed.next(self._slice(end))
            if isinstance(item, TextDelta):
                yield item
            elif item is not None:
                return item
            elif feed.over:
                return None
            now = monotonic()
            if end is not None and now >= end:
                return None
            if now - ticked >= self.limits.tick_s:
                ticked = now
                yield self._tick()
                self.poll(waiting=True)

    def rest(self, seconds: float) -> Generator[Event, None, None]:
        """Yield ticks until the time has passed."""
        end = monotonic() + seconds
        while monotonic() < end:
            sleep(self._slice(end))
            yield self._tick()
            self.poll(waiting=True)

    def _rung(self, bell: Bell, end: float | None) -> bool:
        try:
            bell.get(timeout=self._slice(end))
        except Empty:
            return False
        return True

    def _tick(self) -> Tick:
        return Tick(round(self.elapsed_s(), 3))

    def _slice(self, end: float | None) -> float:
        tick = self.limits.tick_s
        return tick if end is None else max(0.0, min(tick, end - monotonic()))
