"""The calls of one turn, and what came of each."""

from collections.abc import Sequence

from chat.engine.events import ApprovalDecided, ApprovalRequested, ToolAnswered
from chat.engine.messages import CallResult, Message, Role, ToolCall
from chat.engine.progress import Answer


class ToolRound:
    """Calls in the order asked; answers may come in any.

    open: not answered. awaiting: those of them that a person must decide on, with the
    reason. decided: what persons decided. cut: the reply was cut within the calls.
    """

    def __init__(self, calls: Sequence[ToolCall] = (), *, cut: bool = False) -> None:
        self.open = {call.id: call for call in calls}
        self.awaiting: dict[str, str] = {}
        self.decided: dict[str, ApprovalDecided] = {}
        self.cut = cut
        self._calls = tuple(calls)
        self._results: dict[str, CallResult] = {}
        self._answers: dict[str, Answer] = {}

    @property
    def due(self) -> tuple[ToolCall, ...]:
        """Open calls that wait for nobody."""
        return tuple(
            call for call in self.open.values() if call.id not in self.awaiting
        )

    @property
    def suspended(self) -> bool:
        """Every open call waits for a person."""
        return bool(self.open) and len(self.awaiting) == len(self.open)

    def ask(self, event: ApprovalRequested) -> None:
        """Let a call wait."""
        self.awaiting[event.call.id] = event.reason

    def decide(self, event: ApprovalDecided) -> None:
        """Take in a decision."""
        del self.awaiting[event.call_id]
        self.decided[event.call_id] = event

    def answer(self, event: ToolAnswered, shown: str, *, stale: bool) -> None:
        """Take in an answer; `shown` is what the model will read."""
        call = self.open.pop(event.call_id)
        self.awaiting.pop(call.id, None)
        result = event.result
        self._results[call.id] = CallResult(call.id, call.name, shown, result.is_error)
        self._answers[call.id] = Answer(
            call.name, call.arguments, result.content, stale
        )

    def message(self) -> Message:
        """All results, in the order of the calls; for a round without open calls."""
        results = tuple(self._results[call.id] for call in self._calls)
        return Message(Role.TOOL, results=results)

    @property
    def answers(self) -> list[Answer]:
        """What the no-progress guard looks at."""
        return [self._answers[call.id] for call in self._calls]

    @property
    def failed(self) -> bool:
        """Whether every call gave an error, and none of them only repeats itself."""
        return all(
            result.is_error and not self._answers[call_id].stale
            for call_id, result in self._results.items()
        )
