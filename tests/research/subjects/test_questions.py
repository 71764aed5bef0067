"""Every kind of subject has its fixed list of questions."""

import json
import re

import pytest

from research.subjects.identity import parse_subject
from research.subjects.question import LACKING
from research.subjects.questions import questions_for

SUBJECTS = {
    "pkg:pypi/django-q2": [
        "licence",
        "maintained",
        "release_history",
        "security_contact",
        "advisories",
        "install_time",
        "requirements",
        "provenance",
        "independent",
    ],
    "https://mcp.example.org": [
        "publisher",
        "capabilities",
        "asks_for",
        "maintained",
        "advisories",
        "independent",
        "privacy",
        "contradictions",
    ],
    "example.org": [
        "legal_entity",
        "security",
        "incidents",
        "data_handling",
        "status_history",
        "support_terms",
        "independent",
    ],
    "How many retries does it make?": ["question"],
}


@pytest.mark.parametrize("text", SUBJECTS)
def test_the_list_is_the_kinds(text: str) -> None:
    questions = questions_for(parse_subject(text))
    assert [question.key for question in questions] == SUBJECTS[text]


@pytest.mark.parametrize("text", SUBJECTS)
def test_a_question_travels_as_json_and_its_patterns_compile(text: str) -> None:
    for question in questions_for(parse_subject(text)):
        context = question.as_context()
        assert json.loads(json.dumps(context)) == context
        for cue in (*context["cues"], *context["lines"]):
            re.compile(cue["pattern"])


@pytest.mark.parametrize("text", SUBJECTS)
def test_a_question_can_be_searched_or_says_what_it_lacks(text: str) -> None:
    for question in questions_for(parse_subject(text)):
        assert bool(question.searches) != bool(question.needs)
        assert not question.needs or LACKING[question.needs].endswith(".")


def test_launch_commands_share_the_servers_list() -> None:
    server = questions_for(parse_subject("https://mcp.example.org"))
    command = questions_for(parse_subject("npx @scope/server"))
    assert [each.key for each in server] == [each.key for each in command]


def test_a_free_question_keeps_its_wording() -> None:
    (question,) = questions_for(parse_subject("How many retries does it make?"))
    assert question.wording == "How many retries does it make?"
