"""How far a run may go. Every figure is checked when it is set."""

import math
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NoReturn

from chat.engine.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class ClosingReserve:
    """What is always kept back for the closing turn; None takes a tenth of the limit.

    tokens: of Limits.tokens. seconds: of Limits.deadline_s, at most 60 when derived.
    cost: of Limits.cost.
    """

    tokens: int | None = None
    seconds: float | None = None
    cost: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of one run; a resumed run keeps what it has used.

    tool_calls: calls of business tools, 80. context_calls: calls of context tools,
    None is twice tool_calls. iterations: model turns before the closing turn, None is
    tool_calls + context_calls + 10. parallel_calls: calls of one turn that run at the
    same time, 8.
    tokens: tokens read and written over all requests, None without limit. cost: money
    over all requests, None without limit; a request whose price stays unknown ends a
    run that has this limit.
    deadline_s: seconds of wall clock, 3600, 0 without limit. model_timeout_s and
    tool_timeout_s: seconds for one call, None leaves only the deadline.
    max_output_tokens: tokens of one reply, None is what the model can. window: tokens
    of one request and its reply, None is what the model declares.
    closing_reserve: kept for the closing turn. tick_s: seconds between Tick events
    while a call runs, 2.
    """

    tool_calls: int = 80
    context_calls: int | None = None
    iterations: int | None = None
    parallel_calls: int = 8
    tokens: int | None = None
    cost: Decimal | None = None
    deadline_s: float = 3600.0
    model_timeout_s: float | None = None
    tool_timeout_s: float | None = None
    max_output_tokens: int | None = None
    window: int | None = None
    closing_reserve: ClosingReserve = field(default_factory=ClosingReserve)
    tick_s: float = 2.0

    def __post_init__(self) -> None:
        _whole("tool_calls", self.tool_calls, least=0)
        _whole("context_calls", self.context_calls, least=0)
        _whole("iterations", self.iterations, least=1)
        _whole("parallel_calls", self.parallel_calls, least=1)
        _whole("tokens", self.tokens, least=1)
        _whole("max_output_tokens", self.max_output_tokens, least=1)
        _whole("window", self.window, least=1)
        _money("cost", self.cost)
        _seconds("deadline_s", self.deadline_s, zero=True)
        _seconds("model_timeout_s", self.model_timeout_s)
        _seconds("tool_timeout_s", self.tool_timeout_s)
        _seconds("tick_s", self.tick_s)
        self._check_window()
        self._check_reserve()

    @property
    def context_cap(self) -> int:
        """Calls of context tools that may run."""
        return (
            self.context_calls
            if self.context_calls is not None
            else (2 * self.tool_calls)
        )

    @property
    def iteration_cap(self) -> int:
        """Model turns before the closing turn."""
        if self.iterations is not None:
            return self.iterations
        return self.tool_calls + self.context_cap + 10

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

    def _check_window(self) -> None:
        if self.window is None or self.max_output_tokens is None:
            return
        if self.max_output_tokens >= self.window:
            _refuse("max_output_tokens", "must be less than Limits.window")

    def _check_reserve(self) -> None:
        reserve = _reserve(self.closing_reserve)
        _whole("closing_reserve.tokens", reserve.tokens, least=0)
        _seconds("closing_reserve.seconds", reserve.seconds, zero=True)
        _money("closing_reserve.cost", reserve.cost)
        pairs = (
            ("tokens", reserve.tokens, self.tokens),
            ("seconds", reserve.seconds, self.deadline_s or None),
            ("cost", reserve.cost, self.cost),
        )
        for name, kept, limit in pairs:
            if kept is not None and limit is not None and kept >= limit:
                _refuse(f"closing_reserve.{name}", "leaves nothing of its limit")


def _reserve(value: object) -> ClosingReserve:
    if not isinstance(value, ClosingReserve):
        _refuse("closing_reserve", "must be a ClosingReserve")
    return value


def _whole(name: str, value: object, *, least: int) -> None:
    if value is None and name not in ("tool_calls", "parallel_calls"):
        return
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        _refuse(name, f"must be a whole number of at least {least}, not {value!r}")


def _seconds(name: str, value: object, *, zero: bool = False) -> None:
    if value is None and name not in ("deadline_s", "tick_s"):
        return
    if not isinstance(value, int | float) or isinstance(value, bool):
        _refuse(name, f"must be a number of seconds, not {value!r}")
    elif not math.isfinite(value) or value < 0 or (value == 0 and not zero):
        _refuse(name, f"must be a positive number of seconds, not {value!r}")


def _money(name: str, value: object) -> None:
    if value is None:
        return
    if not isinstance(value, Decimal) or not value.is_finite() or value < 0:
        _refuse(name, f"must be a Decimal of at least 0, not {value!r}")


def _refuse(name: str, problem: str) -> NoReturn:
    msg = f"Limits.{name} {problem}."
    raise ConfigurationError(msg)
