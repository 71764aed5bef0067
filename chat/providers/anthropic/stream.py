"""A message put together from the events of a stream, block by block by its index."""

from collections.abc import Mapping
from typing import Any

from chat.engine import ErrorKind, ModelError, arguments_from_text

PARTS = "cache_creation"


class Assembler:
    """Takes the events of one message in order; unknown ones are passed over."""

    def __init__(self) -> None:
        self._message: dict[str, Any] = {}
        self._blocks: dict[int, dict[str, Any]] = {}
        self._inputs: dict[int, str] = {}
        self._whole = False

    @property
    def counts(self) -> object:
        """The usage of the message as far as it has come, in the API's form."""
        return self._message.get("usage")

    def take(self, event: Any) -> str:
        """Take in one event and return the text that it adds, if any.

        Raises ModelError for an event that does not fit to those before it.
        """
        if not isinstance(event, dict):
            return ""
        try:
            return self._take(event)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            msg = f"An event of the stream cannot be read: {type(error).__name__}."
            raise ModelError(ErrorKind.UNAVAILABLE, msg) from error

    def _take(self, event: Mapping[str, Any]) -> str:
        kind = event.get("type")
        if kind == "message_start":
            self._message = dict(event["message"])
        elif kind == "content_block_start":
            return self._start(event["index"], event["content_block"])
        elif kind == "content_block_delta":
            return self._add(event["index"], event["delta"])
        elif kind == "message_delta":
            self._end(event)
        elif kind == "message_stop":
            self._whole = True
        return ""

    def message(self) -> dict[str, Any]:
        """Return the message; raises ModelError if the stream ended before it did."""
        if not self._whole:
            msg = "The stream ended before the message did."
            raise ModelError(ErrorKind.UNAVAILABLE, msg)
        for index, text in self._inputs.items():
            self._blocks[index]["input"] = arguments_from_text(text)
        content = [self._blocks[index] for index in sorted(self._blocks)]
        return {**self._message, "content": content}

    def _start(self, index: object, block: Mapping[str, Any]) -> str:
        if not isinstance(index, int):
            msg = "an index that is no number"
            raise TypeError(msg)
        self._blocks[index] = dict(block)
        return str(block.get("text") or "") if block.get("type") == "text" else ""

    def _add(self, index: int, delta: Mapping[str, Any]) -> str:
        block, kind = self._blocks[index], delta.get("type")
        if kind == "text_delta":
            block["text"] = f"{block.get('text') or ''}{delta['text']}"
            return str(delta["text"])
        if kind == "input_json_delta":
            self._inputs[index] = (
                f"{self._inputs.get(index, '')}{delta['partial_json']}"
            )
        elif kind == "citations_delta":
            earlier = block.get("citations") or []
            block["citations"] = [*earlier, delta["citation"]]
        elif kind == "thinking_delta":
            block["thinking"] = f"{block.get('thinking') or ''}{delta['thinking']}"
        elif kind == "signature_delta":
            block["signature"] = delta["signature"]
        return ""

    def _end(self, event: Mapping[str, Any]) -> None:
        """Counts are those of the whole message so far: they replace, never add."""
        delta = {name: value for name, value in event["delta"].items() if value}
        counts = event.get("usage") or {}
        known = {name: value for name, value in counts.items() if value is not None}
        usage = self._message.get("usage")
        if usage or known:
            delta["usage"] = _replaced(usage or {}, known)
        self._message |= delta


def _replaced(before: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """A sum that has grown is no longer the sum of the parts that it began with."""
    whole = "cache_creation_input_tokens"
    grown = whole in known and known[whole] != before.get(whole)
    kept = {name: before[name] for name in before if not grown or name != PARTS}
    return {**kept, **known}
