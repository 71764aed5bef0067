"""What was put aside of a transcript: which results, and how much of each was seen."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from chat.engine.context.recall import RECALL
from chat.engine.context.receipts import (
    Candidate,
    Kept,
    Source,
    in_short,
    origin_of,
    source_of,
)
from chat.engine.context.store import USUAL_REF, Store
from chat.engine.context.tokens import argument_text, text_tokens
from chat.engine.messages import CallResult, Message, Role, ToolCall

ORIGIN_CHARS = 200
CALL_CHARS = 120
QUOTE_CHARS = 160


class Aside(NamedTuple):
    """A result in whose place something else stands.

    seen: characters of it that still stood there when the model had not read it yet,
    None if it stood there whole.
    """

    source: Source
    seen: int | None


class Shelf:
    """The results of one transcript that were put aside, by the ids of their calls.

    foreign: ids of calls of an earlier conversation.
    """

    def __init__(self, store: Store, foreign: Collection[str] = ()) -> None:
        self.store = store
        self._foreign = frozenset(foreign)
        self._asides: dict[str, Aside] = {}

    def copy(self) -> "Shelf":
        """Return a shelf that fills apart from this one."""
        twin = Shelf(self.store.copy(), self._foreign)
        twin._asides = self._asides.copy()
        return twin

    def candidate(self, call: ToolCall, result: CallResult) -> Candidate:
        """Return the result as something that could be put aside, or further aside."""
        now = result.content
        aside = self._asides.get(call.id)
        if aside is None:
            foreign = call.id in self._foreign
            aside = Aside(source_of(call, now, foreign=foreign), None)
        return Candidate(call.id, now, text_tokens(now), aside.source, aside.seen)

    def put(
        self, call: ToolCall, result: CallResult, preview_chars: int | None
    ) -> CallResult:
        """Keep a result and return what stands for it: the same if that is no shorter.

        preview_chars: None where the model has read it, else how much it is shown.
        """
        found = self.candidate(call, result)
        if found.stand_in(preview_chars) is None:
            return result
        source = found.source
        if isinstance(source, Kept):
            ref = self._ref(source, origin_of(call, ORIGIN_CHARS))
            source = replace(source, ref=ref)
        seen = found.seen if preview_chars is None else preview_chars
        self._asides[call.id] = Aside(source, seen)
        text = replace(found, source=source).stand_in(preview_chars)
        return replace(result, content=text or found.now)

    def hides(self, call_id: str) -> bool:
        """Whether nothing of the result is shown, though it says something."""
        aside = self._asides.get(call_id)
        return aside is not None and aside.seen == 0

    def fold(
        self, messages: Iterable[Message], unread: Collection[str]
    ) -> Iterator[str]:
        """Keep every text of a group and yield a line for each.

        unread: ids of calls whose results the model has not read.
        """
        calls: dict[str, ToolCall] = {}
        for message in messages:
            yield from self._said(message)
            for call in message.calls:
                calls[call.id] = call
                yield from self._asked(call)
            for result in message.results:
                yield from self._answered(calls[result.call_id], result, unread)

    def _said(self, message: Message) -> Iterator[str]:
        if message.text:
            said = "said" if message.role is Role.ASSISTANT else "was told"
            origin = f"{said} “{in_short(message.text, QUOTE_CHARS)}”"
            yield self._line(Kept(message.text), origin)

    def _asked(self, call: ToolCall) -> Iterator[str]:
        """Of a call its line has the beginning; longer arguments are kept apart."""
        text = argument_text(call.arguments)
        if len(text) > CALL_CHARS and call.name != RECALL:
            yield self._line(Kept(text), f"asked {origin_of(call, CALL_CHARS)}")

    def _answered(
        self, call: ToolCall, result: CallResult, unread: Collection[str]
    ) -> Iterator[str]:
        found = self.candidate(call, result)
        self._asides.pop(call.id, None)
        if isinstance(found.source, Kept):
            seen = 0 if call.id in unread else found.seen
            part = {None: "", 0: ", not seen yet"}.get(seen, ", seen in part")
            yield self._line(found.source, origin_of(call, CALL_CHARS)) + part

    def _line(self, source: Kept, origin: str) -> str:
        ref = self._ref(source, origin)
        return f"{ref} {origin}, {len(source.text)} characters"

    def _ref(self, source: Kept, origin: str) -> str:
        known = source.ref != USUAL_REF
        return source.ref if known else self.store.keep(source.text, origin)
