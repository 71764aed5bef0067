"""A run followed to its end without waiting between two tries."""

from collections.abc import Sequence
from contextlib import closing

from chat.engine import Limits, Model, Task, Tool, run
from chat.engine.events import JournaledEvent, RetryScheduled, TextDelta, Tick


def followed(
    model: Model, task: Task, tools: Sequence[Tool] = (), limits: Limits | None = None
) -> list[JournaledEvent]:
    """All events; where the loop would wait, it is left and resumed instead."""
    events: list[JournaledEvent] = []
    while True:
        live = run(model, task, tools, limits=limits or Limits(), history=events)
        with closing(live):
            for event in live:
                if not isinstance(event, TextDelta | Tick):
                    events.append(event)
                if isinstance(event, RetryScheduled):
                    break
            else:
                return events
