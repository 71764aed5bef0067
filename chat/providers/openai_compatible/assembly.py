"""A completion put together from the pieces of a stream.

What comes out has the shape of an answer that was not streamed, so that both are read
by the same code.
"""

from collections.abc import Mapping
from typing import Any

from chat.providers.openai_compatible.errors import error_in, failed
from chat.providers.openai_compatible.parts import (
    a_list,
    a_text,
    an_object,
    mended,
    objects_in,
)
from chat.providers.openai_compatible.pieces import CallPieces, ThoughtPieces
from chat.providers.openai_compatible.reply import content_text


class Assembly:
    """One reply under way. Frames without a choice carry the usage."""

    def __init__(self) -> None:
        self.finished = False
        self._completion: dict[str, Any] = {}
        self._choice: dict[str, Any] = {}
        self._content: list[str] = []
        self._refusal: list[str] = []
        self._annotations: list[Any] = []
        self._thoughts = ThoughtPieces()
        self._calls = CallPieces()
        self._half = ""

    @property
    def counts(self) -> object:
        """The usage of the reply in the server's form, None until it has come."""
        return self._completion.get("usage")

    def take(self, frame: Mapping[str, Any]) -> str:
        """Take in a frame; return the text that it adds. ModelError if it is one."""
        for name in ("id", "model", "usage"):
            if frame.get(name):
                self._completion[name] = frame[name]
        error = error_in(frame)
        if error is not None:
            raise failed(error)
        return self._whole_characters(
            "".join(
                self._choose(choice)
                for choice in objects_in(frame.get("choices"))
                if choice.get("index", 0) in (0, None)
            )
        )

    def completion(self) -> dict[str, Any]:
        """Return what has been said so far, as a whole completion."""
        message: dict[str, Any] = {
            "role": "assistant",
            "content": "".join(self._content) or None,
        }
        parts = {
            "refusal": "".join(self._refusal),
            "annotations": self._annotations,
            "reasoning_details": self._thoughts.whole(),
            "tool_calls": self._calls.whole(),
        }
        message |= {name: part for name, part in parts.items() if part}
        choice = {**self._choice, "message": message}
        return {**self._completion, "choices": [choice]}

    def _whole_characters(self, text: str) -> str:
        """Keep back the first half of a character that was cut between two frames."""
        text = self._half + text
        self._half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        return mended(text.removesuffix(self._half))

    def _choose(self, choice: Mapping[str, Any]) -> str:
        for name in ("finish_reason", "native_finish_reason"):
            if choice.get(name):
                self._choice[name] = choice[name]
        self.finished = "finish_reason" in self._choice
        # The last frame of some servers has the message where the others have deltas.
        delta = an_object(choice.get("delta"))
        text = content_text(delta.get("content"))
        self._content.append(text)
        self._refusal.append(a_text(delta.get("refusal")))
        for part in (delta, an_object(choice.get("message"))):
            self._annotations.extend(a_list(part.get("annotations")))
        for detail in objects_in(delta.get("reasoning_details")):
            self._thoughts.take(detail)
        for call in objects_in(delta.get("tool_calls")):
            self._calls.take(call)
        return text
