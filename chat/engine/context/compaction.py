"""When and what to put aside, in three tiers.

mask        results of older steps become receipts; nothing else changes
fold        the oldest steps become lines of one catalog
emergency   hardly anything of the last step, which the model has not read, remains

A compaction makes every later message new to the provider's cache and ends the validity
of signatures over them, so that it comes seldom and goes far below where it began.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from chat.engine.context.plan import Compaction
from chat.engine.context.receipts import receipt
from chat.engine.context.tokens import text_tokens
from chat.engine.context.transcript import Group, Transcript

__all__ = ["Compaction", "plan_compaction"]

CHARS_PER_TOKEN = 4
SHORTEST_PREVIEW = 200
# The catalog's part of the limit, in hundredths, and its bounds in characters.
CATALOG_PERCENT = 10
CATALOG_CHARS = (400, 8_000)


class Pace(NamedTuple):
    """Where it begins and how far it goes, in hundredths of the limit; how many of the
    last steps stay whole if they can. Longer runs leave more room for what comes."""

    begin: int
    aim: int
    recent: int


PACES: Mapping[str, Pace] = {
    "direct": Pace(85, 55, 2),
    "standard": Pace(75, 45, 4),
    "autonomous": Pace(65, 40, 6),
}


def plan_compaction(
    transcript: Transcript,
    *,
    limit: int,
    extra: int = 0,
    mode: str = "standard",
    force: bool = False,
) -> Compaction | None:
    """Return what to put aside, None where there is no need or nothing would help.

    limit: tokens that a request may have. extra: tokens that are added to it once.
    force: whatever the size, go down to half of it if that can be.
    """
    pace, used = PACES[mode], transcript.tokens + extra
    if not force and used * 100 <= limit * pace.begin:
        return None
    aim = limit * pace.aim // 100
    if force:
        aim = min(aim, used // 2)
    begin = limit * pace.begin // 100
    sizes = _Sizes(limit - extra, min(begin, aim) - extra if force else begin - extra,
                   aim - extra)  # fmt: skip
    return _Plan(transcript, sizes, pace.recent).made()


class _Sizes(NamedTuple):
    """Tokens that the transcript must, may and should have at most."""

    limit: int
    begin: int
    aim: int


class _Plan:
    """One plan, tried out on a copy."""

    def __init__(self, transcript: Transcript, sizes: _Sizes, recent: int) -> None:
        self._try = transcript.copy()
        self._sizes = sizes
        self._recent = recent
        self._tier = 1
        self._masked: list[str] = []
        self._preview = self._folded = self._unseen = 0
        low, high = CATALOG_CHARS
        share = sizes.limit * CATALOG_PERCENT * CHARS_PER_TOKEN // 100
        self._catalog_chars = max(low, min(high, share))

    def made(self) -> Compaction | None:
        """Go on until it fits, from what costs the model least."""
        limit, begin, aim = self._sizes
        self._mask(self._recent)
        if self._try.tokens > aim:
            self._fold(self._recent)
        if self._try.tokens > begin:
            self._mask(1)
            self._fold(1)
        if self._try.tokens > limit:
            self._preview_unread()
        if self._try.tokens > limit:
            self._empty()
        if not self._masked and not self._folded:
            return None
        return Compaction(
            self._tier,
            tuple(self._masked),
            self._preview,
            self._folded,
            self._unseen,
            self._catalog_chars,
        )

    def _older(self, recent: int) -> list[Group]:
        groups = self._try.groups
        return groups[: max(0, len(groups) - recent)]

    def _mask(self, recent: int) -> None:
        """Mask results, the oldest first, until the aim is reached."""
        chosen, size = [], self._try.tokens
        for call_id, saved in self._savings(self._older(recent), None):
            if size <= self._sizes.aim:
                break
            chosen.append(call_id)
            size -= saved
        if chosen:
            self._try.mask(frozenset(chosen), 0)
            self._masked += chosen

    def _fold(self, recent: int) -> None:
        """Fold groups, the oldest first, until the aim is reached."""
        count, size = 0, self._try.tokens
        for group in self._older(recent):
            if size <= self._sizes.aim:
                break
            count += 1
            size -= group.tokens
        if count:
            self._tier = 2
            self._try.fold(count, self._catalog_chars)
            self._folded += count

    def _preview_unread(self) -> None:
        """Show of the last results as much as fits, of each the same at most."""
        base, group = self._try, self._try.unread
        if group is None:
            return
        preview = self._sizes.limit * CHARS_PER_TOKEN
        while True:
            preview = preview * 2 // 3 if preview > SHORTEST_PREVIEW // 4 else 0
            self._try = base.copy()
            chosen = [call_id for call_id, _ in self._savings([group], preview)]
            self._try.mask(frozenset(chosen), preview)
            if self._try.tokens <= self._sizes.limit or not preview:
                break
        self._masked += chosen
        self._preview = preview
        self._unseen = 0 if preview else len(chosen)
        if preview < SHORTEST_PREVIEW:
            self._tier = 3

    def _empty(self) -> None:
        """Fold even the last group, and shorten the catalog until all fits."""
        base, unread = self._try, self._try.unread
        self._tier = 3
        self._unseen = len(list(unread.results)) if unread else 0
        self._folded += len(base.groups)
        while True:
            self._try = base.copy()
            self._try.fold(len(base.groups), self._catalog_chars)
            if self._try.tokens <= self._sizes.limit or not self._catalog_chars:
                return
            self._catalog_chars //= 2

    def _savings(
        self, groups: list[Group], preview_chars: int | None
    ) -> Iterator[tuple[str, int]]:
        """Calls whose results a receipt would shorten, and by how many tokens."""
        for group in groups:
            calls = group.calls
            for result in group.results:
                if self._try.put_aside(result.call_id):
                    continue
                call = calls[result.call_id]
                shown = receipt(self._try.store, call, result.content, preview_chars)
                saved = text_tokens(result.content) - text_tokens(shown)
                if saved > 0:
                    yield result.call_id, saved
