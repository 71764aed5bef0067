"""A run's journal as it may be shown: what a model wrote goes through the gate."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from chat import engine
from chat.output_gate import Answer, gate, harmless
from research.canonical import sha256_hex
from research.models import Run, RunEvent
from research.presentation.answers import documents_of
from research.presentation.visible import one_line

WITHHELD = "This line cannot be read, so that its payload is not shown."


@dataclass(frozen=True)
class ShownEvent:
    """A journal line. payload_sha256 is of the payload as it is kept, not as shown."""

    seq: int
    kind: str
    at: datetime
    payload: Any
    payload_sha256: str
    prev_hash: str
    hash: str


@dataclass(frozen=True)
class ApiError:
    """A failed request to the model. Texts are one line, "" where nothing was said."""

    at: datetime
    kind: str
    status: int | None
    type: str
    code: str
    request_id: str
    message: str

    @property
    def name(self) -> str:
        """Status, type and code, as far as there are any; else the kind."""
        named = filter(None, (str(self.status or ""), self.type, self.code))
        return " ".join(named) or self.kind.replace("_", " ")


def shown_events(run: Run, rows: Iterable[RunEvent]) -> list[ShownEvent]:
    """The lines of this run's journal, in the order given."""
    documents = documents_of(run)
    return [
        ShownEvent(
            seq=row.seq,
            kind=row.kind,
            at=row.at,
            payload=_shown(row, documents),
            payload_sha256=sha256_hex(row.payload),
            prev_hash=row.prev_hash,
            hash=row.hash,
        )
        for row in rows
    ]


def api_errors(run: Run) -> list[ApiError]:
    """The requests that failed, oldest first. A line that cannot be read is one too."""
    rows = run.events.filter(kind=engine.ModelFailed.kind).order_by("seq")
    return [_api_error(row) for row in rows]


def _api_error(row: RunEvent) -> ApiError:
    try:
        event = engine.event_from_json(json.loads(row.payload))
    except ValueError:
        event = None
    if not isinstance(event, engine.ModelFailed):
        return ApiError(row.at, "unknown", None, "", "", "", WITHHELD)
    head = event.head or engine.ErrorHead()
    return ApiError(
        at=row.at,
        kind=event.error_kind.value,
        status=head.status,
        type=_line(head.type),
        code=_line(head.code),
        request_id=_line(head.request_id),
        message=_line(event.message),
    )


def _line(text: str) -> str:
    return one_line(harmless(text))


def _shown(row: RunEvent, documents: Collection[str]) -> Any:
    """The payload. A tool call's arguments are record, and stay as they are."""
    show = _ANSWERS.get(row.kind)
    try:
        payload = json.loads(row.payload)
        return show(payload, documents) if show else payload
    except (ValueError, KeyError, TypeError, AttributeError):
        return {"withheld": WITHHELD}


def _reply_shown(payload: Mapping[str, Any], documents: Collection[str]) -> Any:
    event = engine.event_from_json(payload)
    if not isinstance(event, engine.ModelReplied):
        raise TypeError(event.kind)
    reply = _kept(payload["reply"], {"raw", "parsed"})
    reply |= _words(Answer.of_reply(event.reply), documents)
    reply["detail"] = harmless(event.reply.detail)
    return {**payload, "reply": reply}


def _result_shown(payload: Mapping[str, Any], documents: Collection[str]) -> Any:
    event = engine.event_from_json(payload)
    if not isinstance(event, engine.RunFinished):
        raise TypeError(event.kind)
    result = _kept(payload["result"], {"output", "citations"})
    result |= _words(Answer.of(event.result), documents)
    result["detail"] = harmless(event.result.detail)
    return {**payload, "result": result}


def _failure_shown(payload: Mapping[str, Any], _: Collection[str]) -> Any:
    head = {
        name: harmless(value) if isinstance(value, str) else value
        for name, value in (payload.get("head") or {}).items()
    }
    message = harmless(payload["message"])
    return {**payload, "message": message, "head": head or None}


def _stop_shown(payload: Mapping[str, Any], _: Collection[str]) -> Any:
    return {**payload, "detail": harmless(payload["detail"])}


def _kept(values: Mapping[str, Any], left_out: Collection[str]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in left_out}


def _words(answer: Answer, documents: Collection[str]) -> dict[str, Any]:
    """Without the HTML, which a journal has no use for."""
    return _kept(gate(answer, documents, lay_out=False).to_json(), {"html"})


# The kinds whose payloads hold what a model or its API said to people.
_ANSWERS: Mapping[str, Callable[[Mapping[str, Any], Collection[str]], Any]] = {
    engine.ModelReplied.kind: _reply_shown,
    engine.ModelFailed.kind: _failure_shown,
    engine.Stopping.kind: _stop_shown,
    engine.RunFinished.kind: _result_shown,
}
