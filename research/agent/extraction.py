"""From what a run did to claim drafts, and to what became of every question."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from chat.engine import Event, ToolAnswered, ToolCall, ToolCalled, ToolResult
from research.subjects.question import LACKING, Question

Answered = tuple[ToolCall, ToolResult]


class QuestionState(StrEnum):
    """The three ends of a question; what was not looked at is never `not found`."""

    ANSWERED = "answered"
    SEARCHED_NOT_FOUND = "searched_not_found"
    NOT_CHECKED = "not_checked"


@dataclass(frozen=True, slots=True)
class ClaimDraft:
    """One statement for a question, with its (uri, quote) pairs."""

    question: str
    statement: str
    quotes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class QuestionOutcome:
    """What became of one question. searches and sources_read: what was really done."""

    key: str
    outcome: QuestionState
    reason: str
    searches: tuple[str, ...]
    sources_read: tuple[str, ...]


def answered_calls(events: Iterable[Event]) -> list[Answered]:
    """Every call of the events with its answer, in order."""
    called: dict[str, ToolCall] = {}
    pairs: list[Answered] = []
    for event in events:
        if isinstance(event, ToolCalled):
            called[event.call.id] = event.call
        elif isinstance(event, ToolAnswered):
            # A call that was refused was answered without having been called.
            call = called.get(event.call_id, ToolCall(event.call_id, event.name, {}))
            pairs.append((call, event.result))
    return pairs


def claim_drafts(pairs: Iterable[Answered]) -> list[ClaimDraft]:
    """The claims that were recorded; quotes of one statement are put together."""
    quotes: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for record in _records(pairs, "cite"):
        key = (str(record["question"]), " ".join(str(record["claim"]).split()))
        quotes.setdefault(key, []).append((str(record["uri"]), str(record["quote"])))
    return [
        ClaimDraft(question, statement, tuple(dict.fromkeys(found)))
        for (question, statement), found in quotes.items()
    ]


def question_outcomes(
    questions: Sequence[Question],
    pairs: Sequence[Answered],
    *,
    documents: int,
    stop: str = "completed",
    available: Iterable[str] = (),
) -> list[QuestionOutcome]:
    """The end of every question, in order.

    documents: how many the run was given. stop: the reason for which the run stopped.
    """
    cited = {str(record["question"]) for record in _records(pairs, "cite")}
    absences = {
        str(record["question"]): list(record["searched"])
        for record in _records(pairs, "note_absence")
    }
    done = _Done(_searched(pairs), _read(pairs))
    met = frozenset(available)
    outcomes = []
    for question in questions:
        if question.key in cited:
            outcomes.append(done.outcome(question, QuestionState.ANSWERED, ""))
        elif done.searched_for(absences.get(question.key, ())):
            state = QuestionState.SEARCHED_NOT_FOUND
            named = absences[question.key]
            outcomes.append(done.outcome(question, state, "", named))
        else:
            reason = _reason(question, documents, stop, met, done)
            outcomes.append(done.outcome(question, QuestionState.NOT_CHECKED, reason))
    return outcomes


@dataclass(frozen=True, slots=True)
class _Done:
    """The searches that were answered and the documents that were read."""

    searches: tuple[str, ...]
    sources: tuple[str, ...]

    def searched_for(self, named: Iterable[Any]) -> bool:
        """Whether any of the searches that a record names did take place."""
        return any(query in self.searches for query in named)

    def outcome(
        self,
        question: Question,
        state: QuestionState,
        reason: str,
        named: Iterable[Any] = (),
    ) -> QuestionOutcome:
        wanted = {*question.searches, *named}
        searches = tuple(query for query in self.searches if query in wanted)
        read = () if state is QuestionState.NOT_CHECKED else self.sources
        return QuestionOutcome(question.key, state, reason, searches, read)


def _reason(
    question: Question, documents: int, stop: str, met: frozenset[str], done: _Done
) -> str:
    if question.needs and question.needs not in met:
        return LACKING[question.needs]
    if not documents:
        return "This run had no documents to search."
    if stop != "completed":
        words = stop.replace("_", " ")
        return f"The run stopped before this question was settled: {words}."
    if not any(query in done.searches for query in question.searches):
        return "None of this question's searches was made, and no answer was recorded."
    return "The run recorded neither an answer nor that there is none."


def _records(pairs: Iterable[Answered], name: str) -> list[Mapping[str, Any]]:
    """What the record tool `name` accepted, from its own results."""
    return [
        result.value
        for call, result in pairs
        if call.name == name and not result.is_error and isinstance(result.value, dict)
    ]


def _searched(pairs: Iterable[Answered]) -> tuple[str, ...]:
    queries = [
        str(call.arguments.get("query", ""))
        for call, result in pairs
        if call.name == "search_documents"
        and not result.is_error
        and not isinstance(call.arguments, str)
    ]
    return tuple(dict.fromkeys(queries))


def _read(pairs: Iterable[Answered]) -> tuple[str, ...]:
    uris = [str(record["uri"]) for record in _records(pairs, "read_document")]
    return tuple(dict.fromkeys(uris))
