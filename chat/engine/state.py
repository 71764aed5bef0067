"""A run as the sum of its events: the same state live and after a resume.

Every event that is yielded is applied first, and nothing else changes the state but for
hear(), so a run that goes on from its journal cannot differ from one that was never
interrupted; only its plugins may be shown the last reply again.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from chat.engine.context.recall import RECALL
from chat.engine.context.transcript import Transcript
from chat.engine.ending import MISFIT, Ending
from chat.engine.events import (
    AnswerChecked,
    ApprovalDecided,
    ApprovalRequested,
    Compacted,
    JournaledEvent,
    ModelFailed,
    ModelReplied,
    ModelRequested,
    Nudged,
    RetryScheduled,
    RunFinished,
    RunStarted,
    Stopping,
    ToolAnswered,
    ToolCalled,
    ToolOutcome,
)
from chat.engine.messages import Message, Role
from chat.engine.model import ErrorKind, ModelReply, ReplyStop
from chat.engine.progress import NUDGE, Move, Progress
from chat.engine.result import AgentResult
from chat.engine.size import PromptSize
from chat.engine.stops import AnswerSource, StopReason
from chat.engine.tally import Tally
from chat.engine.tool_round import ToolRound
from chat.engine.tools import Tool
from chat.engine.turn import EMPTY_NUDGE, EMPTY_REPLIES, FULL_NUDGE, Turn


class State:
    """What is known of a run so far; apply() changes it.

    round: the calls of the last turn. called: ids that have run. unheard: a reply that
    no plugin has seen. in_flight: a request without outcome. failed: a failure not yet
    decided on. failures, overflows: of this request. room_made: something was put aside
    since it failed. nudge: what is to be said to the model. native_schema: the provider
    may hold the answer to the schema. spinning: nothing new comes. error_streak: rounds
    of nothing but errors. turn: what is being said. cuts: how often the window was full
    since the last round of calls.
    """

    def __init__(
        self,
        transcript: Transcript,
        tools: Sequence[Tool],
        *,
        schema: bool = False,
        window: int | None = None,
    ) -> None:
        self.transcript = transcript
        self.size = PromptSize(transcript, window)
        self.tally = Tally(tools)
        self.counts = self.tally.counts
        self.call_ids = {call.id for each in transcript.messages for call in each.calls}
        self.started = self.room_made = self.spinning = False
        self.elapsed_s = 0.0
        self.in_flight: ModelRequested | None = None
        self.failed: ModelFailed | None = None
        self.failures = self.overflows = self.empty_replies = self.cuts = 0
        self.reply_cap: int | None = None
        self.limit_seen: int | None = None
        self.native_schema = True
        self.unheard: ModelReply | None = None
        self.nudge: str | None = None
        self.round = ToolRound()
        self.called: set[str] = set()
        self.exhausted: StopReason | None = None
        self.error_streak = 0
        self.ending = Ending(schema=schema)
        self.result: AgentResult | None = None
        self._progress = Progress(
            {each.name: each.fingerprint for each in tools if each.fingerprint}
        )
        self.turn = Turn()

    @property
    def unfinished(self) -> bool:
        """There is something left to do before the run may end or be suspended."""
        if self.suspended:
            return self.unheard is not None
        return not self.ending.over or bool(self.round.open) or self.unheard is not None

    @property
    def suspended(self) -> bool:
        """Nothing can be done until a person has decided."""
        return self.round.suspended and not self.ending.stopped

    @staticmethod
    def knows(event: object) -> bool:
        """Whether apply() can take it in."""
        return type(event) in _HANDLERS

    def apply(self, event: JournaledEvent) -> None:
        """Take in one event."""
        self.elapsed_s = max(self.elapsed_s, event.elapsed_s)
        _HANDLERS[type(event)](self, event)
        self.tally.record(event)

    def hear(self, reply: ModelReply) -> ModelReply:
        """Hand out the reply that no plugin has seen, once."""
        self.unheard = None
        return reply

    def _on_started(self, event: RunStarted) -> None:
        self.started = True

    def _on_requested(self, event: ModelRequested) -> None:
        self._count_lost()
        self.in_flight = event
        self.tally.requested(event)
        if self.ending.last_turn is AnswerSource.FINALIZER:
            self.counts["finalizer_runs"] = 1
        elif event.closing:
            self.counts["closing_turns"] = 1

    def _on_failed(self, event: ModelFailed) -> None:
        self.tally.charge_failed(event, self.in_flight)
        if event.error_kind is ErrorKind.CONTEXT_OVERFLOW:
            self.overflows += 1
            self.counts["overflows"] += 1
            self.limit_seen = event.limit_tokens or self.limit_seen
            if event.counted_tokens is not None:
                self.size.counted(event.counted_tokens)
        self.in_flight = None
        self.room_made = False
        self.failed = event
        self.failures += 1

    def _on_retry(self, event: RetryScheduled) -> None:
        if self.failed and self.failed.error_kind is ErrorKind.UNPARSEABLE:
            self.native_schema = False
            self.counts["parse_fallbacks"] += 1
        self.reply_cap = event.max_output_tokens or self.reply_cap
        self.failed = None
        self.failures = event.attempt - 1
        self.counts["retries"] += 1

    def _on_compacted(self, event: Compacted) -> None:
        self.transcript.compact(event.plan)
        self.room_made = True
        if self.turn.cut:
            self.ending.leave(self.turn)
            self.turn, self.nudge = Turn(), FULL_NUDGE
        self.tally.compacted(event)

    def _on_replied(self, event: ModelReplied) -> None:
        reply = event.reply
        self.tally.charge(event, self.in_flight)
        self.in_flight = self.failed = None
        self.failures = self.overflows = 0
        self.unheard = reply
        if not self.turn.pauses and not self.ending.closing:
            self.counts["iterations"] += 1
        if reply.stop is ReplyStop.REFUSAL:
            self.ending.end(StopReason.REFUSAL, reply.detail)
            return
        self._append(reply)
        self.turn.add(reply)
        if reply.stop is ReplyStop.PAUSE and not reply.calls:
            self.turn.pauses += 1
            self.counts["pauses"] += 1
            return
        # In the last turn a text counts even beside calls, which nobody answers.
        if self.ending.closing or not (reply.calls or reply.stop is ReplyStop.WINDOW):
            self._judge(reply)
        elif not reply.calls:
            self.turn.cut, self.cuts = True, self.cuts + 1
            return
        self.turn = Turn()

    def _append(self, reply: ModelReply) -> None:
        """Append a reply; an empty one would be refused if it were sent back."""
        if reply.calls or reply.text.strip() or reply.raw is not None:
            message = Message(Role.ASSISTANT, reply.text, reply.calls, raw=reply.raw)
            self.transcript.say(message)
            self.turn.messages += 1
        self.size.measure(None if reply.server_calls else reply.usage)
        self.round = ToolRound(reply.calls, cut=reply.stop.cuts)
        self.call_ids.update(self.round.open)

    def _judge(self, reply: ModelReply) -> None:
        """Take the text of the whole turn as an answer, if there is any."""
        if self.turn.text.strip() or reply.parsed is not None:
            self.ending.answer(self.turn, reply.parsed, truncated=reply.stop.cuts)
            return
        self.empty_replies += 1
        self.counts["empty_replies"] += 1
        if self.empty_replies < EMPTY_REPLIES and not self.ending.closing:
            self.nudge = EMPTY_NUDGE
        else:
            self.ending.end(StopReason.EMPTY_RESPONSE, "The model answered nothing.")

    def _on_checked(self, event: AnswerChecked) -> None:
        self.unheard = None
        self.counts["schema_failures"] += not event.valid
        self.ending.check(() if event.valid else event.errors or (MISFIT,))

    def _on_called(self, event: ToolCalled) -> None:
        self.unheard = None
        if event.call.id not in self.called:
            self.called.add(event.call.id)
            self.tally.called(event)

    def _on_answered(self, event: ToolAnswered) -> None:
        self.unheard = None
        self.exhausted = self.exhausted or event.exhausted
        self.tally.answered(event)
        banner = self._banner(event)
        self.counts["duplicates"] += banner is not None
        failed_recall = event.name == RECALL and event.result.is_error
        refused = event.outcome is ToolOutcome.REFUSED
        stale = refused or failed_recall or banner is not None
        self.round.answer(event, banner or event.result.content, stale=stale)
        if not self.round.open:
            self._close_round()

    def _banner(self, event: ToolAnswered) -> str | None:
        """What stands for a result that the model still has before its eyes."""
        if event.outcome is not ToolOutcome.RETURNED or event.result.is_error:
            return None
        arguments = self.round.open[event.call_id].arguments
        content = event.result.content
        return self.transcript.duplicate_of(event.name, arguments, content)

    def _close_round(self) -> None:
        self.transcript.say(self.round.message())
        self.empty_replies = self.cuts = 0
        if self.ending.stopped:
            return
        move = self._progress.observe(self.round.answers)
        self.counts["stale_rounds"] = self._progress.stale_rounds
        self.nudge = NUDGE if move is Move.NUDGE else None
        self.spinning = move is Move.STOP
        self.error_streak = self.error_streak + 1 if self.round.failed else 0
        self.counts["error_rounds"] += self.round.failed

    def _on_approval_requested(self, event: ApprovalRequested) -> None:
        self.unheard = None
        self.round.ask(event)
        self.counts["approvals_requested"] += 1

    def _on_approval_decided(self, event: ApprovalDecided) -> None:
        self.result = None
        self.round.decide(event)

    def _on_nudged(self, event: Nudged) -> None:
        self.unheard = self.nudge = None
        self.counts["nudges"] += 1
        self.transcript.say(Message.user(event.text))

    def _on_stopping(self, event: Stopping) -> None:
        self.unheard = self.failed = self.nudge = None
        self._count_lost()
        self.failures = self.overflows = 0
        self.ending.leave(self.turn)
        self.turn = Turn()
        self.ending.interrupt(event.stop, event.detail, withdrawn=event.withdrawn)

    def _on_finished(self, event: RunFinished) -> None:
        self.result = event.result

    def _count_lost(self) -> None:
        """A request without outcome may have been answered and paid for."""
        if self.in_flight is not None:
            self.counts["calls_lost"] += 1
            self.tally.charge_lost(self.in_flight)
            self.in_flight = None


_HANDLERS: Mapping[type[Any], Callable[[State, Any], None]] = {
    RunStarted: State._on_started,
    ModelRequested: State._on_requested,
    ModelReplied: State._on_replied,
    ModelFailed: State._on_failed,
    RetryScheduled: State._on_retry,
    Compacted: State._on_compacted,
    ToolCalled: State._on_called,
    ToolAnswered: State._on_answered,
    ApprovalRequested: State._on_approval_requested,
    ApprovalDecided: State._on_approval_decided,
    AnswerChecked: State._on_checked,
    Nudged: State._on_nudged,
    Stopping: State._on_stopping,
    RunFinished: State._on_finished,
}
