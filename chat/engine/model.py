"""What the loop asks of a model, whoever provides it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any, ClassVar, Protocol

from chat.engine.json_value import Json
from chat.engine.messages import Message, ToolCall
from chat.engine.task import Task
from chat.engine.tools import Tool


class ErrorKind(StrEnum):
    """Why a request failed; the first four are tried again.

    context_overflow is answered by compaction and a smaller reply, `unparseable` (the
    provider could not read its own structured output) by asking once without its
    schema.
    """

    RATE_LIMITED = "rate_limited"
    OVERLOADED = "overloaded"
    UNAVAILABLE = "unavailable"
    TIMEOUT = "timeout"
    CONTEXT_OVERFLOW = "context_overflow"
    INVALID_REQUEST = "invalid_request"
    AUTHENTICATION = "authentication"
    SPEND_CAP = "spend_cap"
    UNPARSEABLE = "unparseable"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request; `input_tokens` is the part that no cache served.

    output_tokens: written by the model. cache_read_tokens: read from a cache.
    cache_write_tokens: all that was written to a cache; cache_write_1h_tokens: the part
    of it that is kept for an hour. searches: web searches that the provider bills.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cache_write_1h_tokens: int = 0
    searches: int = 0

    @property
    def prompt_tokens(self) -> int:
        """Everything the model read, cached or not."""
        return self.input_tokens + self.cache_read_tokens + self.cache_write_tokens

    @property
    def total_tokens(self) -> int:
        """Everything read and written."""
        return self.prompt_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class ErrorHead:
    """What a provider's error says of itself beside its message.

    status: of the error, as HTTP has them, None where nothing was answered. type, code:
    the provider's own words for it. request_id: by which the provider knows the
    request. Texts are "" where it says nothing.
    """

    status: int | None = None
    type: str = ""
    code: str = ""
    request_id: str = ""


class ModelError(Exception):
    """A request failed. `facts` are JSON.

    Understood are `retry_after_s` in seconds and, of a context_overflow,
    `prompt_tokens` and `limit` as the provider counted them. usage: what the provider
    had counted, and so what is paid all the same; None where it told nothing.
    """

    def __init__(
        self,
        kind: ErrorKind,
        message: str = "",
        facts: Mapping[str, Any] | None = None,
        *,
        head: ErrorHead | None = None,
        usage: Usage | None = None,
    ) -> None:
        self.kind = ErrorKind(kind)
        self.message = message or self.kind.value.replace("_", " ")
        self.facts = dict(facts or {})
        self.head = head
        self.usage = usage
        super().__init__(f"{self.kind}: {self.message}")


class ReplyStop(StrEnum):
    """Why the model stopped writing.

    `pause` is to be continued as it stands. `window` is cut because the window is full:
    there must be more room before it is asked again.
    """

    END_TURN = "end_turn"
    TOOL_USE = "tool_use"
    MAX_TOKENS = "max_tokens"
    WINDOW = "window"
    PAUSE = "pause"
    REFUSAL = "refusal"

    @property
    def cuts(self) -> bool:
        """Whether what was written is not all that there was to say."""
        return self in (ReplyStop.MAX_TOKENS, ReplyStop.WINDOW)


@dataclass(frozen=True, slots=True)
class Citation:
    """A source that a provider names for a stretch of its text.

    kind: the provider's word for it. start, end: of the stretch in ModelReply.text.
    source: an address or the name of a document. cited: what the provider quotes of it,
    which nobody has checked. raw: the provider's own form, JSON.
    """

    kind: str
    start: int
    end: int
    source: str = ""
    title: str = ""
    cited: str = ""
    raw: Json = None


@dataclass(frozen=True, slots=True)
class ModelProfile:
    """What is known of a model; window and max_output in tokens, None where unknown.

    name: as reports and usage records show it.
    streams: whether the loop asks for replies in pieces. attachments: whether it reads
    Task.attachments. A model that is no language model and declares no window has none.
    """

    name: str
    window: int | None = None
    max_output: int | None = None
    language_model: bool = True
    streams: bool = True
    attachments: bool = False


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request. `tools` is empty in the last turn: then no call is answered.

    closing: this is the last turn, also of a run that has no tools.
    max_output_tokens: the longest reply wanted, None leaves it to the provider.
    declared: the run's tools in every turn, for providers whose prompt must not change.
    timeout_s: how long the loop will wait, None without limit; a client that can should
    give up by itself a little before. rewritten: of messages[:rewritten] some were put
    aside, so that signatures over them in their `raw` no longer hold. output_schema:
    the JSON Schema of the answer where there is one and the provider may enforce it.
    disable_parallel_tool_use: at most one call a turn is wanted.
    """

    task: Task
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    system: str = ""
    max_output_tokens: int | None = None
    timeout_s: float | None = None
    declared: tuple[Tool, ...] = ()
    rewritten: int = 0
    output_schema: Mapping[str, Any] | None = None
    disable_parallel_tool_use: bool = False
    closing: bool = False


@dataclass(frozen=True, slots=True)
class ModelReply:
    """One whole reply. `usage` None is unknown, never zero.

    raw: the provider's own form, JSON, kept verbatim for the next request.
    parsed: the answer as JSON where the provider held it to the schema itself.
    detail: the provider's words for a refusal. citations: sources of `text`.
    server_calls: names of the tools that the provider ran, once for each call that was
    complete. notices: what the provider did otherwise than asked, a word each.
    """

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    usage: Usage | None = None
    stop: ReplyStop = ReplyStop.END_TURN
    model: str = ""
    raw: Json = None
    parsed: Json = None
    detail: str = ""
    citations: tuple[Citation, ...] = ()
    server_calls: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of a reply while it is written; never journaled."""

    kind: ClassVar[str] = "text_delta"

    text: str


class Model(Protocol):
    """A model. Methods may be called from several threads and runs at once.

    complete and stream raise ModelError; stream ends with the whole reply, and a model
    without it is asked by complete. estimate
    and price do no I/O: an upper bound for a request and the price of a usage, in the
    currency of Limits.cost, None where unknown.
    """

    @property
    def profile(self) -> ModelProfile: ...

    def complete(self, request: ModelRequest) -> ModelReply: ...

    def stream(self, request: ModelRequest) -> Iterator[TextDelta | ModelReply]: ...

    def estimate(self, request: ModelRequest) -> Decimal | None: ...

    def price(self, usage: Usage) -> Decimal | None: ...
