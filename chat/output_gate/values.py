"""An answer as the model left it: what is stored, and never shown as it is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from chat.engine import (
    AgentResult,
    AnswerSource,
    Citation,
    ModelReply,
    ReplyStop,
    Status,
    StopReason,
)
from chat.engine.codec import decode, encode

_STOPS = {
    ReplyStop.MAX_TOKENS: StopReason.TRUNCATED,
    ReplyStop.WINDOW: StopReason.TRUNCATED,
    ReplyStop.REFUSAL: StopReason.REFUSAL,
}


@dataclass(frozen=True, slots=True)
class Answer:
    """Text of a model and how it came to its end; the words are those of AgentResult.

    citations: as the provider gave them, without its own blocks. final: false of a
    reply in the middle of a run, which may well be empty.
    """

    text: str
    stop: StopReason
    status: Status = Status.SUCCESS
    source: AnswerSource = AnswerSource.REPLY
    secondary: tuple[StopReason, ...] = ()
    schema_valid: bool | None = None
    citations: tuple[Citation, ...] = ()
    final: bool = True

    @classmethod
    def of(cls, result: AgentResult) -> "Answer":
        """The answer of a run that is over."""
        return cls(
            text=result.output,
            stop=result.stop,
            status=result.status,
            source=result.answer_source,
            secondary=result.secondary,
            schema_valid=result.schema_valid,
            citations=_without_blocks(result.citations),
        )

    @classmethod
    def of_reply(cls, reply: ModelReply) -> "Answer":
        """One reply of a run; whether the run came to its end is not known here."""
        return cls(
            text=reply.text,
            stop=_STOPS.get(reply.stop, StopReason.COMPLETED),
            citations=_without_blocks(reply.citations),
            final=False,
        )

    def to_json(self) -> dict[str, Any]:
        """A JSON object, as it is stored."""
        return dict(encode(self))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Answer":
        """Read back what to_json wrote; ValueError where it is something else."""
        return decode(cls, data)


def _without_blocks(citations: Iterable[Citation]) -> tuple[Citation, ...]:
    return tuple(replace(citation, raw=None) for citation in citations)
