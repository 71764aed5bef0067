"""What stands in the transcript for a result that was put aside.

Of a result that the model has read a receipt remains. Of one that it has not read the
beginning remains too, as far as there is room, under a line that says so.
"""

from dataclasses import dataclass
from typing import Protocol

from chat.engine.context.recall import RECALL, Page, page_of
from chat.engine.context.store import USUAL_REF
from chat.engine.context.tokens import argument_text, length_tokens, text_tokens
from chat.engine.messages import ToolCall

LISTED = "a list that recall gave"


class Source(Protocol):
    """A result as it came, and how to get at it again. text: what it says."""

    @property
    def text(self) -> str: ...

    def receipt(self, seen: int | None) -> str:
        """What stands for it once it is read; seen: how far, None is the whole."""

    def head(self, shown: int) -> str:
        """The line above the first `shown` characters of it."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The result of a tool, kept under a ref."""

    text: str
    ref: str = USUAL_REF

    def receipt(self, seen: int | None) -> str:
        size = len(self.text)
        part = "" if seen is None else f", of which you have seen the first {seen}"
        return (
            f"[Put aside: {size} characters{part}. recall gives them back, "
            f"ref {self.ref}.]"
        )

    def head(self, shown: int) -> str:
        size = len(self.text)
        if not shown:
            return f"[Not seen yet: recall {self.ref}]"
        return (
            f"[You have not seen this whole: the first {shown} of {size} characters. "
            f"Go on with recall {self.ref}, offset {shown}.]\n"
        )


@dataclass(frozen=True, slots=True)
class Shown:
    """A page that recall showed: it is not kept again, its own ref still leads to it.

    Cut short it is a shorter page.
    """

    text: str
    page: Page

    def receipt(self, seen: int | None) -> str:
        page = self.page if seen is None else self._cut(seen)
        return f"[Put aside: {page.span}. recall gives them back.]"

    def head(self, shown: int) -> str:
        if shown:
            return self._cut(shown).head
        return f"[Not seen yet: {self.page.span}. recall gives them in smaller parts.]"

    def _cut(self, length: int) -> Page:
        return self.page._replace(end=self.page.start + length)


@dataclass(frozen=True, slots=True)
class Listed:
    """A list that recall gave; calling it again gives it again."""

    text: str

    def receipt(self, seen: int | None) -> str:
        return f"[Put aside: {LISTED}. Call recall again for it.]"

    def head(self, shown: int) -> str:
        if not shown:
            return f"[Not seen yet: {LISTED}. Call recall again, with a lower limit.]"
        return (
            f"[You have not seen this whole: {LISTED}. It begins as follows; call "
            f"recall again, with a lower limit, for the rest.]\n"
        )


@dataclass(frozen=True, slots=True)
class Candidate:
    """A result that could be put aside.

    now: what stands in the transcript, of `whole` tokens. seen: characters that the
    model has read, None for all of them.
    """

    call_id: str
    now: str
    whole: int
    source: Source
    seen: int | None = None

    def stand_in(self, chars: int | None) -> str | None:
        """What may stand for it, None where that would be no shorter.

        chars: None when it was read, else how many characters of it are still shown.
        """
        if chars is None:
            text = self.source.receipt(self.seen)
            shorter = len(text) < len(self.now) and text_tokens(text) < self.whole
            return text if shorter else None
        if self.tokens_at(chars) == self.whole:
            return None
        return self.source.head(chars) + self.source.text[:chars]

    def tokens_at(self, chars: int) -> int:
        """What it takes when `chars` characters of it are shown, or as it is now.

        Of ASCII the length alone tells, so that trying many lengths costs nothing.
        """
        text, head = self.source.text, self.source.head(chars)
        length = len(head) + chars
        if chars >= len(text) or length >= len(self.now):
            return self.whole
        ascii_only = text.isascii()
        shown = (
            length_tokens(length) if ascii_only else text_tokens(head + text[:chars])
        )
        return min(shown, self.whole)


def source_of(call: ToolCall, content: str, *, foreign: bool) -> Source:
    """Return how `content` can be had again; keeping it is the caller's business.

    foreign: of an earlier conversation, whose recall had another store.
    """
    if call.name != RECALL or foreign:
        return Kept(content)
    found = page_of(content)
    return Shown(found[1], found[0]) if found else Listed(content)


def origin_of(call: ToolCall, chars: int) -> str:
    """Say in a few words what was called."""
    return f"{call.name} {in_short(argument_text(call.arguments), chars)}"


def in_short(text: str, chars: int) -> str:
    """Return one line of at most `chars` characters that UTF-8 can hold."""
    line = " ".join(text[: 4 * chars].split())
    if len(line) > chars or len(text) > 4 * chars:
        line = f"{line[: chars - 1]}…"
    return line.encode("utf-8", "replace").decode()
