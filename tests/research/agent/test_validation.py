"""Claims are accepted by code: bounded, cited, on a question that was asked."""

import pytest

from research.agent.extraction import ClaimDraft
from research.agent.validation import MOST_CLAIMS, MOST_QUOTES, Rejection, validate
from research.subjects.question import Question

QUESTIONS = (Question("licence", "Under which licence?"),)
QUOTE = ("doc:a", "MIT")


def draft(
    statement: str = "It is MIT.",
    question: str = "licence",
    quotes: tuple[tuple[str, str], ...] = (QUOTE,),
) -> ClaimDraft:
    return ClaimDraft(question, statement, quotes)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (draft(question="safe"), Rejection.UNKNOWN_QUESTION),
        (draft(statement=" "), Rejection.EMPTY_STATEMENT),
        (draft(quotes=()), Rejection.UNCITED),
        (draft(quotes=(("doc:a", " "),)), Rejection.UNCITED),
    ],
)
def test_a_claim_that_does_not_hold_is_dropped_and_counted(
    bad: ClaimDraft, reason: Rejection
) -> None:
    result = validate([bad, draft()], QUESTIONS)
    assert result.accepted == (draft(),)
    assert result.count(reason) == 1


def test_the_same_statement_twice_is_one_claim() -> None:
    result = validate([draft(), draft("It  is mit.")], QUESTIONS)
    assert len(result.accepted) == 1
    assert result.count(Rejection.DUPLICATE) == 1


def test_there_is_an_end_to_claims_and_to_quotes() -> None:
    many = [draft(f"Claim {number}.") for number in range(MOST_CLAIMS + 2)]
    result = validate(many, QUESTIONS)
    assert len(result.accepted) == MOST_CLAIMS
    assert result.count(Rejection.TOO_MANY_CLAIMS) == 2
    quotes = tuple(("doc:a", f"quote {number}") for number in range(MOST_QUOTES + 3))
    result = validate([draft(quotes=quotes)], QUESTIONS)
    assert result.accepted[0].quotes == quotes[:MOST_QUOTES]
    assert result.count(Rejection.TOO_MANY_QUOTES) == 1
