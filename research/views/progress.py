"""A run's journal in plain sentences, one an event."""

import json
from dataclasses import dataclass
from datetime import datetime

from research.models import Run
from research.presentation.steps import Steps

SHOWN_LINES = 200


@dataclass(frozen=True)
class Line:
    seq: int
    at: datetime
    sentence: str


@dataclass(frozen=True)
class Progress:
    """The newest lines, oldest of them first; `total` counts the whole journal."""

    lines: list[Line]
    total: int


def progress_of(run: Run) -> Progress:
    rows = list(run.events.order_by("-seq")[:SHOWN_LINES])[::-1]
    steps = Steps()
    lines = [
        Line(row.seq, row.at, steps.sentence(row.kind, _payload(row.payload)))
        for row in rows
    ]
    return Progress(lines, run.events.count())


def _payload(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None
