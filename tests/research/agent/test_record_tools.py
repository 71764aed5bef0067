"""cite and note_absence take only what code can check."""

from typing import Any

import pytest

from chat.engine import Tool
from chat.web.search import Document, DocumentIndex
from research.agent.toolset import record_tools
from research.subjects.identity import parse_subject
from research.subjects.questions import questions_for

TEXT = "It is published under the\nMIT “licence”."


@pytest.fixture
def tools() -> dict[str, Tool]:
    questions = questions_for(parse_subject("pkg:pypi/bleach"))
    index = DocumentIndex([Document("doc:a", "A", TEXT)])
    return {tool.name: tool for tool in record_tools(questions, index)}


def citation(**changes: str) -> dict[str, Any]:
    return {
        "question": "licence",
        "claim": "It is under the MIT licence.",
        "uri": "doc:a",
        "quote": "published under the\nMIT",
        **changes,
    }


@pytest.mark.parametrize(
    ("quote", "grade"),
    [("under the\nMIT", "exact"), ('under the MIT "licence"', "typographic")],
)
def test_a_quote_that_is_there_is_recorded_with_its_grade(
    tools: dict[str, Tool], quote: str, grade: str
) -> None:
    result = tools["cite"].call(citation(quote=quote))
    assert not result.is_error
    assert result.value == {**citation(quote=quote), "grade": grade}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"quote": "under the GPL"}, "The quote is not in the document"),
        ({"quote": "   "}, "The quote is not in the document"),
        ({"uri": "https://elsewhere.example"}, "was not offered"),
        ({"question": "safe"}, "There is no question"),
        ({"claim": "  "}, "The claim is empty"),
    ],
)
def test_what_cannot_be_checked_is_not_recorded(
    tools: dict[str, Tool], changes: dict[str, str], reason: str
) -> None:
    result = tools["cite"].call(citation(**changes))
    assert result.is_error
    assert reason in result.content


def test_an_absence_names_its_searches(tools: dict[str, Tool]) -> None:
    arguments = {"question": "advisories", "searched": ["CVE"]}
    assert tools["note_absence"].call(arguments).value == arguments


def test_what_could_not_be_looked_at_is_no_absence(tools: dict[str, Tool]) -> None:
    arguments = {"question": "independent", "searched": ["reviews"]}
    result = tools["note_absence"].call(arguments)
    assert result.is_error
    assert "needs the open web" in result.content


def test_an_absence_is_for_a_question_that_was_asked(tools: dict[str, Tool]) -> None:
    result = tools["note_absence"].call({"question": "x", "searched": ["y"]})
    assert result.is_error
