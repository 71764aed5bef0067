"""How far a run may go. Every figure is checked when it is set."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal, Self, TypeAlias, get_args

from chat.engine.limit_checks import money, refuse, seconds, whole

Mode: TypeAlias = Literal["direct", "standard", "autonomous"]
TOOL_CALLS: Mapping[Mode, int] = {"direct": 25, "standard": 80, "autonomous": 300}
CHAT_ITERATIONS = 12
CHAT_OUTPUT = 16_384


@dataclass(frozen=True, slots=True)
class ClosingReserve:
    """What is always kept back for the closing turn; None takes a tenth of the limit.

    tokens: of Limits.tokens. seconds: of Limits.deadline_s, at most 60 when derived.
    cost: of Limits.cost.
    """

    tokens: int | None = None
    seconds: float | None = None
    cost: Decimal | None = None


@dataclass(frozen=True, slots=True)
class PreflightFloors:
    """Tokens of working room that a run should start with; 0 disables a floor.

    unfit: below it an autonomous run goes on as a standard one, 16,000. marginal:
    below it an autonomous run is warned about, 32,000. standard: below it a standard
    run is warned about, 8,000.
    """

    unfit: int = 16_000
    marginal: int = 32_000
    standard: int = 8_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of one run; a resumed run keeps what it has used.

    mode: how far a run goes by itself, `direct`, `standard` (the default) or
    `autonomous`; it sets the limits that are None. preflight: the working room that
    each mode should find, in tokens.
    tool_calls: calls of business tools, None is 25, 80 or 300 by mode. context_calls:
    calls of context tools, None is twice that. iterations: model turns before the
    closing turn, None is all calls + 10. parallel_calls: calls of one turn that run at
    the same time, 8. disable_parallel_tool_use: ask the provider for one call a turn
    at most, no. error_rounds: rounds in a row whose calls all gave errors that
    end the run, 5. pauses: times one paused turn may be continued, 10.
    tokens: tokens read and written over all requests, None without limit. cost: money
    over all requests, None without limit; a request whose price stays unknown ends a
    run that has this limit.
    deadline_s: seconds of wall clock, 3600, 0 without limit. model_timeout_s and
    tool_timeout_s: seconds for one call, None leaves only the deadline.
    max_output_tokens: tokens of one reply at most, lowered to what the model declares;
    None is what the model can, up to 16,384.
    window: tokens of one request and its reply, None is what the model declares.
    reply_reserve: tokens of the window kept for the reply, None is derived from both.
    closing_reserve: kept for the closing turn. tick_s: seconds between Tick events
    while a call runs, 2.
    """

    mode: Mode = "standard"
    tool_calls: int | None = None
    context_calls: int | None = None
    iterations: int | None = None
    parallel_calls: int = 8
    disable_parallel_tool_use: bool = False
    error_rounds: int = 5
    pauses: int = 10
    tokens: int | None = None
    cost: Decimal | None = None
    deadline_s: float = 3600.0
    model_timeout_s: float | None = None
    tool_timeout_s: float | None = None
    max_output_tokens: int | None = None
    window: int | None = None
    reply_reserve: int | None = None
    closing_reserve: ClosingReserve = field(default_factory=ClosingReserve)
    preflight: PreflightFloors = field(default_factory=PreflightFloors)
    tick_s: float = 2.0

    def __post_init__(self) -> None:
        if self.mode not in get_args(Mode):
            refuse("mode", f"must be one of {', '.join(get_args(Mode))}")
        whole("tool_calls", self.tool_calls, least=0, none=True)
        whole("context_calls", self.context_calls, least=0, none=True)
        whole("iterations", self.iterations, least=1, none=True)
        whole("parallel_calls", self.parallel_calls, least=1)
        _instance("disable_parallel_tool_use", self.disable_parallel_tool_use, bool)
        whole("error_rounds", self.error_rounds, least=1)
        whole("pauses", self.pauses, least=0)
        whole("tokens", self.tokens, least=1, none=True)
        whole("max_output_tokens", self.max_output_tokens, least=1, none=True)
        whole("window", self.window, least=1, none=True)
        whole("reply_reserve", self.reply_reserve, least=1, none=True)
        money("cost", self.cost)
        seconds("deadline_s", self.deadline_s, zero=True)
        seconds("model_timeout_s", self.model_timeout_s, none=True)
        seconds("tool_timeout_s", self.tool_timeout_s, none=True)
        seconds("tick_s", self.tick_s)
        check_window(self, self.window)
        self._check_reserve()
        self._check_floors()

    @classmethod
    def chat(cls, **changes: Any) -> Self:
        """Return the limits of a chat turn, and what the caller changes.

        12 iterations, direct mode, up to 16,384 output tokens: fewer where the model
        declares that it cannot. A model that declares none but has a window as small
        as that needs another max_output_tokens, None for instance.
        """
        usual: dict[str, Any] = {
            "mode": "direct",
            "iterations": CHAT_ITERATIONS,
            "max_output_tokens": CHAT_OUTPUT,
        }
        return cls(**{**usual, **changes})

    @property
    def tool_cap(self) -> int:
        """Calls of business tools that may run."""
        return TOOL_CALLS[self.mode] if self.tool_calls is None else self.tool_calls

    @property
    def context_cap(self) -> int:
        """Calls of context tools that may run."""
        return 2 * self.tool_cap if self.context_calls is None else self.context_calls

    @property
    def iteration_cap(self) -> int:
        """Model turns before the closing turn."""
        if self.iterations is not None:
            return self.iterations
        return self.tool_cap + self.context_cap + 10

    def tokens_left(self, used: int, *, closing: bool) -> int | None:
        """Tokens that may still be used; the reserve only when `closing`."""
        if self.tokens is None:
            return None
        reserve = self.closing_reserve.tokens
        kept = self.tokens // 10 if reserve is None else reserve
        return self.tokens - used - (0 if closing else kept)

    def seconds_left(self, used: float, *, closing: bool) -> float | None:
        """Seconds that may still pass; the reserve only when `closing`."""
        if not self.deadline_s:
            return None
        reserve = self.closing_reserve.seconds
        kept = min(self.deadline_s / 10, 60.0) if reserve is None else reserve
        return self.deadline_s - used - (0 if closing else kept)

    def cost_left(self, used: Decimal, *, closing: bool) -> Decimal | None:
        """Money that may still be spent; the reserve only when `closing`."""
        if self.cost is None:
            return None
        reserve = self.closing_reserve.cost
        kept = self.cost / 10 if reserve is None else reserve
        return self.cost - used - (0 if closing else kept)

    def _check_reserve(self) -> None:
        reserve = self.closing_reserve
        _instance("closing_reserve", reserve, ClosingReserve)
        whole("closing_reserve.tokens", reserve.tokens, least=0, none=True)
        seconds("closing_reserve.seconds", reserve.seconds, zero=True, none=True)
        money("closing_reserve.cost", reserve.cost)
        pairs = (
            ("tokens", reserve.tokens, self.tokens),
            ("seconds", reserve.seconds, self.deadline_s or None),
            ("cost", reserve.cost, self.cost),
        )
        for name, kept, limit in pairs:
            if kept is not None and limit is not None and kept >= limit:
                refuse(f"closing_reserve.{name}", "leaves nothing of its limit")

    def _check_floors(self) -> None:
        floors = self.preflight
        _instance("preflight", floors, PreflightFloors)
        whole("preflight.unfit", floors.unfit, least=0)
        whole("preflight.marginal", floors.marginal, least=0)
        whole("preflight.standard", floors.standard, least=0)


def check_window(limits: Limits, window: int | None, able: int | None = None) -> None:
    """Refuse explicit sizes of the reply that no request in this window could have.

    Raises ConfigurationError. window, able: tokens of the window and of the longest
    reply that the model can write, None where nothing is known of them.
    """
    reply, reserve = limits.max_output_tokens, limits.reply_reserve
    if reply is not None and able:
        reply = min(reply, able)
    if window is not None and reply is not None and reply >= window:
        refuse("max_output_tokens", f"must be less than the window of {window}")
    if window is not None and reserve is not None and reserve >= window:
        refuse("reply_reserve", f"must be less than the window of {window}")
    if reply is not None and reserve is not None and reply > reserve:
        refuse("max_output_tokens", f"is more than the reply_reserve of {reserve}")


def _instance(name: str, value: object, kind: type) -> None:
    if not isinstance(value, kind):
        refuse(name, f"must be {kind.__name__}, not {value!r}")
