"""What a question is, and what answers it.

A question carries data for a reader without a language model: what to search, which
lines of which files answer it, and cue patterns. A passage that matches no cue is not
offered, however well it ranks.
"""

import json
from dataclasses import asdict, dataclass
from typing import Any

OPEN_WEB = "open_web"
COMPARISON = "comparison"

# Why a question cannot be looked into by a run that lacks what it needs.
LACKING = {
    OPEN_WEB: "It needs the open web, which this run did not have.",
    COMPARISON: "It needs a reader that can compare what the sources say, which this"
    " run did not have.",
}


@dataclass(frozen=True, slots=True)
class Cue:
    """A pattern that a sentence must match; the lowest rank is quoted first.

    It meets up to 900 characters of somebody else's, on one line. Where something is to
    stand anywhere behind something else, `\\A(?>.*?first).*then` looks once.
    A cue that is not `prose` also passes short units that are mostly digits.
    """

    pattern: str
    rank: int = 3
    prose: bool = True


@dataclass(frozen=True, slots=True)
class LineCue:
    """A pattern for whole lines of the documents whose URI matches `document`.

    `head` looks only above the first blank line; neighbours that match become one
    quote; at most `most` quotes are taken. No sentence of a `data` document is quoted.
    """

    document: str
    pattern: str
    rank: int = 1
    head: bool = False
    most: int = 1
    data: bool = True


@dataclass(frozen=True, slots=True)
class Question:
    """One line of the ledger; `needs` names what a run must have to look into it."""

    key: str
    wording: str
    searches: tuple[str, ...] = ()
    lines: tuple[LineCue, ...] = ()
    cues: tuple[Cue, ...] = ()
    negative: tuple[str, ...] = ()
    sections: str = ""
    changelog: bool = False
    headings: bool = False
    needs: str = ""
    terms: str = ""

    def as_context(self) -> dict[str, Any]:
        """The question as JSON-able data, for Task.context."""
        context: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return context
