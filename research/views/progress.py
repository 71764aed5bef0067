"""A run's journal in plain sentences, one an event."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from research.models import Run
from research.templatetags.words import stop_words

SHOWN_LINES = 200
MOST_CHARS = 160

Payload = Mapping[str, Any]


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
    total = run.events.count()
    rows = list(run.events.order_by("-seq")[:SHOWN_LINES])
    lines = [Line(row.seq, row.at, _sentence(row.kind, row.payload)) for row in rows]
    return Progress(lines[::-1], total)


def _sentence(kind: str, text: str) -> str:
    """An event of an unknown shape is named, never hidden."""
    try:
        return _SENTENCES[kind](json.loads(text))
    except (KeyError, TypeError, ValueError, AttributeError):
        return f"{kind.replace('_', ' ').replace('.', ' ').capitalize()}."


def _tool_called(payload: Payload) -> str:
    call = payload["call"]
    return _CALLS[call["name"]](call["arguments"])


def _tool_answered(payload: Payload) -> str:
    result = payload["result"]
    if result["is_error"]:
        return f"Refused: {_short(result['content'])}"
    return f"Got an answer from {payload['name'].replace('_', ' ')}."


def _model_replied(payload: Payload) -> str:
    calls = len(payload["reply"]["calls"])
    if not calls:
        return "The researcher wrote its closing words."
    return f"The researcher asked for {_counted(calls, 'step')}."


def _collected(payload: Payload) -> str:
    lookups = _counted(payload["lookups"], "lookup")
    return f"Collected: {lookups}, {_counted(payload['documents'], 'document')}."


def _finished(payload: Payload) -> str:
    accepted, claims = payload["accepted"], payload["claims"]
    proven = f"{accepted} of {_counted(claims, 'claim')} have their quotes in place."
    return f"{stop_words(payload['stop'])} {proven}"


def _retry(payload: Payload) -> str:
    return f"Will ask again in {payload['delay_s']:.0f} s."


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _short(text: object) -> str:
    clean = " ".join(str(text).split())
    return clean if len(clean) <= MOST_CHARS else f"{clean[: MOST_CHARS - 1]}…"


_CALLS: Mapping[str, Callable[[Payload], str]] = {
    "search_documents": lambda given: f"Searched for “{_short(given['query'])}”.",
    "read_document": lambda given: f"Read {_short(given['uri'])}.",
    "cite": lambda given: f"Quoted “{_short(given['quote'])}”.",
    "note_absence": lambda given: (
        f"Noted nothing found on {_short(given['question'])}."
    ),
}
_SENTENCES: Mapping[str, Callable[[Payload], str]] = {
    "run.claimed": lambda _: "A worker took the run up.",
    "run.collected": _collected,
    "run.finished": _finished,
    "run_started": lambda _: "The researcher began.",
    "model_requested": lambda _: "Asked the researcher what to do next.",
    "model_replied": _model_replied,
    "model_failed": lambda given: f"No answer: {_short(given['message'])}",
    "retry_scheduled": _retry,
    "tool_called": _tool_called,
    "tool_answered": _tool_answered,
    "nudged": lambda given: f"Reminded the researcher: {_short(given['text'])}",
    "stopping": lambda given: stop_words(given["stop"]),
}
