"""The loop: a generator of events, driven by whoever iterates over it.

    RunStarted
    until the run is over and every call is answered:
        [Compacted] ModelRequested [TextDelta ...] ModelReplied      model_turn.py
            or ModelFailed, and RetryScheduled before it is sent again
        ToolCalled ... ToolAnswered ...                              tool_turn.py
            or ApprovalRequested, and the run is suspended
        or Compacted where the window was full, and Nudged
        or Nudged, and the model is asked again
        or AnswerChecked, and one more turn for an answer in the schema
        or Stopping, with one closing turn where a limit was the reason
    RunFinished

What comes next is read off the state, which is the sum of the events so far: a history
is continued by the same lines that would have gone on by themselves.
"""

import logging
from collections.abc import Generator, Iterable

from chat.engine.errors import Abandon, Halt, Stopped
from chat.engine.events import Event, Nudged, RunFinished, RunStarted, Stopping
from chat.engine.history import replay
from chat.engine.limits import Limits
from chat.engine.model import Model
from chat.engine.model_turn import ask_model, retry_or_stop
from chat.engine.outcome import check_answer, conclude, reread
from chat.engine.plugins import Plugin, Plugins
from chat.engine.result import AgentResult
from chat.engine.room import continue_cut
from chat.engine.running import Running
from chat.engine.setup import Setup
from chat.engine.stops import StopReason
from chat.engine.task import Task
from chat.engine.threads import describe, told
from chat.engine.tool_turn import answer_calls
from chat.engine.tools import Tool

_log = logging.getLogger(__name__)


def run(
    model: Model,
    task: Task,
    tools: Iterable[Tool] = (),
    *,
    limits: Limits = Limits(),  # noqa: B008, frozen
    plugins: Iterable[Plugin] = (),
    history: Iterable[Event] = (),
) -> Generator[Event, None, AgentResult]:
    """Return the generator of the run's events; its return value is the result.

    Raises ConfigurationError at once for what cannot be run. While it is iterated,
    only an Abandon comes out of it; all else ends in RunFinished. history: earlier
    events of this same run, in order; they are not yielded again, and replies among
    them are not requested again.
    """
    running = Running(Setup(model, task, tools, limits), Plugins(plugins))
    replay(running.state, history)
    return _drive(running)


def execute(
    model: Model,
    task: Task,
    tools: Iterable[Tool] = (),
    *,
    limits: Limits = Limits(),  # noqa: B008, frozen
    plugins: Iterable[Plugin] = (),
    history: Iterable[Event] = (),
) -> AgentResult:
    """Run to the end and return the result; arguments as for run()."""
    events = run(model, task, tools, limits=limits, plugins=plugins, history=history)
    while True:
        try:
            next(events)
        except StopIteration as end:
            result: AgentResult = end.value
            return result


def _drive(run: Running) -> Generator[Event, None, AgentResult]:
    state = run.state
    run.begin()
    if state.result is not None:
        return reread(run, state.result)
    if not state.started:
        yield run.note(RunStarted(run.task.id, run.profile.name, tuple(run.tools)))
    while state.unfinished:
        try:
            yield from _step(run)
        except Abandon:
            raise
        except Exception as error:  # noqa: BLE001, every failure is a terminal event
            yield run.note(_stopping(error))
    result = conclude(run)
    yield run.note(RunFinished(result))
    return result


def _step(run: Running) -> Generator[Event, None, None]:
    state = run.state
    if state.unheard is not None:
        run.plugins.after_model(state.hear(state.unheard))
        return
    if not state.ending.over:
        run.poll()
    if state.round.open:
        yield from answer_calls(run)
    elif state.failed is not None:
        yield from retry_or_stop(run, state.failed)
    elif state.turn.cut:
        yield from continue_cut(run)
    elif state.ending.unchecked is not None:
        yield run.note(check_answer(run, state.ending.unchecked))
    elif state.nudge is not None:
        yield run.note(Nudged(state.nudge))
    else:
        yield from ask_model(run)


def _stopping(error: Exception) -> Stopping:
    if isinstance(error, Stopped):
        return Stopping(error.stop, error.detail)
    if isinstance(error, Halt):
        return Stopping(StopReason.PLUGIN_HALT, told(error), withdrawn=True)
    _log.error("A run ends with an error.", exc_info=error)
    return Stopping(StopReason.ERROR, describe(error), withdrawn=True)
