"""A deterministic researcher that is no language model.

It answers the questions in Task.context with verbatim passages of the documents that
the run's own tools give it. It is a pure function of the request: the same conversation
gives the same calls, so that a resumed run goes on as it would have.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import Any

from chat.engine import (
    ModelProfile,
    ModelReply,
    ModelRequest,
    ReplyStop,
    TextDelta,
    ToolCall,
    Usage,
)
from chat.providers.extractive.plan import records, searchable, survey, windows
from chat.providers.extractive.seen import Call, Seen, seen_in

NAME = "extractive"


class ExtractiveModel:
    """Searches, reads and quotes through the same loop and tools as any model."""

    @property
    def profile(self) -> ModelProfile:
        return ModelProfile(NAME, language_model=False)

    def complete(self, request: ModelRequest) -> ModelReply:
        """The next calls, or the closing sentence when all is recorded."""
        seen = seen_in(request.messages)
        calls = _next_calls(request, seen)
        if not calls:
            text = _closing_text(request.task.context, seen)
            return ModelReply(text=text, usage=Usage(), model=NAME)
        turn = len(request.messages)
        numbered = tuple(
            ToolCall(f"call_{turn}_{place}", call.name, call.arguments)
            for place, call in enumerate(calls, 1)
        )
        return ModelReply(
            calls=numbered, usage=Usage(), stop=ReplyStop.TOOL_USE, model=NAME
        )

    def stream(self, request: ModelRequest) -> Iterator[TextDelta | ModelReply]:
        """The text in one piece, then the reply."""
        reply = self.complete(request)
        if reply.text:
            yield TextDelta(reply.text)
        yield reply

    def estimate(self, request: ModelRequest) -> Decimal | None:
        """It costs nothing."""
        return Decimal(0)

    def price(self, usage: Usage) -> Decimal | None:
        """It costs nothing."""
        return Decimal(0)


def _next_calls(request: ModelRequest, seen: Seen) -> list[Call]:
    """The calls of the first round that has any left to make."""
    context = request.task.context
    documents = context.get("documents", [])
    questions = _searchable(context)
    names = {tool.name for tool in request.tools}
    if not documents or not questions:
        return []
    rounds: tuple[Callable[[], list[Call]], ...] = (
        partial(survey, questions, documents),
        partial(windows, questions, seen),
        partial(records, questions, seen),
    )
    for plan in rounds:
        left = [call for call in plan() if call.name in names and call not in seen.made]
        if left:
            return left
    return []


def _searchable(context: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    available: Sequence[str] = context.get("available", [])
    questions = context.get("questions", [])
    return [question for question in questions if searchable(question, available)]


def _closing_text(context: Mapping[str, Any], seen: Seen) -> str:
    read = len({page.uri for page in seen.pages})
    cited = [call for call in seen.recorded if call.name == "cite"]
    answered = len({call.arguments.get("question") for call in cited})
    asked = len(context.get("questions", []))
    return (
        f"Read {read} of {len(context.get('documents', []))} documents."
        f" {answered} of {asked} questions answered; no language model was used."
    )
