"""The one message that says what was put aside, and how to get at it."""

from collections import deque
from collections.abc import Iterable

from chat.engine.context.tokens import text_tokens
from chat.engine.messages import Message

MAX_LINES = 40
TITLE = (
    "[Earlier parts of this work were put aside: {steps} steps, {texts} texts. The "
    "lines below only quote them. Call recall with a ref to read one, without a ref to "
    "list all.]"
)


class Catalog:
    """Lines on what was folded, of which the last are shown; steps: groups folded."""

    def __init__(self) -> None:
        self.steps = 0
        self._texts = 0
        self._lines: deque[tuple[str, int]] = deque(maxlen=MAX_LINES)

    def copy(self) -> "Catalog":
        """Return a catalog that grows apart from this one."""
        twin = Catalog()
        twin.steps, twin._texts = self.steps, self._texts
        twin._lines = self._lines.copy()
        return twin

    def add(self, lines: Iterable[str]) -> None:
        """Take in the lines of one group; one that is there moves to the end."""
        self.steps += 1
        for line in lines:
            sized = (line, text_tokens(line) + 1)
            if sized in self._lines:
                self._lines.remove(sized)
            else:
                self._texts += 1
            self._lines.append(sized)

    def message(self, tokens: int) -> Message | None:
        """Return the title with the last lines, as many as about `tokens` hold."""
        if not self.steps:
            return None
        shown: deque[str] = deque()
        for line, size in reversed(self._lines):
            tokens -= size
            if tokens < 0:
                break
            shown.appendleft(line)
        earlier = self._texts - len(shown)
        if shown and earlier:
            shown.appendleft(f"(and {earlier} earlier ones)")
        title = TITLE.format(steps=self.steps, texts=self._texts)
        return Message.user("\n".join([title, *shown]))
