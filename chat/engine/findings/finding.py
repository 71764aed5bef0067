"""What a finding is, what a rule is, and the few conditions that rules share.

Titles, causes and fixes are fixed texts of ours: whatever comes from a report is
evidence, so that there is one place to escape and nothing to redact in a sentence.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Any, TypeAlias

from chat.engine.codec import encode
from chat.engine.decisions import Complexity
from chat.engine.report import RunReport
from chat.engine.stops import StopReason

# Names in one figure; a report may have thousands.
NAMES = 10

Figure: TypeAlias = bool | int | float | Decimal | str | tuple["Figure", ...] | None


class Severity(StrEnum):
    """info: worth knowing. warning: the result may be less than it seems.

    critical: do not rely on the result as it is.
    """

    INFO = "info"
    WARNING = "warning"
    CRITICAL = "critical"


INFO, WARNING, CRITICAL = Severity


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to be said of a run.

    evidence: paths in the report, and figures worked out from it, with what they hold.
    fix_now: what helps on this run or the next. fix_release: what to change for good.
    """

    code: str
    title: str
    severity: Severity
    evidence: Mapping[str, Figure]
    cause: str
    fix_now: str
    fix_release: str

    def to_json(self) -> dict[str, Any]:
        """Return the finding as a JSON object."""
        evidence = {name: encode(figure) for name, figure in self.evidence.items()}
        return {**encode(self), "evidence": evidence}


Judge: TypeAlias = Callable[[RunReport], Severity | None]


def _no_facts(_: RunReport) -> Mapping[str, Figure]:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """When a code is found, and what is then said.

    severities: what `judge` may return beside None, the worst first. fields: dotted
    paths in the report that are evidence. facts: evidence that must be worked out.
    """

    code: str
    title: str
    severities: tuple[Severity, ...]
    judge: Judge = field(repr=False)
    fields: tuple[str, ...] = ()
    facts: Callable[[RunReport], Mapping[str, Figure]] = field(
        default=_no_facts, repr=False
    )
    cause: str
    fix_now: str
    fix_release: str

    def find(self, report: RunReport) -> Finding | None:
        """Return the finding, None where the report gives no reason for it."""
        severity = self.judge(report)
        if severity is None:
            return None
        paths = self.fields
        if "stop" in paths and report.secondary:
            paths = ("stop", "secondary", *paths)
        evidence = {path: look_up(report, path) for path in paths}
        evidence.update(self.facts(report))
        return Finding(
            code=self.code,
            title=self.title,
            severity=severity,
            evidence=evidence,
            cause=self.cause,
            fix_now=self.fix_now,
            fix_release=self.fix_release,
        )


def look_up(report: RunReport, path: str) -> Any:
    """Return the value at a dotted path."""
    value: Any = report
    for name in path.split("."):
        value = getattr(value, name)
    return value


def stopped(report: RunReport, *reasons: StopReason) -> bool:
    """Tell whether one of the reasons is among the run's, first or later."""
    return any(reason in (report.stop, *report.secondary) for reason in reasons)


def on_stop(reason: StopReason, severity: Severity = WARNING) -> Judge:
    """Return a judge that finds `severity` where the run stopped for `reason`."""
    return lambda report: severity if stopped(report, reason) else None


def at_least(path: str, least: int, severity: Severity = WARNING) -> Judge:
    """Return a judge that finds `severity` from `least` of a figure on."""
    return lambda report: severity if look_up(report, path) >= least else None


def divided(report: RunReport) -> bool:
    """Tell whether the task was judged to be one for children."""
    judged = report.decisions.classification
    return judged is not None and judged.verdict == Complexity.COMPLEX


def some(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the first few names."""
    return names[:NAMES]
