"""Rules on what fitted into the window, and what did not."""

from chat.engine.findings.finding import (
    CRITICAL,
    INFO,
    WARNING,
    Judge,
    Rule,
    Severity,
    at_least,
    on_stop,
    stopped,
)
from chat.engine.report import RunReport
from chat.engine.stops import StopReason

_WINDOW = ("budget.window", "budget.reserve", "counters.max_prompt_tokens")


def _over_window(report: RunReport) -> Severity | None:
    budget = report.budget
    if budget.window is None:
        return None
    longest = report.counters.max_prompt_tokens
    return CRITICAL if longest > budget.window - budget.reserve else None


def _overflow(report: RunReport) -> Severity | None:
    if stopped(report, StopReason.CONTEXT_OVERFLOW):
        return CRITICAL
    return WARNING if report.counters.overflows else None


def _fallback(report: RunReport) -> Severity | None:
    return WARNING if report.budget.fallback else None


def _reserve(report: RunReport) -> Severity | None:
    budget = report.budget
    return WARNING if 0 < budget.reserve < (budget.max_output or 0) else None


def _fitness(word: str, severity: Severity) -> Judge:
    return lambda report: severity if report.preflight.fitness == word else None


_PREFLIGHT = (
    "preflight.fitness",
    "preflight.action",
    "configuration.mode",
    "preflight.mode",
    "preflight.working",
    "budget.window",
    "budget.reserve",
    "budget.system",
    "budget.tools",
)

RULES = (
    Rule(
        code="EVIDENCE_EVICTED_UNSEEN",
        title="Results were put aside before the model had seen them",
        severities=(CRITICAL,),
        judge=at_least("counters.unseen_evicted", 1, CRITICAL),
        fields=(
            "counters.unseen_evicted",
            "counters.emergencies",
            "counters.tool_calls_business",
            "preflight.working",
            *_WINDOW,
        ),
        cause=(
            "One round brought more than there was room for, so that parts of it were "
            "dropped unread."
        ),
        fix_now=(
            "Treat the answer as unverified. Run again with a larger window, or with a "
            "lower Limits.parallel_calls."
        ),
        fix_release="Have tools return less at a time, in pages.",
    ),
    Rule(
        code="OVER_WINDOW",
        title="A request was longer than the window allows",
        severities=(CRITICAL,),
        judge=_over_window,
        fields=_WINDOW,
        cause=(
            "By our own estimate the longest request left less than the reserve for "
            "the reply. A provider refuses such a request, or silently cuts it."
        ),
        fix_now="Set Limits.window to what the model really has, or shorten the task.",
        fix_release=(
            "Report this: a request that does not fit must not be sent. Until then use "
            "a model with a larger window for this task."
        ),
    ),
    Rule(
        code="CONTEXT_OVERFLOW_400",
        title="The provider refused a request as too long",
        severities=(CRITICAL, WARNING),
        judge=_overflow,
        fields=("stop", "counters.overflows", "budget.max_output", *_WINDOW),
        cause=(
            "The provider counted more tokens than its limit allows: the window that "
            "was declared is larger than what it serves, or the estimate was low."
        ),
        fix_now="Set Limits.window to what the provider serves.",
        fix_release="Declare the right window in the model's profile.",
    ),
    Rule(
        code="EMERGENCY_COMPACTION",
        title="The run stopped because its messages no longer fitted",
        severities=(WARNING,),
        judge=on_stop(StopReason.EMERGENCY_COMPACTION),
        fields=("stop", "counters.emergencies", "preflight.working", *_WINDOW),
        cause=(
            "Everything but the task and the last round had to be put aside again and "
            "again, so that the run was ended rather than go on forgetting."
        ),
        fix_now="Use a larger window, or split the task.",
        fix_release="Have tools return less at a time, and offer fewer of them.",
    ),
    Rule(
        code="EMERGENCY_THRASH",
        title="Messages had to be put aside in an emergency more than once",
        severities=(WARNING,),
        judge=at_least("counters.emergencies", 2),
        fields=(
            "counters.emergencies",
            "counters.folds",
            "counters.masks",
            "preflight.working",
            *_WINDOW,
        ),
        cause="The room for work is small beside what the tools return.",
        fix_now="Declare the model's real window (Limits.window), or use a larger one.",
        fix_release="Have tools return less, and shorten the system prompt.",
    ),
    Rule(
        code="WINDOW_FALLBACK",
        title="Nobody declared the model's window",
        severities=(WARNING,),
        judge=_fallback,
        fields=("budget.window", "budget.fallback", "counters.max_prompt_tokens"),
        cause=(
            "Neither the model's profile nor the limits name a window, so that a "
            "common size was assumed. Every size below is derived from it."
        ),
        fix_now="Set Limits.window.",
        fix_release="Declare the window in the model's profile.",
    ),
    Rule(
        code="RESERVE_LT_MAX_TOKENS",
        title="A reply may be longer than what is kept for it",
        severities=(WARNING,),
        judge=_reserve,
        fields=("budget.reserve", "budget.max_output", "budget.window"),
        cause=(
            "Request and reply share the window. With a full request a long reply is "
            "cut, or the request is refused."
        ),
        fix_now="Lower Limits.max_output_tokens, or raise Limits.reply_reserve.",
        fix_release="Leave Limits.reply_reserve unset: it is then derived to fit.",
    ),
    Rule(
        code="PREFLIGHT_UNFIT",
        title="There was too little room for the mode that was asked for",
        severities=(WARNING,),
        judge=_fitness("unfit", WARNING),
        fields=_PREFLIGHT,
        cause=(
            "System prompt, tool schemas and the reserve for the reply leave less of "
            "the window than this mode needs."
        ),
        fix_now="Use a larger window, offer fewer tools, or set another Limits.mode.",
        fix_release=(
            "Shorten the system prompt and the descriptions of the tools. What counts "
            "as too little is set by Limits.preflight."
        ),
    ),
    Rule(
        code="PREFLIGHT_MARGINAL",
        title="There was little room to work",
        severities=(INFO,),
        judge=_fitness("marginal", INFO),
        fields=_PREFLIGHT,
        cause=(
            "System prompt, tool schemas and the reserve for the reply take most of "
            "the window: older results are put aside early."
        ),
        fix_now="Use a larger window, or offer fewer tools.",
        fix_release="Shorten the system prompt and the descriptions of the tools.",
    ),
)
