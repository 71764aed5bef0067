"""What a run has used and done, in figures, kept up to date event by event."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any

from chat.engine.context.recall import RECALL
from chat.engine.context.tokens import message_tokens
from chat.engine.events import (
    AnswerChecked,
    ApprovalDecided,
    ApprovalRequested,
    Compacted,
    JournaledEvent,
    ModelFailed,
    ModelReplied,
    ModelRequested,
    Stopping,
    ToolAnswered,
    ToolCalled,
    ToolOutcome,
)
from chat.engine.messages import Message, Role
from chat.engine.model import ErrorKind, Usage
from chat.engine.report import TimelineEntry, ToolTally
from chat.engine.tools import Tool

RAN = (ToolOutcome.RETURNED, ToolOutcome.RAISED, ToolOutcome.TIMED_OUT)
TIERS = {1: "masks", 2: "folds", 3: "emergencies"}
FIRST_ENTRIES = 100
LAST_ENTRIES = 400


class Tally:
    """Figures of one run. tokens_used and cost include what is only estimated."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self.counts: Counter[str] = Counter()
        self.tokens_used = 0
        self.cost: Decimal | None = Decimal(0)
        self._kinds = {tool.name: tool.kind for tool in tools}
        self._calls: Counter[str] = Counter()
        self._errors: Counter[str] = Counter()
        self._server_calls: Counter[str] = Counter()
        self._first: list[tuple[float, int, str, str]] = []
        self._last: deque[tuple[float, int, str, str]] = deque(maxlen=LAST_ENTRIES)
        self._seen = 0

    def record(self, event: JournaledEvent) -> None:
        """Add a line to the timeline."""
        word = _WORDS.get(type(event))
        detail = word(event) if word else ""
        entry = (event.elapsed_s, self.counts["iterations"], event.kind, detail)
        self._seen += 1
        full = len(self._first) >= FIRST_ENTRIES
        (self._last if full else self._first).append(entry)

    def charge(self, event: ModelReplied, request: ModelRequested | None) -> None:
        """Add a reply; where the provider reported no usage, as long as it looks."""
        reply, usage = event.reply, event.reply.usage
        self._server_calls.update(reply.server_calls)
        self.counts["server_calls"] += len(reply.server_calls)
        self.counts["fallbacks"] += len(reply.notices)
        if usage is None:
            self.counts["usage_unknown"] += 1
            said = Message(Role.ASSISTANT, reply.text, reply.calls)
            self.tokens_used += message_tokens(said)
            self.tokens_used += request.prompt_tokens if request else 0
        else:
            self._use(usage)
        self._pay(event.cost)

    def charge_failed(self, event: ModelFailed, request: ModelRequested | None) -> None:
        """Add what a failed request has cost, as far as its provider told.

        Budgets see it; the counters of tokens and searches are those of the replies.
        One that came to no end in time may still be answered: what is told of it is the
        least, and all that was foreseen is charged.
        """
        told, paid = 0, Decimal(0)
        if event.usage is not None:
            self._pay(event.cost)
            told, paid = event.usage.total_tokens, event.cost or paid
            self.tokens_used += told
        if request is not None and event.error_kind is ErrorKind.TIMEOUT:
            self.tokens_used += max(0, request.prompt_tokens - told)
            foreseen = request.estimate
            self._pay(None if foreseen is None else max(Decimal(0), foreseen - paid))

    def charge_lost(self, request: ModelRequested) -> None:
        """Add a request that may have been answered and paid for."""
        self.tokens_used += request.prompt_tokens
        self._pay(request.estimate)

    def requested(self, event: ModelRequested) -> None:
        """Count a request."""
        self.counts["model_calls"] += 1
        longest = max(self.counts["max_prompt_tokens"], event.prompt_tokens)
        self.counts["max_prompt_tokens"] = longest

    def called(self, event: ToolCalled) -> None:
        """Count a call that is about to run."""
        self.counts[f"tool_calls_{event.tool_kind}"] += 1
        self._calls[event.call.name] += 1

    def answered(self, event: ToolAnswered) -> None:
        """Count what became of a call."""
        if event.outcome in RAN:
            failed = event.result.is_error
            self.counts["tool_errors"] += failed
            self.counts["recall_errors"] += failed and event.name == RECALL
            self._errors[event.name] += failed
        elif event.outcome is not ToolOutcome.INTERCEPTED:
            self.counts[event.outcome.value] += 1

    def compacted(self, event: Compacted) -> None:
        """Count a compaction."""
        self.counts[TIERS[event.plan.tier]] += 1
        self.counts["unseen_evicted"] += event.plan.unseen

    @property
    def tools(self) -> tuple[ToolTally, ...]:
        """Every declared tool with its calls, then those that the provider ran."""
        own = [
            ToolTally(name, kind, self._calls[name], self._errors[name])
            for name, kind in self._kinds.items()
        ]
        server = self._server_calls.items()
        return (*own, *(ToolTally(name, "server", calls) for name, calls in server))

    @property
    def timeline(self) -> tuple[TimelineEntry, ...]:
        """The first and the last events."""
        return tuple(
            TimelineEntry(round(at_s * 1000), turn, kind, detail)
            for at_s, turn, kind, detail in (*self._first, *self._last)
        )

    @property
    def timeline_dropped(self) -> int:
        """How many events are left out between them."""
        return self._seen - len(self._first) - len(self._last)

    def _use(self, usage: Usage) -> None:
        self.counts["input_tokens"] += usage.prompt_tokens
        self.counts["output_tokens"] += usage.output_tokens
        self.counts["searches"] += usage.searches
        self.tokens_used += usage.total_tokens

    def _pay(self, cost: Decimal | None) -> None:
        known = self.cost is not None and cost is not None
        self.cost = self.cost + cost if known else None  # type: ignore[operator]


# One word from a closed list, or the name of a declared tool: nothing that a model, a
# tool or a provider wrote.
_WORDS: Mapping[type[Any], Callable[[Any], str]] = {
    ModelRequested: lambda event: "closing" if event.closing else "",
    ModelReplied: lambda event: event.reply.stop.value,
    ModelFailed: lambda event: event.error_kind.value,
    Compacted: lambda event: TIERS[event.plan.tier],
    ToolCalled: lambda event: event.call.name,
    ToolAnswered: lambda event: event.outcome.value,
    ApprovalRequested: lambda event: event.call.name,
    ApprovalDecided: lambda event: "approved" if event.approved else "denied",
    AnswerChecked: lambda event: "valid" if event.valid else "invalid",
    Stopping: lambda event: event.stop.value,
}
