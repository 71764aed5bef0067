"""What is to be said of a run: rules over its report, and nothing else.

analyze(report)        the findings, the worst first
registered_rules()     every rule, in the order in which they are asked
"""

from collections.abc import Iterable

from chat.engine.findings import answers, context, coverage, progress, spending, team
from chat.engine.findings.finding import WARNING, Figure, Finding, Rule, Severity
from chat.engine.report import RunReport

__all__ = ["Figure", "Finding", "Rule", "Severity", "analyze", "registered_rules"]

_RULES = (
    *answers.RULES,
    *progress.RULES,
    *context.RULES,
    *spending.RULES,
    *coverage.RULES,
    *team.RULES,
)
_ORDER = tuple(reversed(Severity))


def registered_rules() -> tuple[Rule, ...]:
    """Return every rule: code, title, severities from the worst on, and texts."""
    return _RULES


def analyze(report: RunReport, rules: Iterable[Rule] = _RULES) -> tuple[Finding, ...]:
    """Return the findings: critical, warning, info, each in the order of the rules.

    A rule that fails does not end the analysis: it is a finding itself.
    """
    found = (_ask(rule, report) for rule in rules)
    findings = [each for each in found if each is not None]
    return tuple(sorted(findings, key=lambda each: _ORDER.index(each.severity)))


def _ask(rule: Rule, report: RunReport) -> Finding | None:
    try:
        return rule.find(report)
    except Exception as error:  # noqa: BLE001, shown as a finding
        return _failure(rule, error)


def _failure(rule: Rule, error: Exception) -> Finding:
    # Its message and traceback may quote the report, so that they go nowhere.
    return Finding(
        code="ANALYZER_FAILED",
        title="A rule could not judge this report",
        severity=WARNING,
        evidence={"rule": rule.code, "error": type(error).__name__},
        cause="The report holds something that the rule does not expect.",
        fix_now="Read the report itself for what this rule looks at.",
        fix_release="Report this, with the redacted report.",
    )
