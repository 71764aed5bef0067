"""A history given to run(): each event must be able to follow those before it."""

from collections.abc import Iterable
from typing import Any

from chat.engine.errors import ConfigurationError
from chat.engine.events import (
    AnswerChecked,
    ApprovalDecided,
    ApprovalRequested,
    Event,
    ModelFailed,
    ModelReplied,
    ModelRequested,
    RunStarted,
    Tick,
    ToolAnswered,
    ToolCalled,
)
from chat.engine.model import TextDelta
from chat.engine.state import State
from chat.engine.stops import Status


def replay(state: State, history: Iterable[Event]) -> None:
    """Apply earlier events of a run; ConfigurationError where they cannot be."""
    for event in history:
        if not isinstance(event, Tick | TextDelta):
            _check(state, event)
            try:
                state.apply(event)
            except (KeyError, IndexError, AttributeError) as error:
                msg = f"The history is not of one run: {event.kind} fits nothing in it."
                raise ConfigurationError(msg) from error


def _check(state: State, event: Any) -> None:
    """Refuse an event that no run can have yielded here."""
    problem = _order(state, event) if state.knows(event) else "is no event"
    problem = problem or _calls(state, event)
    if problem:
        name = getattr(event, "kind", type(event).__name__)
        msg = f"The history is not of one run: {name} {problem}."
        raise ConfigurationError(msg)


def _order(state: State, event: Any) -> str | None:
    if state.result is not None and not _reopens(state, event):
        return "follows the end of the run"
    if isinstance(event, RunStarted) is state.started:
        return "is out of place: a run starts once, with run_started"
    if isinstance(event, ModelReplied | ModelFailed) and not state.in_flight:
        return "answers no request"
    if isinstance(event, ModelRequested) and state.round.open:
        return "comes before every call is answered"
    if isinstance(event, AnswerChecked) and state.ending.unchecked is None:
        return "checks no answer"
    return None


def _reopens(state: State, event: Any) -> bool:
    suspended = state.result is not None and state.result.status is Status.SUSPENDED
    return suspended and isinstance(event, ApprovalDecided)


def _calls(state: State, event: Any) -> str | None:
    opened = state.round.open
    if (
        isinstance(event, ToolCalled | ApprovalRequested)
        and event.call.id not in opened
    ):
        return "runs a call that nobody asked for"
    if isinstance(event, ToolAnswered) and event.call_id not in opened:
        return "answers a call that is not open"
    waiting = state.round.awaiting
    if isinstance(event, ApprovalDecided) and event.call_id not in waiting:
        return "decides on a call that does not wait for a person"
    return None
