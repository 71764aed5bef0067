"""How a run ends: the reasons to stop, and the answers it was given."""

from dataclasses import dataclass, replace

from chat.engine.json_value import Json
from chat.engine.model import Citation
from chat.engine.stops import NORMAL, WITH_CLOSING_TURN, AnswerSource, StopReason
from chat.engine.turn import Turn

TRUNCATED = "The answer was cut at its token limit."
MISFIT = "The answer does not fit its schema."


@dataclass(frozen=True, slots=True)
class Candidate:
    """One answer. errors: of the schema's validator, None while it is not checked.

    parsed: as the provider had parsed it. truncated: cut at its token limit. citations:
    the provider's, of stretches of `text`.
    """

    text: str
    source: AnswerSource
    parsed: Json = None
    truncated: bool = False
    errors: tuple[str, ...] | None = None
    citations: tuple[Citation, ...] = ()


class Ending:
    """The end of one run, from its first reason on.

    stop: the first reason that is no normal end; later ones are in `secondary`.
    last_turn: what the answer of the turn without tools will be, None before it.
    over: no further request will be sent.
    """

    def __init__(self, *, schema: bool) -> None:
        self.stop: StopReason | None = None
        self.detail = ""
        self.secondary: list[StopReason] = []
        self.last_turn: AnswerSource | None = None
        self.over = False
        self._schema = schema
        self._answers: list[Candidate] = []
        self._half: Candidate | None = None

    @property
    def closing(self) -> bool:
        """The next request is the last one, without tools."""
        return self.last_turn is not None and not self.over

    @property
    def stopped(self) -> bool:
        """No further call is run."""
        return self.stop is not None or self.last_turn is not None

    @property
    def unchecked(self) -> Candidate | None:
        """The answer that is to be held against the schema now."""
        if self.over or not self._schema or not self._answers:
            return None
        last = self._answers[-1]
        return last if last.errors is None else None

    @property
    def last(self) -> Candidate:
        """The last answer."""
        return self._answers[-1]

    @property
    def best(self) -> Candidate | None:
        """The answer with the fewest errors; of equals the first, which nothing worse
        replaces. Where there is none, what was said of one."""
        if not self._answers:
            return self._half
        return min(self._answers, key=lambda each: len(each.errors or ()))

    @property
    def later(self) -> tuple[StopReason, ...]:
        """Reasons after the first, and that half an answer is all there is."""
        later, half = tuple(self.secondary), self._half
        if half is None or self.best is not half or self.stop is StopReason.TRUNCATED:
            return later
        return (
            later if StopReason.TRUNCATED in later else (*later, StopReason.TRUNCATED)
        )

    def answer(self, turn: Turn, parsed: Json, *, truncated: bool) -> None:
        """Take in an answer; without a schema it ends the run."""
        source = self.last_turn or AnswerSource.REPLY
        given = Candidate(turn.text, source, parsed, truncated, None, turn.citations)
        self._answers.append(given)
        if self._schema:
            return
        if truncated:
            self.end(StopReason.TRUNCATED, TRUNCATED)
        else:
            self.end(StopReason.COMPLETED)

    def leave(self, turn: Turn) -> None:
        """Keep what was said in a turn that will not be continued."""
        if turn.text.strip():
            source = self.last_turn or AnswerSource.REPLY
            self._half = Candidate(
                turn.text, source, truncated=True, citations=turn.citations
            )

    def check(self, errors: tuple[str, ...]) -> None:
        """Take in what the validator said of the last answer.

        The first that does not fit gets a finalizer, the second ends the run.
        """
        last = self._answers[-1] = replace(self._answers[-1], errors=errors)
        if not errors:
            native = last.parsed is not None and last.source is AnswerSource.REPLY
            good = StopReason.STRUCTURED_OUTPUT if native else StopReason.COMPLETED
            self.end(StopReason.TRUNCATED if last.truncated else good)
        elif self.last_turn is None:
            self.last_turn = AnswerSource.FINALIZER
        else:
            if last.truncated:
                self.end(StopReason.TRUNCATED, TRUNCATED)
            self.end(StopReason.SCHEMA_INVALID, MISFIT)

    def interrupt(self, stop: StopReason, detail: str, *, withdrawn: bool) -> None:
        """Stop for a reason from elsewhere; some reasons leave one closing turn.

        withdrawn: no answer stands, because somebody objects or a check failed.
        """
        if withdrawn:
            self._answers.clear()
            self._half = None
        if self.stop in NORMAL:
            self.stop = None
        if self.last_turn is not None or stop not in WITH_CLOSING_TURN:
            self.end(stop, detail)
            if self._answers and self._answers[-1].errors:
                self.end(StopReason.SCHEMA_INVALID)
            return
        self.stop, self.detail = stop, detail
        closing = AnswerSource.FINALIZER if self._schema else AnswerSource.CLOSING
        self.last_turn = closing

    def end(self, stop: StopReason, detail: str = "") -> None:
        """End the run; the first reason that is no normal end stays."""
        self.over = True
        if self.stop is None:
            self.stop, self.detail = stop, detail
        elif stop not in (self.stop, *self.secondary, *NORMAL):
            self.secondary.append(stop)
