"""Calls and thoughts put together from the pieces of a stream, in linear time."""

from collections.abc import Mapping
from typing import Any

from chat.providers.openai_compatible.parts import a_text, an_object

_GROWING = ("text", "summary")


class CallPieces:
    """The calls of one reply, by their index.

    An id or a name may come late, and is repeated by some servers in every piece; some
    give every call the index 0, or none, and only the ids tell them apart.
    """

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._by_index: dict[int | None, _Call] = {}

    def take(self, piece: Mapping[str, Any]) -> None:
        """Add a piece to the call that it belongs to, or begin one."""
        index = piece.get("index")
        index = index if type(index) is int else None
        call = self._by_index.get(index)
        if call is None or call.differs(piece):
            call = _Call(index)
            self._calls.append(call)
        # Without an index, a piece belongs to the call before it.
        self._by_index[index] = self._by_index[None] = call
        call.take(piece)

    def whole(self) -> list[dict[str, Any]]:
        """Return the calls in the order of their indexes."""
        ordered = sorted(self._calls, key=lambda call: call.index or 0)
        return [call.whole() for call in ordered]


class _Call:
    """One call under way."""

    def __init__(self, index: int | None) -> None:
        self.index = index
        self._id = self._name = ""
        self._arguments: list[str] = []
        self._mapping: dict[str, Any] | None = None
        self._more: dict[str, Any] = {}

    def differs(self, piece: Mapping[str, Any]) -> bool:
        """A new id with a name begins a call; an id alone may have been made up."""
        given = a_text(piece.get("id"))
        named = a_text(an_object(piece.get("function")).get("name"))
        return bool(given and self._id and given != self._id and named)

    def take(self, piece: Mapping[str, Any]) -> None:
        """Add what a piece says."""
        self._id = self._id or a_text(piece.get("id"))
        function = an_object(piece.get("function"))
        self._name = _name(self._name, a_text(function.get("name")))
        arguments = function.get("arguments")
        if isinstance(arguments, dict):
            self._mapping = arguments
        self._arguments.append(a_text(arguments))
        for name, value in piece.items():
            # Such as the signature of a thought, which must go back with the call.
            if name not in ("id", "index", "type", "function") and value is not None:
                self._more[name] = value

    def whole(self) -> dict[str, Any]:
        """Return the call as a reply that is not streamed has it."""
        arguments = self._mapping or "".join(self._arguments)
        function = {"name": self._name, "arguments": arguments}
        return {"id": self._id, "type": "function", "function": function, **self._more}


class ThoughtPieces:
    """The reasoning_details of one reply.

    Encrypted thoughts come whole; the others in as many pieces as they like, of which
    the last has the signature.
    """

    def __init__(self) -> None:
        self._thoughts: list[dict[str, Any]] = []
        self._growing: dict[str, list[str]] = {}

    def take(self, piece: Mapping[str, Any]) -> None:
        """Add a piece to the last thought, or begin one."""
        last = self._thoughts[-1] if self._thoughts else None
        if last is None or not _same_thought(last, piece):
            self._settle()
            last = {name: piece[name] for name in piece if name not in _GROWING}
            self._thoughts.append(last)
        for name, value in piece.items():
            if name in _GROWING and isinstance(value, str):
                self._growing.setdefault(name, []).append(value)
            elif name not in _GROWING and value is not None:
                last[name] = value

    def whole(self) -> list[dict[str, Any]]:
        """Return the thoughts, each in one piece."""
        self._settle()
        return self._thoughts

    def _settle(self) -> None:
        for name, written in self._growing.items():
            self._thoughts[-1][name] = "".join(written)
        self._growing = {}


def _same_thought(last: Mapping[str, Any], piece: Mapping[str, Any]) -> bool:
    kinds = ("reasoning.text", "reasoning.summary")
    return piece.get("type") in kinds and all(
        last.get(name) == piece.get(name) for name in ("type", "index")
    )


def _name(known: str, given: str) -> str:
    """A name is repeated, and may have grown, or is continued."""
    return given if given.startswith(known) else known + given
