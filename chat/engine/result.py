"""What a run ends in."""

from dataclasses import dataclass

from chat.engine.report import RunReport
from chat.engine.stops import AnswerSource, Status, StopReason


@dataclass(frozen=True, slots=True)
class AgentResult:
    """The outcome. `stop` is the first reason; later ones are in `secondary`.

    output: the raw text of the answer, empty where answer_source is `none`.
    detail: one sentence for people on why the run stopped, empty when it completed.
    """

    status: Status
    stop: StopReason
    secondary: tuple[StopReason, ...]
    answer_source: AnswerSource
    output: str
    report: RunReport
    detail: str = ""

    def __str__(self) -> str:
        return self.output
