"""Findings in words: the run behind them, claims, quotes, and what was searched."""

import json
import re
from collections.abc import Callable, Iterable

from research.evidence import Evidence
from research.models import Citation, Claim, Grade, Question, QuestionOutcome, Run
from research.presentation.counts import counted
from research.presentation.words import question_words

# What plain-text formats put before a line and around words. Within a word the same
# characters are letters of it, as in 2*3 and in snake_case.
_MARKUP = re.compile(
    r"^\s*(?:[-+*•>]|#+)\s+|(?<![^\W_])[*_`~]+|[*_`~]+(?![^\W_])", re.MULTILINE
)
_GRADES = {
    Grade.EXACT: "exact",
    Grade.TYPOGRAPHIC: "typographic",
    Grade.MISSING: "not in the page",
}
_DIFFERENCE = "quotation marks, dashes, spaces or line breaks differ"


def findings_run(evidence: Evidence) -> Run | None:
    """The run whose ledger is shown, else the newest one."""
    return evidence.questions[0].run if evidence.questions else evidence.run


def accepted(claims: Iterable[Claim]) -> list[Claim]:
    return [claim for claim in claims if not claim.rejected_reason]


def rejected(claims: Iterable[Claim]) -> list[Claim]:
    return [claim for claim in claims if claim.rejected_reason]


def says_more(claim: Claim) -> bool:
    """Whether the statement says anything beyond its quote.

    Only mark-up characters and white space count as nothing.
    """
    quotes = {_bare(citation.quote) for citation in claim.citations.all()}
    return quotes != {_bare(claim.statement)}


def grade_words(citation: Citation) -> str:
    return _GRADES[Grade(citation.grade)]


def grade_and_place(citation: Citation) -> str:
    """How the quote stands in the archived text, and where."""
    grade = grade_words(citation)
    if citation.grade == Grade.MISSING:
        return grade
    if citation.grade == Grade.TYPOGRAPHIC:
        grade = f"{grade}: {_DIFFERENCE}"
    across = ", across paragraphs" if citation.crosses_blocks else ""
    return (
        f"{grade}{across}; characters {citation.start}–{citation.end},"
        f" bytes {citation.byte_start}–{citation.byte_end}"
    )


def quote_light(citation: Citation) -> str:
    """The first light, a sentence: whether the quote is in the archived page."""
    if citation.grade == Grade.MISSING:
        return "Quote is not in the page."
    return f"Quote is in the page ({grade_and_place(citation)})."


def searches(question: Question) -> list[str]:
    """What was searched for; a row that cannot be read shows nothing."""
    try:
        listed = json.loads(question.searches)
    except ValueError:
        return []
    return [str(item) for item in listed] if isinstance(listed, list) else []


def searched(question: Question, quoted: Callable[[str], str] = "“{}”".format) -> str:
    """What was read and searched for, one sentence where nothing was found."""
    if question.outcome != QuestionOutcome.SEARCHED_NOT_FOUND:
        return ""
    terms = ", ".join(map(quoted, searches(question)))
    read = f"{counted(question.sources_read, 'document')} read"
    return f"{read}; searched for {terms}." if terms else f"{read}."


def outcome_sentences(question: Question) -> str:
    """How a question ended, what was searched in vain, and why."""
    sentences = (
        f"{question_words(question.outcome)}.",
        searched(question),
        question.reason,
    )
    return " ".join(filter(None, sentences))


def _bare(text: str) -> str:
    return " ".join(_MARKUP.sub("", text).split())
