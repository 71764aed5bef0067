"""A run's events as sentences, for its page and for the command that executes it."""

from collections.abc import Callable, Mapping
from typing import Any

from research.presentation.counts import counted
from research.presentation.runs import stop_words
from research.presentation.visible import one_line

MOST_CHARS = 120
# The head of an error is shown whole.
MOST_ERROR_CHARS = 400

Payload = Mapping[str, Any]


class Steps:
    """Takes a run's events in their order; remembers the calls under way."""

    def __init__(self) -> None:
        self._calls: dict[str, Payload] = {}

    def sentence(self, kind: str, payload: Any) -> str:
        """One line, safe to show. An event of an unknown shape is named, not hidden.

        payload: the event's JSON object, as the journal has it.
        """
        try:
            return one_line(self._told(kind, payload))
        except (KeyError, TypeError, ValueError, AttributeError):
            return one_line(f"{kind.replace('_', ' ').replace('.', ' ').capitalize()}.")

    def _told(self, kind: str, payload: Payload) -> str:
        if kind == "tool_called":
            call = payload["call"]
            self._calls[call["id"]] = call
            return f"Asked to {_Call(call).asked}."
        if kind == "tool_answered":
            call = self._calls.pop(payload["call_id"], {"name": payload["name"]})
            return _answered(_Call(call), payload["result"])
        return _SENTENCES[kind](payload)


class _Call:
    """A call in words: what was asked, and what was done when it was answered."""

    def __init__(self, call: Payload) -> None:
        try:
            asked, done, told = _TOOLS[call["name"]]
            what = told(call["arguments"])
        except (KeyError, TypeError):
            asked, done, what = "call", "Called", _words(call["name"])
        self.asked, self.done = f"{asked} {what}", f"{done} {what}"


def _answered(call: _Call, result: Payload) -> str:
    if result["is_error"]:
        return f"Refused to {call.asked}: {_short(result['content'])}"
    return f"{call.done}."


def _read(given: Payload) -> str:
    offset = given.get("offset")
    return f"{_short(given['uri'])}{f' from character {offset}' if offset else ''}"


def _cited(given: Payload) -> str:
    return f"“{_short(given['quote'])}” ({_words(given['question'])})"


def _replied(payload: Payload) -> str:
    calls = len(payload["reply"]["calls"])
    if not calls:
        return "The researcher wrote its closing words."
    return f"The researcher asked for {counted(calls, 'step')}."


def _collected(payload: Payload) -> str:
    lookups = counted(payload["lookups"], "lookup")
    return f"Collected: {lookups}, {counted(payload['documents'], 'document')}."


def _finished(payload: Payload) -> str:
    claims = counted(payload["claims"], "claim")
    have = "has its" if payload["claims"] == 1 else "have their"
    proven = f"{payload['accepted']} of {claims} {have} quotes in place."
    return f"{stop_words(payload['stop'])} {proven}"


def _failed(payload: Payload) -> str:
    """The kind of the failure, what the error says of itself, and its message.

    Providers put most of it into the message, and nothing is said twice.
    """
    said = _short(payload["message"], MOST_ERROR_CHARS)
    head = payload.get("head") or {}
    unsaid = (
        form.format(head[name])
        for name, form in _HEAD.items()
        if head.get(name) and str(head[name]) not in said
    )
    kind = _words(payload.get("error_kind", ""))
    aside = ", ".join(filter(None, (kind, *unsaid)))
    return f"The model failed{f' ({aside})' if aside else ''}: {said}"


def _words(key: object) -> str:
    return str(key).replace("_", " ")


def _short(text: object, most: int = MOST_CHARS) -> str:
    line = one_line(str(text))
    return line if len(line) <= most else f"{line[: most - 1]}…"


_HEAD: Mapping[str, str] = {
    "status": "HTTP {}",
    "type": "{}",
    "code": "{}",
    "request_id": "request {}",
}
# By the tool's name: what is asked, what was done, and of what.
_TOOLS: Mapping[str, tuple[str, str, Callable[[Payload], str]]] = {
    "search_documents": (
        "search for",
        "Searched for",
        lambda given: f"“{_short(given['query'])}”",
    ),
    "read_document": ("read", "Read", _read),
    "cite": ("cite", "Cited", _cited),
    "note_absence": (
        "note that nothing was found on",
        "Found nothing on",
        lambda given: _words(given["question"]),
    ),
}
_SENTENCES: Mapping[str, Callable[[Payload], str]] = {
    "run.claimed": lambda _: "A worker took the run up.",
    "run.collected": _collected,
    "run.finished": _finished,
    "run_started": lambda _: "The researcher began.",
    "model_requested": lambda _: "Asked the researcher what to do next.",
    "model_replied": _replied,
    "model_failed": _failed,
    "retry_scheduled": lambda given: (
        f"Will ask the model again in {given['delay_s']:.0f} s."
    ),
    "compacted": lambda _: "Put older results aside to make room.",
    "approval_requested": lambda given: (
        f"Waits for a person: {_short(given['reason'])}"
    ),
    "approval_decided": lambda given: (
        f"A person {'allowed' if given['approved'] else 'refused'} the step."
    ),
    "answer_checked": lambda given: (
        "The answer has the form asked for."
        if given["valid"]
        else "The answer does not have the form asked for."
    ),
    "nudged": lambda given: f"Reminded the researcher: {_short(given['text'])}",
    "stopping": lambda given: f"{stop_words(given['stop'])} {_short(given['detail'])}",
}
