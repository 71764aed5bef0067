"""The one message that says what was put aside, and how to get at it."""

from collections import deque

from chat.engine.context.recall import RECALL
from chat.engine.context.receipts import origin_of
from chat.engine.context.store import Store
from chat.engine.messages import CallResult, Message, Role, ToolCall

MAX_LINES = 40
CALL_CHARS = 120
QUOTE_CHARS = 160
TITLE = (
    "[Earlier parts of this work were put aside to save room: {groups} steps, {kept} "
    "texts. Call recall with a ref to read one, or without a ref to list them all.]"
)


class Catalog:
    """What was folded, as lines; the message is made anew each time."""

    def __init__(self) -> None:
        self.groups = 0
        self._kept = 0
        self._lines: deque[str] = deque(maxlen=MAX_LINES)

    def copy(self) -> "Catalog":
        """Return a catalog that grows apart from this one."""
        twin = Catalog()
        twin.groups, twin._kept, twin._lines = (
            self.groups,
            self._kept,
            self._lines.copy(),
        )
        return twin

    def fold(self, messages: list[Message], store: Store, refs: dict[str, str]) -> None:
        """Keep every text of a group and note a line for each.

        refs: of results that were put aside before, by the id of their call.
        """
        self.groups += 1
        calls: dict[str, ToolCall] = {}
        for message in messages:
            calls.update((call.id, call) for call in message.calls)
            if message.text.strip() and message.role is not Role.TOOL:
                said = "said" if message.role is Role.ASSISTANT else "was told"
                origin = f"{said} “{_short(message.text, QUOTE_CHARS)}”"
                self._note(store.keep(message.text, origin), origin, len(message.text))
            for result in message.results:
                self._note_result(calls[result.call_id], result, store, refs)

    def message(self, chars: int) -> Message | None:
        """Return the catalog in about `chars` characters, the latest lines of it."""
        if not self.groups:
            return None
        lines: deque[str] = deque()
        for line in reversed(self._lines):
            chars -= len(line) + 1
            if chars < 0:
                break
            lines.appendleft(line)
        left = self._kept - len(lines)
        if left and lines:
            lines.appendleft(f"(and {left} earlier ones)")
        title = TITLE.format(groups=self.groups, kept=self._kept)
        return Message.user("\n".join([title, *lines]))

    def _note_result(
        self, call: ToolCall, result: CallResult, store: Store, refs: dict[str, str]
    ) -> None:
        if call.name == RECALL:
            return
        origin = origin_of(call, CALL_CHARS)
        ref = refs.get(call.id) or store.keep(result.content, origin)
        entry = store.get(ref)
        self._note(ref, origin, len(entry.text if entry else result.content))

    def _note(self, ref: str, origin: str, size: int) -> None:
        self._kept += 1
        self._lines.append(f"{ref} {origin}, {size} characters")


def _short(text: str, chars: int) -> str:
    line = " ".join(text[: 4 * chars].split())
    return line if len(line) <= chars else f"{line[: chars - 1]}…"
