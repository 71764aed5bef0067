"""The record tools: what they take goes into the run's own notes and reaches nobody.

They check what code can check; nothing is stored here. A result's `value` holds what
was recorded, so that the journal does.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from chat.engine import Tool, ToolResult
from chat.web.reading import locate
from research.agent.ports import OfferedDocuments
from research.agent.validation import is_storable
from research.subjects.question import LACKING, Question

MOST_CLAIM_CHARS = 1_000
MOST_QUOTE_CHARS = 2_000
MOST_QUERIES = 20
MOST_QUERY_CHARS = 500


def record_tools(
    questions: Sequence[Question],
    documents: OfferedDocuments,
    *,
    available: Iterable[str] = (),
) -> tuple[Tool, ...]:
    """cite and note_absence for these questions and documents.

    available: the needs of questions that this run can meet.
    """
    by_key = {question.key: question for question in questions}
    keys = ", ".join(by_key)
    return (
        _cite_tool(by_key, keys, documents),
        _absence_tool(by_key, keys, frozenset(available)),
    )


def _cite_tool(
    questions: dict[str, Question], keys: str, documents: OfferedDocuments
) -> Tool:
    def cite(arguments: dict[str, Any]) -> ToolResult:
        if arguments["question"] not in questions:
            return _refused(
                f"There is no question {arguments['question']!r:.80}: {keys}."
            )
        document = documents.document(arguments["uri"])
        if document is None:
            return _refused(f"The run was not offered {arguments['uri']!r:.200}.")
        match = locate(arguments["quote"], document.text)
        if match is None:
            return _refused("The quote is not in the document; copy it word for word.")
        if not arguments["claim"].strip():
            return _refused("The claim is empty.")
        if not is_storable(arguments["claim"] + arguments["quote"]):
            return _refused("The claim or the quote has characters that are no text.")
        recorded = {**arguments, "grade": match.grade}
        place = f"{match.grade}, characters {match.start} to {match.end}"
        return ToolResult(f"Recorded: {place}.", value=recorded)

    return Tool(
        "cite",
        "Record one claim for a question with a verbatim quote that supports it. The"
        " quote must stand in the document; a claim says what the quote says and gives"
        f" no verdict. At most {MOST_CLAIM_CHARS:,} characters of claim and"
        f" {MOST_QUOTE_CHARS:,} of quote. Questions: {keys}.",
        {
            "properties": {
                "question": {"type": "string"},
                "claim": _text(MOST_CLAIM_CHARS),
                "uri": {"type": "string", "minLength": 1},
                "quote": _text(MOST_QUOTE_CHARS),
            },
            "required": ["question", "claim", "uri", "quote"],
            "additionalProperties": False,
        },
        cite,
        kind="context",
        idempotent=True,
        resource_argument="uri",
    )


def _absence_tool(
    questions: dict[str, Question], keys: str, available: frozenset[str]
) -> Tool:
    def note_absence(arguments: dict[str, Any]) -> ToolResult:
        question = questions.get(arguments["question"])
        if question is None:
            return _refused(
                f"There is no question {arguments['question']!r:.80}: {keys}."
            )
        if question.needs and question.needs not in available:
            # What was not looked at is never recorded as looked for.
            return _refused(f"It stays not checked. {LACKING[question.needs]}")
        return ToolResult("Recorded: searched and not found.", value=dict(arguments))

    return Tool(
        "note_absence",
        "Record that a question was searched for and nothing was found, with the"
        f" queries that were searched, at most {MOST_QUERIES}. Questions: {keys}.",
        {
            "properties": {
                "question": {"type": "string"},
                "searched": {
                    "type": "array",
                    "items": _text(MOST_QUERY_CHARS),
                    "minItems": 1,
                    "maxItems": MOST_QUERIES,
                },
            },
            "required": ["question", "searched"],
            "additionalProperties": False,
        },
        note_absence,
        kind="context",
        idempotent=True,
    )


def _text(longest: int) -> dict[str, Any]:
    return {"type": "string", "minLength": 1, "maxLength": longest}


def _refused(sentence: str) -> ToolResult:
    return ToolResult(sentence, is_error=True)
