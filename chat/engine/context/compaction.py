"""When and what to put aside, in three tiers.

mask        results of older steps become receipts; nothing else changes
fold        the oldest steps become lines of one catalog
emergency   hardly anything of the last step, which the model has not read, remains

A compaction makes every later message new to the provider's cache and ends the validity
of signatures over them, so that it comes seldom and goes far below where it began.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from chat.engine.context.group import Group
from chat.engine.context.plan import Compaction
from chat.engine.context.previews import longest_preview, to_shorten
from chat.engine.context.receipts import Candidate
from chat.engine.context.tokens import text_tokens
from chat.engine.context.transcript import Transcript

__all__ = ["Compaction", "plan_compaction"]

# Where less is shown of what was not read, it is an emergency.
SHORTEST_PREVIEW = 200
# The catalog's part of what can be put aside, in hundredths, and its most in tokens.
CATALOG_PERCENT = 10
CATALOG_TOKENS = 2_000


class Pace(NamedTuple):
    """Where it begins and how far it goes, in hundredths of the room that a limit
    leaves beside what never changes; how many of the last steps stay whole if they can.
    Longer runs leave more room for what comes."""

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
    pace, used, least = PACES[mode], transcript.tokens, transcript.least_tokens
    limit -= extra
    room = max(0, limit - least)
    begin, aim = (least + room * part // 100 for part in (pace.begin, pace.aim))
    if force:
        aim = min(aim, (used + extra) // 2 - extra)
        return _Plan(transcript, _Sizes(limit, aim, aim, aim), pace.recent).made()
    if used <= begin:
        return None
    sizes = _Sizes(limit, limit, (aim + begin) // 2, aim)
    return _Plan(transcript, sizes, pace.recent).made()


class _Sizes(NamedTuple):
    """Tokens of the transcript.

    limit: never more. unread: more only if the model would see hardly anything of new
    results. easy: more only if nothing older is left. aim: what is aimed at.
    """

    limit: int
    unread: int
    easy: int
    aim: int


class _Plan:
    """One plan, tried out on a copy."""

    def __init__(self, transcript: Transcript, sizes: _Sizes, recent: int) -> None:
        self._before = transcript
        self._try = transcript.copy()
        self._sizes = sizes
        self._recent = recent
        self._tier = 1
        self._masked: list[str] = []
        self._preview = self._folded = 0
        self._catalog: int | None = None

    def made(self) -> Compaction | None:
        """Go on until it fits, from what costs the model least."""
        older = self._try.groups
        older = older[: max(0, len(older) - self._recent)]
        self._mask(older)
        self._fold(older)
        if self._try.tokens > self._sizes.easy:
            self._mask(self._try.groups)
            self._fold(self._try.groups[:-1])
        if self._try.tokens > self._sizes.limit:
            self._fold(self._try.done)
        if self._try.tokens > self._sizes.unread:
            self._shorten_unread()
        if self._try.tokens > self._sizes.limit:
            self._fold_everything()
        if self._try.tokens >= self._before.tokens:
            return None
        masked, unseen = tuple(self._masked), self._unseen()
        return Compaction(
            self._tier, masked, self._preview, self._folded, unseen, self._catalog
        )

    def _mask(self, groups: Sequence[Group]) -> None:
        """Mask results that were read, the oldest first, until the aim is reached."""
        chosen, size = [], self._try.tokens
        for call_id, saved in self._savings(groups):
            if size <= self._sizes.aim:
                break
            chosen.append(call_id)
            size -= saved
        if chosen:
            self._try.mask(frozenset(chosen), 0)
            self._masked += chosen

    def _savings(self, groups: Sequence[Group]) -> Iterator[tuple[str, int]]:
        for group in groups:
            if not group.bare:
                for each in self._try.candidates(group, unread=False):
                    text = each.stand_in(None)
                    if text is not None:
                        yield each.call_id, each.whole - text_tokens(text)

    def _fold(self, groups: Sequence[Group]) -> None:
        """Fold groups, the oldest first, until the aim is reached, if it shortens."""
        lines = self._usual_catalog()
        # The first time, the catalog takes room itself.
        target = self._sizes.aim - (0 if self._try.catalog.steps else lines)
        count, size = 0, self._try.tokens
        while size > target and count < len(groups):
            size -= groups[count].tokens
            count += 1
        if self._try.tokens <= self._sizes.aim or not count:
            return
        folded = self._try.copy()
        folded.fold(count, lines)
        if folded.tokens < self._try.tokens:
            self._try, self._catalog = folded, lines
            self._tier = 2
            self._folded += count

    def _shorten_unread(self) -> None:
        """Show of the last results as much as fits, of each the same at most."""
        unread = _unread(self._try)
        rest = self._try.tokens - sum(each.whole for each in unread)
        limit, target = self._sizes.limit - rest, self._sizes.unread - rest
        self._preview = longest_preview(unread, target)
        if self._preview < SHORTEST_PREVIEW and target < limit:
            self._preview = longest_preview(unread, limit, SHORTEST_PREVIEW)
        chosen = to_shorten(unread, self._preview, target)
        self._try.mask(frozenset(chosen), self._preview)
        self._masked += chosen
        if chosen and self._preview < SHORTEST_PREVIEW:
            self._tier = 3

    def _fold_everything(self) -> None:
        """Fold even the last step, and shorten the catalog until all fits."""
        groups, lines = self._try.groups, self._usual_catalog()
        self._tier = 3 if groups else 2
        self._folded += len(groups)
        self._try.fold(len(groups), lines)
        while self._try.tokens > self._sizes.limit and lines:
            lines //= 2
            self._try.fold(0, lines)
        self._catalog = lines

    def _usual_catalog(self) -> int:
        room = max(0, self._sizes.limit - self._before.least_tokens)
        return min(CATALOG_TOKENS, room * CATALOG_PERCENT // 100)

    def _unseen(self) -> int:
        """How many results the model will see nothing of, besides those before."""
        after = self._try.unseen
        if self._try.unread != self._before.unread:
            after = sum(bool(each.source.text) for each in _unread(self._before))
        return after - self._before.unseen


def _unread(transcript: Transcript) -> list[Candidate]:
    """What the model has not read yet."""
    candidates: list[Candidate] = []
    for group in transcript.groups[-1:]:
        candidates += transcript.candidates(group, unread=True)
    return candidates
