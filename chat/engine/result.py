"""What a run ends in."""

from dataclasses import dataclass, field
from typing import Any

from chat.engine.messages import ToolCall
from chat.engine.model import Citation
from chat.engine.report import RunReport
from chat.engine.stops import AnswerSource, Status, StopReason

DETAIL_CHARS = 500


@dataclass(frozen=True, slots=True)
class StructuredOutcome:
    """How the answer stands to its schema.

    schema: its name. finalizer_runs: 0 or 1. errors: what the validator said of the
    output, empty where it is valid. source: `provider` where the provider had parsed
    the answer, `text` where the loop found it in the output.
    """

    schema: str
    valid: bool
    finalizer_runs: int = 0
    errors: tuple[str, ...] = ()
    source: str = "text"


@dataclass(frozen=True, slots=True)
class AgentResult:
    """The outcome. `stop` is the first reason; later ones are in `secondary`.

    output: the raw text of the answer, empty where answer_source is `none`. report:
    the run in figures, always there. structured: None without a schema or an answer.
    detail: one sentence for people on why the run stopped, empty when it completed.
    schema_valid: None without a schema. parsed: the answer as a value of the schema's
    own type, None where it is not valid; it is not journaled but read again.
    awaiting: the calls that wait for a person, where status is `suspended`.
    citations: sources that the provider names for stretches of `output`.
    """

    status: Status
    stop: StopReason
    secondary: tuple[StopReason, ...]
    answer_source: AnswerSource
    output: str
    report: RunReport
    detail: str = ""
    parsed: Any = field(default=None, metadata={"journaled": False})
    schema_valid: bool | None = None
    structured: StructuredOutcome | None = None
    awaiting: tuple[ToolCall, ...] = ()
    citations: tuple[Citation, ...] = ()

    def __str__(self) -> str:
        return self.output

    def display(self) -> str:
        """Return a few lines for people: the stop, the counters, the worst findings."""
        from chat.engine.explain import worst_findings

        also = f" (then {', '.join(self.secondary)})" if self.secondary else ""
        lines = [
            f"{self.status}: {self.stop}{also}, answer from {self.answer_source}",
            ", ".join(_counted(self.report)) or "nothing happened",
        ]
        found = worst_findings(self.report)
        lines += [f"[{each.severity}] {each.code}: {each.title}" for each in found]
        return "\n".join(lines)

    def summary(self) -> dict[str, Any]:
        """Return the outcome without its texts, as JSON; diagnostics reads it."""
        return {
            "status": self.status.value,
            "stop": self.stop.value,
            "secondary": [stop.value for stop in self.secondary],
            "answer_source": self.answer_source.value,
            "output_chars": len(self.output),
            "schema_valid": self.schema_valid,
            "report": self.report.to_json(),
        }


def _counted(report: RunReport) -> list[str]:
    counters = report.counters
    named = {name: getattr(counters, name) for name in counters.__slots__}
    return [f"{name} {value}" for name, value in named.items() if value]
