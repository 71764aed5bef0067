"""A model that says what it is told: for tests, demonstrations and fuzzing."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from threading import Lock
from typing import Any

from chat.engine.messages import ToolCall, arguments_from_text
from chat.engine.model import (
    ErrorHead,
    ErrorKind,
    ModelError,
    ModelProfile,
    ModelReply,
    ModelRequest,
    ReplyStop,
    TextDelta,
    Usage,
)


@dataclass(frozen=True, slots=True)
class Reply:
    """One scripted reply. calls: (name, arguments) pairs. usage None is no tokens.

    parsed: the answer as if the provider had held it to the schema.
    """

    text: str = ""
    calls: Sequence[tuple[str, Any]] = ()
    usage: Usage | None = None
    stop: ReplyStop | None = None
    parsed: Any = field(default=None, kw_only=True)
    error: ModelError | None = field(default=None, kw_only=True)

    @classmethod
    def failure(
        cls,
        kind: ErrorKind,
        *,
        head: ErrorHead | None = None,
        usage: Usage | None = None,
        **facts: Any,
    ) -> "Reply":
        """Return a reply that is raised as ModelError(kind) instead."""
        message = str(facts.pop("message", ""))
        return cls(error=ModelError(kind, message, facts, head=head, usage=usage))


class ScriptedModel:
    """Plays `replies` in order, or asks a function for the reply to each request.

    It costs nothing, and a script that is over fails every further request.
    """

    def __init__(
        self,
        replies: Iterable[Reply] | Callable[[ModelRequest], Reply],
        *,
        window: int = 128_000,
    ) -> None:
        self.profile = ModelProfile(
            "scripted", window, language_model=False, attachments=True
        )
        self._lock = Lock()
        self._function = replies if callable(replies) else None
        self._replies = iter(()) if callable(replies) else iter(replies)

    def complete(self, request: ModelRequest) -> ModelReply:
        """Return the next reply, or raise the failure that stands in its place."""
        reply = self._function(request) if self._function else self._next()
        if reply.error is not None:
            error = reply.error
            raise ModelError(
                error.kind,
                error.message,
                error.facts,
                head=error.head,
                usage=error.usage,
            )
        return ModelReply(
            text=reply.text,
            calls=_calls(reply, request),
            usage=reply.usage or Usage(),
            stop=reply.stop or _stop(reply),
            parsed=reply.parsed,
            model=self.profile.name,
        )

    def stream(self, request: ModelRequest) -> Iterator[TextDelta | ModelReply]:
        """Yield the text in one piece, then the reply."""
        reply = self.complete(request)
        text: object = getattr(reply, "text", "")
        if isinstance(text, str) and text:
            yield TextDelta(text)
        yield reply

    def estimate(self, request: ModelRequest) -> Decimal | None:
        """Return nothing to pay."""
        return Decimal(0)

    def price(self, usage: Usage) -> Decimal | None:
        """Return nothing to pay."""
        return Decimal(0)

    def _next(self) -> Reply:
        with self._lock:
            reply = next(self._replies, None)
        if reply is None:
            msg = "The script has no reply left."
            raise ModelError(ErrorKind.INVALID_REQUEST, msg)
        return reply


def _calls(reply: Reply, request: ModelRequest) -> tuple[ToolCall, ...]:
    """Number the calls by their place in the transcript, so that a resumed run
    gives the same ids."""
    turn = len(request.messages)
    return tuple(
        ToolCall(f"call_{turn}_{position}", name, _arguments(arguments))
        for position, (name, arguments) in enumerate(reply.calls, start=1)
    )


def _arguments(arguments: Any) -> Any:
    return arguments_from_text(arguments) if isinstance(arguments, str) else arguments


def _stop(reply: Reply) -> ReplyStop:
    return ReplyStop.TOOL_USE if reply.calls else ReplyStop.END_TURN
