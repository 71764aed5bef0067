"""Rules on the resources of a task, and whether they were read."""

from chat.engine.decisions import Coverage
from chat.engine.findings.finding import (
    CRITICAL,
    INFO,
    WARNING,
    Figure,
    Judge,
    Rule,
    Severity,
    divided,
    on_stop,
    some,
)
from chat.engine.report import RunReport
from chat.engine.stops import StopReason


def _unnamed(coverage: Coverage) -> set[str]:
    return set(coverage.unprocessed) - set(coverage.acknowledged)


def _gap(*, of_children: bool) -> Judge:
    def judge(report: RunReport) -> Severity | None:
        coverage = report.coverage
        if coverage is None or not coverage.unprocessed:
            return None
        if of_children is not (divided(report) or bool(report.children)):
            return None
        if coverage.blocked:
            return CRITICAL
        return WARNING if _unnamed(coverage) else INFO

    return judge


def _coverage_facts(report: RunReport) -> dict[str, Figure]:
    coverage = report.coverage or Coverage()
    return {
        "resources": len(coverage.resources),
        "touched": len(coverage.touched),
        "unprocessed": len(coverage.unprocessed),
        "unacknowledged": len(_unnamed(coverage)),
        "names": some(coverage.unprocessed),
        "followup": coverage.followup,
        "blocked": coverage.blocked,
    }


RULES = (
    Rule(
        code="COVERAGE_INCOMPLETE",
        title="The answer was held back because resources were not read",
        severities=(WARNING,),
        judge=on_stop(StopReason.COVERAGE_INCOMPLETE),
        fields=("stop", "status"),
        facts=_coverage_facts,
        cause="Complete coverage was required, and was not reached.",
        fix_now="Raise Limits.tool_calls, or give fewer resources at a time.",
        fix_release="See that every resource can be read by one of the tools.",
    ),
    Rule(
        code="COVERAGE_GAP",
        title="Resources of the task were not read",
        severities=(CRITICAL, WARNING, INFO),
        judge=_gap(of_children=False),
        facts=_coverage_facts,
        cause="The model answered without a successful call on each resource.",
        fix_now="Run again on what was not read, or raise Limits.tool_calls.",
        fix_release=(
            "Name the argument of each tool that holds a resource (resource_argument), "
            "and require coverage where it matters."
        ),
    ),
    Rule(
        code="DECOMP_COVERAGE_GAP",
        title="Resources of a divided task were not read by any child",
        severities=(CRITICAL, WARNING, INFO),
        judge=_gap(of_children=True),
        facts=_coverage_facts,
        cause="A child ran out of budget, or left out what it had been given.",
        fix_now="Run again undivided, or raise Limits.tool_calls.",
        fix_release="Divide by resources, and require coverage where it matters.",
    ),
)
