"""Tool calls put together from the pieces of a stream."""

from collections.abc import Mapping
from typing import Any

from chat.providers.openai_parts import a_text, an_object


class CallPieces:
    """The calls of one reply, by their index.

    An id or a name may come late, and is repeated by some servers in every piece; some
    give every call the index 0, or none, and only the ids tell them apart.
    """

    def __init__(self) -> None:
        self._calls: list[dict[str, Any]] = []
        self._indexes: list[int | None] = []

    def take(self, piece: Mapping[str, Any]) -> None:
        """Add a piece to the call that it belongs to, or begin one."""
        index = piece.get("index")
        index = index if type(index) is int else None
        call = self._find(index, piece)
        if call is None:
            call = {"id": "", "type": "function", "function": {"name": ""}}
            self._calls.append(call)
            self._indexes.append(index)
        _join(call, piece)

    def whole(self) -> list[dict[str, Any]]:
        """Return the calls in the order of their indexes."""
        places = range(len(self._calls))
        order = sorted(places, key=lambda place: (self._indexes[place] or 0, place))
        return [self._calls[place] for place in order]

    def _find(
        self, index: int | None, piece: Mapping[str, Any]
    ) -> dict[str, Any] | None:
        for known, call in zip(
            reversed(self._indexes), reversed(self._calls), strict=True
        ):
            if index is None or known == index:
                return None if _is_another(call, piece) else call
        return None


def _is_another(call: Mapping[str, Any], piece: Mapping[str, Any]) -> bool:
    """A new id with a name begins a call; an id alone may have been made up."""
    given = a_text(piece.get("id"))
    named = a_text(an_object(piece.get("function")).get("name"))
    return bool(given and call["id"] and given != call["id"] and named)


def _join(call: dict[str, Any], piece: Mapping[str, Any]) -> None:
    call["id"] = call["id"] or a_text(piece.get("id"))
    function, given = call["function"], an_object(piece.get("function"))
    function["name"] = _name(function["name"], a_text(given.get("name")))
    arguments = given.get("arguments")
    if isinstance(arguments, dict):
        function["arguments"] = arguments
    elif isinstance(arguments, str):
        function["arguments"] = a_text(function.get("arguments")) + arguments
    for name, value in piece.items():
        # Such as the signature of a thought, which must go back with the call.
        if name not in ("id", "index", "type", "function") and value is not None:
            call[name] = value


def _name(known: str, given: str) -> str:
    """A name is repeated, grows, or is continued."""
    if given.startswith(known):
        return given
    return known if known.startswith(given) else known + given
