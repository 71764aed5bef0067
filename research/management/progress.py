"""What a run does, told in one line a step."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from chat import engine
from research.exports.visible import one_line

_QUOTE_CHARS = 90


@dataclass
class Progress:
    """Turns the engine's events into lines; remembers the calls under way."""

    calls: dict[str, engine.ToolCall] = field(default_factory=dict)

    def line(self, event: engine.Event) -> str:
        """One line, or an empty one where there is nothing to tell."""
        match event:
            case engine.ToolCalled(call=call):
                self.calls[call.id] = call
            case engine.ToolAnswered(call_id=call_id, name=name, result=result):
                return one_line(_answer(name, self._arguments(call_id), result))
            case engine.ModelFailed(message=message):
                return one_line(f"the model failed: {message}")
            case engine.RetryScheduled(delay_s=delay):
                return f"asks the model again in {delay:.0f} s"
            case engine.Stopping(stop=stop, detail=detail):
                return one_line(f"stopping, {_words(stop)}: {detail}")
        return ""

    def _arguments(self, call_id: str) -> Mapping[str, Any]:
        call = self.calls.pop(call_id, None)
        given = call.arguments if call else {}
        return {} if isinstance(given, str) else given


def _answer(name: str, given: Mapping[str, Any], result: engine.ToolResult) -> str:
    if result.is_error:
        return f"{name} refused: {_short(result.content)}"
    match name:
        case "search_documents":
            return f"searched for “{_short(given.get('query', ''))}”"
        case "read_document":
            return f"read {given.get('uri', '')}{_from(given.get('offset'))}"
        case "cite":
            question = _words(given.get("question", ""))
            return f"cited “{_short(given.get('quote', ''))}” ({question})"
        case "note_absence":
            return f"not found: {_words(given.get('question', ''))}"
    return f"called {name}"


def _from(offset: object) -> str:
    return f" from character {offset}" if offset else ""


def _words(key: object) -> str:
    return str(key).replace("_", " ")


def _short(text: object) -> str:
    line = one_line(str(text))
    return line if len(line) <= _QUOTE_CHARS else f"{line[: _QUOTE_CHARS - 1]}…"
