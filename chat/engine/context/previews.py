"""How much of results that the model has not read can be shown, each the same at most.

A short result beside a long one so stays whole, and of the long one more is shown.
"""

from bisect import bisect_right
from collections.abc import Sequence

from chat.engine.context.receipts import Candidate
from chat.engine.context.tokens import CHARS_PER_TOKEN

# A beginning of fewer characters says nothing.
LEAST_CHARS = 40


def longest_preview(
    candidates: Sequence[Candidate], tokens: int, most: int | None = None
) -> int:
    """Return how many characters of each may be shown so that all fit into `tokens`.

    0 where nothing can be shown, which does not yet say that the rest fits. most: the
    largest answer wanted.
    """
    longest = max((len(each.source.text) for each in candidates), default=0)
    bounds = (longest, max(0, tokens) * CHARS_PER_TOKEN, most)
    top = min(bound for bound in bounds if bound is not None)
    chars = bisect_right(
        range(top + 1), tokens, key=lambda chars: _size(candidates, chars, tokens)
    )
    return chars - 1 if chars > LEAST_CHARS else 0


def to_shorten(
    candidates: Sequence[Candidate], chars: int, tokens: int
) -> tuple[str, ...]:
    """Return the ids of those to be cut to `chars`.

    What room is then left in `tokens` lets some stay whole, the shortest first.
    """
    left = tokens - sum(each.tokens_at(chars) for each in candidates)
    cut = set()
    for each in sorted(candidates, key=lambda each: each.whole):
        more = each.whole - each.tokens_at(chars)
        if more > left:
            cut.add(each.call_id)
        left -= more if more <= left else 0
    return tuple(each.call_id for each in candidates if each.call_id in cut)


def _size(candidates: Sequence[Candidate], chars: int, enough: int) -> int:
    """Tokens of all together, counted only until it is more than enough."""
    total = 0
    for each in candidates:
        total += each.tokens_at(chars)
        if total > enough:
            break
    return total
