"""Claims are accepted by code: bounded, cited, on a question that was asked."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from research.agent.extraction import ClaimDraft
from research.subjects.question import Question

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
MOST_CLAIMS = 30
MOST_QUOTES = 5


class Rejection(StrEnum):
    """Why a claim, or some of its quotes, was not accepted."""

    UNKNOWN_QUESTION = "unknown_question"
    EMPTY_STATEMENT = "empty_statement"
    UNCITED = "uncited"
    UNSTORABLE = "unstorable"
    DUPLICATE = "duplicate"
    TOO_MANY_CLAIMS = "too_many_claims"
    TOO_MANY_QUOTES = "too_many_quotes"


@dataclass(frozen=True, slots=True)
class RejectedClaim:
    """One draft that was left out, or cut, and the reason."""

    draft: ClaimDraft
    reason: Rejection


@dataclass(frozen=True, slots=True)
class Validated:
    """The claims that go into the dossier, and those that do not."""

    accepted: tuple[ClaimDraft, ...]
    rejected: tuple[RejectedClaim, ...]

    def count(self, reason: Rejection) -> int:
        """How many were rejected for `reason`."""
        return sum(entry.reason is reason for entry in self.rejected)


def validate(drafts: Iterable[ClaimDraft], questions: Sequence[Question]) -> Validated:
    """The drafts that hold, in order; a claim with too many quotes keeps the first."""
    keys = {question.key for question in questions}
    accepted: dict[tuple[str, str], ClaimDraft] = {}
    rejected: list[RejectedClaim] = []
    for draft in drafts:
        cited = replace(draft, quotes=_whole_quotes(draft))
        folded = (draft.question, " ".join(draft.statement.split()).casefold())
        reason = _reason(cited, keys, folded in accepted, len(accepted))
        if reason is not None:
            rejected.append(RejectedClaim(draft, reason))
            continue
        if len(cited.quotes) > MOST_QUOTES:
            rejected.append(RejectedClaim(draft, Rejection.TOO_MANY_QUOTES))
        accepted[folded] = replace(cited, quotes=cited.quotes[:MOST_QUOTES])
    return Validated(tuple(accepted.values()), tuple(rejected))


def is_storable(text: str) -> bool:
    """Databases take neither NUL nor half a surrogate pair."""
    return not _UNSTORABLE.search(text)


def _texts(draft: ClaimDraft) -> list[str]:
    return [draft.statement, *(quote for _, quote in draft.quotes)]


def _whole_quotes(draft: ClaimDraft) -> tuple[tuple[str, str], ...]:
    quotes = (pair for pair in draft.quotes if pair[0].strip() and pair[1].strip())
    return tuple(dict.fromkeys(quotes))


def _reason(
    draft: ClaimDraft, keys: set[str], known: bool, accepted: int
) -> Rejection | None:
    if draft.question not in keys:
        return Rejection.UNKNOWN_QUESTION
    if not draft.statement.strip():
        return Rejection.EMPTY_STATEMENT
    if not draft.quotes:
        return Rejection.UNCITED
    if not all(map(is_storable, _texts(draft))):
        return Rejection.UNSTORABLE
    if known:
        return Rejection.DUPLICATE
    return Rejection.TOO_MANY_CLAIMS if accepted >= MOST_CLAIMS else None
