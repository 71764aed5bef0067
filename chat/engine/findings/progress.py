"""Rules on runs that went in circles, or whose tools or model gave them nothing."""

from chat.engine.findings.finding import (
    CRITICAL,
    INFO,
    WARNING,
    Figure,
    Rule,
    Severity,
    on_stop,
    some,
    stopped,
)
from chat.engine.report import RunReport, ToolTally
from chat.engine.stops import StopReason

ROUNDS = 3
CALLS = 3


def _deadlock(report: RunReport) -> Severity | None:
    counters = report.counters
    repeated = counters.recall_errors >= ROUNDS and counters.duplicates >= ROUNDS
    return CRITICAL if repeated and counters.emergencies else None


def _no_progress(report: RunReport) -> Severity | None:
    if stopped(report, StopReason.NO_PROGRESS):
        return WARNING
    return INFO if report.counters.stale_rounds >= ROUNDS else None


def _broken(report: RunReport) -> list[ToolTally]:
    tools = report.tools
    return [each for each in tools if each.calls >= CALLS and each.errors == each.calls]


def _streak(report: RunReport) -> Severity | None:
    return (
        WARNING if report.counters.error_rounds >= ROUNDS or _broken(report) else None
    )


def _broken_names(report: RunReport) -> dict[str, Figure]:
    return {"failing_tools": some(tuple(t.name for t in _broken(report)))}


def _empty(report: RunReport) -> Severity | None:
    if stopped(report, StopReason.EMPTY_RESPONSE):
        return WARNING
    return INFO if report.counters.empty_replies >= 2 else None


RULES = (
    Rule(
        code="LOOP_RECALL_DEADLOCK",
        title="The model asked for results that it could no longer reach",
        severities=(CRITICAL,),
        judge=_deadlock,
        fields=(
            "counters.recall_errors",
            "counters.duplicates",
            "counters.emergencies",
            "counters.tool_calls_context",
        ),
        cause=(
            "Results were put aside in an emergency, repeated calls were only answered "
            "with a notice of the earlier result, and recalling it failed."
        ),
        fix_now=(
            "Declare the model's real window (Limits.window), and keep recalls few "
            "with Limits.context_calls."
        ),
        fix_release=(
            "Declare only tools as idempotent whose results are small enough to stay, "
            "or have them return less."
        ),
    ),
    Rule(
        code="LOOP_NO_PROGRESS",
        title="Rounds brought nothing new",
        severities=(WARNING, INFO),
        judge=_no_progress,
        fields=(
            "stop",
            "counters.stale_rounds",
            "counters.nudges",
            "counters.duplicates",
            "counters.tool_calls_business",
            "counters.tool_calls_context",
        ),
        cause=(
            "The model made the same calls again and got the same results, or got only "
            "notices of repeats. The count is over the whole run: the rounds need not "
            "have followed each other."
        ),
        fix_now="State the objective more narrowly, and offer fewer tools.",
        fix_release=(
            "Have tools say plainly when there is nothing more to find. Where results "
            "differ only in parts that always change, give the tool a fingerprint."
        ),
    ),
    Rule(
        code="TOOL_ERROR_STREAK",
        title="Tools gave nothing but errors",
        severities=(WARNING,),
        judge=_streak,
        fields=("counters.error_rounds", "counters.tool_errors", "counters.invalid"),
        facts=_broken_names,
        cause=(
            "Whole rounds of calls failed, or every call of one tool did. The answer "
            "may rest on less than was asked for."
        ),
        fix_now="Check that what these tools depend on is reachable, and run again.",
        fix_release=(
            "Make their errors say what to do instead, and describe their arguments "
            "more exactly. Limits.error_rounds sets how many such rounds in a row end "
            "a run."
        ),
    ),
    Rule(
        code="TOOLS_UNAVAILABLE",
        title="The run stopped because no tool worked",
        severities=(WARNING,),
        judge=on_stop(StopReason.TOOLS_UNAVAILABLE),
        fields=(
            "stop",
            "counters.error_rounds",
            "counters.tool_errors",
            "counters.invalid",
            "configuration.tools",
        ),
        facts=_broken_names,
        cause="Round after round, every call failed, and the answer had to do without.",
        fix_now="Check what the tools depend on: network, keys, services. Run again.",
        fix_release=(
            "Check what tools depend on before a run starts, and leave out those that "
            "cannot work."
        ),
    ),
    Rule(
        code="EMPTY_RESPONSES",
        title="The model answered nothing",
        severities=(WARNING, INFO),
        judge=_empty,
        fields=(
            "stop",
            "counters.empty_replies",
            "counters.nudges",
            "budget.max_output",
        ),
        cause=(
            "Replies came without text and without calls: filtered by the provider, "
            "or cut before anything was written."
        ),
        fix_now="Raise Limits.max_output_tokens, or put the objective in other words.",
        fix_release="Use a model that does not filter this kind of task.",
    ),
)
