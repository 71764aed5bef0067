"""A run as the sum of its events: the same state live and after a resume.

Every event that is yielded is applied first, and nothing else changes the state, so a
run that goes on from its journal cannot differ from one that was never interrupted.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any

from chat.engine.context.tokens import message_tokens
from chat.engine.errors import ConfigurationError
from chat.engine.events import (
    Event,
    JournaledEvent,
    ModelFailed,
    ModelReplied,
    ModelRequested,
    Nudged,
    RetryScheduled,
    RunFinished,
    RunStarted,
    Stopping,
    Tick,
    ToolAnswered,
    ToolCalled,
    ToolOutcome,
)
from chat.engine.messages import CallResult, Message, Role, ToolCall
from chat.engine.model import ErrorKind, ModelReply, ReplyStop, TextDelta
from chat.engine.result import AgentResult
from chat.engine.stops import WITH_CLOSING_TURN, AnswerSource, StopReason

EMPTY_REPLIES = 2
RAN = (ToolOutcome.RETURNED, ToolOutcome.RAISED, ToolOutcome.TIMED_OUT)


class State:
    """What is known of a run so far; apply() changes it.

    open_calls: asked for and not answered, in order. called: ids that have run.
    unheard: a reply that no plugin has seen. failed: a failure not yet decided on.
    in_flight: a request without outcome. over: no further request will be sent.
    """

    def __init__(self, messages: Iterable[Message], overhead_tokens: int) -> None:
        self.messages = list(messages)
        self.prompt_tokens = overhead_tokens + sum(map(message_tokens, self.messages))
        self.call_ids = {call.id for each in self.messages for call in each.calls}
        self.counts: Counter[str] = Counter()
        self.started = False
        self.elapsed_s = 0.0
        self.in_flight: ModelRequested | None = None
        self.failed: ModelFailed | None = None
        self.failures = 0
        self.unheard: ModelReply | None = None
        self.nudge_due = False
        self.empty_replies = 0
        self.open_calls: dict[str, ToolCall] = {}
        self.cut_calls = False
        self.called: set[str] = set()
        self.exhausted: StopReason | None = None
        self.tokens_used = 0
        self.cost: Decimal | None = Decimal(0)
        self.stop: StopReason | None = None
        self.detail = ""
        self.secondary: list[StopReason] = []
        self.over = False
        self.output = ""
        self.source = AnswerSource.NONE
        self.result: AgentResult | None = None
        self._results: list[CallResult] = []

    @property
    def closing(self) -> bool:
        """The next request is the closing turn."""
        return self.stop is not None and not self.over

    @property
    def unfinished(self) -> bool:
        """There is something left to do before the run may end."""
        return not self.over or bool(self.open_calls) or self.unheard is not None

    def replay(self, history: Iterable[Event]) -> None:
        """Apply earlier events of this run; ConfigurationError where they cannot be."""
        for event in history:
            if not isinstance(event, Tick | TextDelta):
                self._check(event)
                self.apply(event)

    def apply(self, event: JournaledEvent) -> None:
        """Take in one event."""
        self.elapsed_s = max(self.elapsed_s, event.elapsed_s)
        _HANDLERS[type(event)](self, event)

    def hear(self, reply: ModelReply) -> ModelReply:
        """Hand out the reply that no plugin has seen, once."""
        self.unheard = None
        return reply

    def _check(self, event: JournaledEvent) -> None:
        """Refuse a history that no run can have yielded."""
        problem = None
        if type(event) not in _HANDLERS:
            problem = "is no event"
        elif self.result is not None:
            problem = "follows the end of the run"
        elif isinstance(event, RunStarted) is self.started:
            problem = "is out of place: a run starts once, with run_started"
        elif isinstance(event, ModelReplied | ModelFailed) and not self.in_flight:
            problem = "answers no request"
        elif isinstance(event, ModelRequested) and self.open_calls:
            problem = "comes before every call is answered"
        elif isinstance(event, ToolCalled) and event.call.id not in self.open_calls:
            problem = "runs a call that nobody asked for"
        elif isinstance(event, ToolAnswered) and event.call_id not in self.open_calls:
            problem = "answers a call that is not open"
        if problem:
            name = getattr(event, "kind", type(event).__name__)
            msg = f"The history is not of one run: {name} {problem}."
            raise ConfigurationError(msg)

    def _on_started(self, event: RunStarted) -> None:
        self.started = True

    def _on_requested(self, event: ModelRequested) -> None:
        self._count_lost()
        self.in_flight = event
        self.counts["model_calls"] += 1

    def _on_failed(self, event: ModelFailed) -> None:
        if event.error_kind is ErrorKind.TIMEOUT:
            self._charge_estimate()
        self.in_flight = None
        self.failed = event
        self.failures += 1

    def _on_retry(self, event: RetryScheduled) -> None:
        self.failed = None
        self.counts["retries"] += 1

    def _on_replied(self, event: ModelReplied) -> None:
        reply = event.reply
        self._charge(event)
        self.in_flight = self.failed = None
        self.failures = 0
        self.unheard = reply
        if self.closing:
            self._take_closing(reply)
            return
        self.counts["iterations"] += 1
        if reply.stop is ReplyStop.REFUSAL:
            self._end(StopReason.REFUSAL, reply.detail)
            return
        self._take_turn(reply)
        if not reply.calls:
            self._judge(reply)

    def _on_called(self, event: ToolCalled) -> None:
        self.unheard = None
        if event.call.id not in self.called:
            self.called.add(event.call.id)
            self.counts[f"tool_calls_{event.tool_kind}"] += 1

    def _on_answered(self, event: ToolAnswered) -> None:
        self.unheard = None
        del self.open_calls[event.call_id]
        self.exhausted = self.exhausted or event.exhausted
        result = event.result
        self._results.append(
            CallResult(event.call_id, event.name, result.content, result.is_error)
        )
        if event.outcome in RAN:
            self.counts["tool_errors"] += result.is_error
        elif event.outcome is not ToolOutcome.INTERCEPTED:
            self.counts[event.outcome.value] += 1
        if not self.open_calls:
            self._say(Message(Role.TOOL, results=tuple(self._results)))
            self._results = []

    def _on_nudged(self, event: Nudged) -> None:
        self.unheard = None
        self.nudge_due = False
        self.counts["nudges"] += 1
        self._say(Message.user(event.text))

    def _on_stopping(self, event: Stopping) -> None:
        self.unheard = self.failed = None
        self._count_lost()
        self.failures = 0
        if self.stop in (None, StopReason.COMPLETED):
            self.stop, self.detail = event.stop, event.detail
            self.over = event.stop not in WITH_CLOSING_TURN
        else:
            self._second(event.stop)
            self.over = True
        # A plugin that objects to an answer takes it back.
        self.output, self.source = "", AnswerSource.NONE

    def _on_finished(self, event: RunFinished) -> None:
        self.result = event.result

    def _take_turn(self, reply: ModelReply) -> None:
        """Append a reply; an empty one would be refused if it were sent back."""
        if reply.calls or reply.text.strip():
            self._say(Message(Role.ASSISTANT, reply.text, reply.calls, raw=reply.raw))
        if reply.usage is not None and reply.usage.prompt_tokens:
            self.prompt_tokens = reply.usage.total_tokens
        self.open_calls = {call.id: call for call in reply.calls}
        self.call_ids.update(self.open_calls)
        self.cut_calls = reply.stop is ReplyStop.MAX_TOKENS

    def _judge(self, reply: ModelReply) -> None:
        if not reply.text.strip():
            self.empty_replies += 1
            self.nudge_due = self.empty_replies < EMPTY_REPLIES
            if not self.nudge_due:
                self._end(StopReason.EMPTY_RESPONSE, "The model answered nothing.")
            return
        self.output, self.source = reply.text, AnswerSource.REPLY
        if reply.stop is ReplyStop.MAX_TOKENS:
            self._end(StopReason.TRUNCATED, "The answer was cut at its token limit.")
        else:
            self._end(StopReason.COMPLETED, "")

    def _take_closing(self, reply: ModelReply) -> None:
        self.over = True
        if reply.stop is ReplyStop.REFUSAL:
            self._second(StopReason.REFUSAL)
            return
        self._take_turn(reply)
        if not reply.text.strip():
            self._second(StopReason.EMPTY_RESPONSE)
            return
        self.output, self.source = reply.text, AnswerSource.CLOSING
        if reply.stop is ReplyStop.MAX_TOKENS:
            self._second(StopReason.TRUNCATED)

    def _say(self, message: Message) -> None:
        self.messages.append(message)
        self.prompt_tokens += message_tokens(message)
        if message.role is Role.TOOL:
            self.empty_replies = 0

    def _end(self, stop: StopReason, detail: str) -> None:
        self.stop, self.detail, self.over = stop, detail, True

    def _second(self, stop: StopReason) -> None:
        if stop not in (self.stop, *self.secondary):
            self.secondary.append(stop)

    def _charge(self, event: ModelReplied) -> None:
        usage = event.reply.usage
        if usage is None:
            self.counts["usage_unknown"] += 1
            self.tokens_used += self._estimated(event.reply)
        else:
            self.counts["input_tokens"] += usage.prompt_tokens
            self.counts["output_tokens"] += usage.output_tokens
            self.tokens_used += usage.total_tokens
        self._pay(event.cost)

    def _estimated(self, reply: ModelReply) -> int:
        prompt = self.in_flight.prompt_tokens if self.in_flight else 0
        said = Message(Role.ASSISTANT, reply.text, reply.calls)
        return prompt + message_tokens(said)

    def _count_lost(self) -> None:
        """A request without outcome may have been answered and paid for."""
        if self.in_flight is not None:
            self.counts["calls_lost"] += 1
            self._charge_estimate()
            self.in_flight = None

    def _charge_estimate(self) -> None:
        if self.in_flight is not None:
            self.tokens_used += self.in_flight.prompt_tokens
            self._pay(self.in_flight.estimate)

    def _pay(self, cost: Decimal | None) -> None:
        known = self.cost is not None and cost is not None
        self.cost = self.cost + cost if known else None  # type: ignore[operator]


_HANDLERS: Mapping[type[Any], Callable[[State, Any], None]] = {
    RunStarted: State._on_started,
    ModelRequested: State._on_requested,
    ModelReplied: State._on_replied,
    ModelFailed: State._on_failed,
    RetryScheduled: State._on_retry,
    ToolCalled: State._on_called,
    ToolAnswered: State._on_answered,
    Nudged: State._on_nudged,
    Stopping: State._on_stopping,
    RunFinished: State._on_finished,
}
