"""Everything one run holds. Nothing of it is shared with another run."""

from collections.abc import Generator, Iterable
from dataclasses import replace
from time import monotonic, sleep
from typing import Any, TypeVar

from chat.engine.context.tokens import text_tokens, tool_tokens
from chat.engine.errors import ConfigurationError, Stopped
from chat.engine.events import Event, JournaledEvent, Tick
from chat.engine.limits import Limits
from chat.engine.messages import Message, transcript_problem
from chat.engine.model import Model, ModelProfile
from chat.engine.plugins import Plugin, Plugins
from chat.engine.state import State
from chat.engine.stops import WITH_CLOSING_TURN
from chat.engine.task import Task
from chat.engine.threads import Job
from chat.engine.tools import Tool

E = TypeVar("E", bound=JournaledEvent)


class Running:
    """One run under way: what it was given, its state and its clock."""

    def __init__(
        self, model: Model, task: Task, tools: Iterable[Tool], limits: Limits
    ) -> None:
        self.model = model
        self.profile = _profile(model)
        self.task = _checked_task(task)
        self.limits = _checked_limits(limits, self.profile)
        self.tools = _by_name(tools)
        overhead = text_tokens(task.system) + sum(map(tool_tokens, self.tools.values()))
        self.state = State((*task.messages, Message.user(task.objective)), overhead)
        self.plugins = Plugins(())
        self._began = monotonic()
        self._earlier_s = 0.0

    def prepare(self, plugins: Iterable[Plugin], history: Iterable[Event]) -> None:
        """Take in the hooks and what the run has done before."""
        self.plugins = Plugins(plugins)
        self.state.replay(history)

    def begin(self) -> None:
        """Start the clock, where an earlier process left it."""
        self._began = monotonic()
        self._earlier_s = self.state.elapsed_s

    def elapsed_s(self) -> float:
        """Seconds of wall clock used, those of earlier processes included."""
        return self._earlier_s + monotonic() - self._began

    def seconds_left(self) -> float | None:
        """Seconds until the deadline that holds now, None without one."""
        closing = self.state.stop is not None
        return self.limits.seconds_left(self.elapsed_s(), closing=closing)

    def note(self, event: E) -> E:
        """Stamp and apply an event; the caller yields what this returns."""
        stamped = replace(event, elapsed_s=round(self.elapsed_s(), 3))
        self.state.apply(stamped)
        return stamped

    def poll(self, *, waiting: bool = False) -> None:
        """Ask the plugins whether to stop; raise Stopped if so.

        Reasons that leave a closing turn wait until no call is running.
        """
        reason = self.plugins.should_stop()
        if reason is None:
            return
        if reason in WITH_CLOSING_TURN and (waiting or self.state.closing):
            return
        words = reason.replace("_", " ")
        raise Stopped(reason, f"The run was stopped from outside: {words}.")

    def wait_for(
        self, job: Job[Any], seconds: float | None
    ) -> Generator[Event, None, bool]:
        """Yield ticks until the job is done; False when its time is over first."""
        end = None if seconds is None else monotonic() + seconds
        while not job.wait(self._slice(end)):
            if end is not None and monotonic() >= end:
                return job.wait(0)
            yield Tick(round(self.elapsed_s(), 3))
            self.poll(waiting=True)
        return True

    def pause(self, seconds: float) -> Generator[Event, None, None]:
        """Yield ticks until the time has passed."""
        end = monotonic() + seconds
        while monotonic() < end:
            sleep(self._slice(end))
            yield Tick(round(self.elapsed_s(), 3))
            self.poll(waiting=True)

    def _slice(self, end: float | None) -> float:
        tick = self.limits.tick_s
        return tick if end is None else max(0.0, min(tick, end - monotonic()))


def _profile(model: Model) -> ModelProfile:
    profile: object = getattr(model, "profile", None)
    if not isinstance(profile, ModelProfile):
        msg = f"{type(model).__name__} is no model: it has no ModelProfile."
        raise ConfigurationError(msg)
    return profile


def _checked_task(task: object) -> Task:
    if not isinstance(task, Task):
        msg = f"The task must be a Task, not a {type(task).__name__}."
        raise ConfigurationError(msg)
    if task.output_schema is not None:
        msg = (
            "Task.output_schema is not supported yet: no answer is checked against it."
        )
        raise ConfigurationError(msg)
    problem = transcript_problem(task.messages)
    if problem:
        msg = f"Task.messages cannot be continued: {problem}."
        raise ConfigurationError(msg)
    return task


def _checked_limits(limits: object, profile: ModelProfile) -> Limits:
    if not isinstance(limits, Limits):
        msg = f"limits must be Limits, not a {type(limits).__name__}."
        raise ConfigurationError(msg)
    window, reply = limits.window or profile.window, limits.max_output_tokens
    if window is not None and reply is not None and reply >= window:
        msg = f"Limits.max_output_tokens must be less than the window of {window}."
        raise ConfigurationError(msg)
    return limits


def _by_name(tools: Iterable[Any]) -> dict[str, Tool]:
    named: dict[str, Tool] = {}
    for tool in tools:
        if not isinstance(tool, Tool):
            msg = f"A tool must be a Tool, not a {type(tool).__name__}."
            raise ConfigurationError(msg)
        if tool.name in named:
            msg = f"Two tools are called {tool.name!r}."
            raise ConfigurationError(msg)
        named[tool.name] = tool
    return named
