"""From what a run did to claim drafts and to the end of every question."""

from chat.engine import ToolCall, ToolResult
from research.agent.extraction import Answered, claim_drafts, question_outcomes
from research.subjects.question import OPEN_WEB, Question

QUESTIONS = (
    Question("licence", "Licence?", searches=("licence",)),
    Question("advisories", "Advisories?", searches=("cve",)),
    Question("independent", "Others?", needs=OPEN_WEB),
)


def search(query: str, *, is_error: bool = False) -> Answered:
    call = ToolCall("s", "search_documents", {"query": query})
    return call, ToolResult("[]", is_error=is_error)


def cite(claim: str, quote: str, *, is_error: bool = False) -> Answered:
    value = {"question": "licence", "claim": claim, "uri": "doc:a", "quote": quote}
    result = ToolResult("", value=None if is_error else value, is_error=is_error)
    return ToolCall("c", "cite", value), result


def absence(question: str, *searched: str) -> Answered:
    value = {"question": question, "searched": list(searched)}
    return ToolCall("n", "note_absence", value), ToolResult("", value=value)


def ends(pairs: list[Answered], **facts: object) -> dict[str, tuple[str, str]]:
    known = {"documents": 1, **facts}
    outcomes = question_outcomes(QUESTIONS, pairs, **known)  # type: ignore[arg-type]
    return {each.key: (each.outcome, each.reason) for each in outcomes}


def test_quotes_of_one_statement_become_one_claim() -> None:
    pairs = [cite("It is MIT.", "MIT"), cite("It is  MIT.", "MIT License")]
    (claim,) = claim_drafts(pairs)
    assert claim.statement == "It is MIT."
    assert claim.quotes == (("doc:a", "MIT"), ("doc:a", "MIT License"))


def test_a_refused_citation_is_no_claim() -> None:
    pairs = [search("licence"), cite("It is MIT.", "GPL", is_error=True)]
    assert claim_drafts(pairs) == []
    assert ends(pairs)["licence"][0] == "not_checked"


def test_the_three_ends_of_a_question() -> None:
    pairs = [
        search("licence"),
        search("cve"),
        cite("It is MIT.", "MIT"),
        absence("advisories", "cve"),
    ]
    assert ends(pairs) == {
        "licence": ("answered", ""),
        "advisories": ("searched_not_found", ""),
        "independent": (
            "not_checked",
            "It needs the open web, which this run did not have.",
        ),
    }


def test_an_absence_without_its_search_is_not_believed() -> None:
    assert ends([absence("advisories", "cve")])["advisories"] == (
        "not_checked",
        "None of this question's searches was made, and no answer was recorded.",
    )


def test_an_absence_after_a_failed_search_is_not_believed() -> None:
    pairs = [search("cve", is_error=True), absence("advisories", "cve")]
    assert ends(pairs)["advisories"][0] == "not_checked"


def test_a_question_that_the_run_did_not_reach_names_the_stop() -> None:
    reason = ends([search("cve")], stop="tool_budget")["advisories"][1]
    assert reason == "The run stopped before this question was settled: tool budget."


def test_a_run_without_documents_checked_nothing() -> None:
    assert ends([], documents=0)["licence"] == (
        "not_checked",
        "This run had no documents to search.",
    )
