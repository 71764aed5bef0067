"""Rules on budgets that were used up, time, and money that could not be counted."""

from chat.engine.findings.finding import (
    INFO,
    WARNING,
    Rule,
    Severity,
    at_least,
    on_stop,
)
from chat.engine.report import RunReport
from chat.engine.stops import StopReason


def _price_unknown(report: RunReport) -> Severity | None:
    if report.cost is not None or not report.counters.model_calls:
        return None
    return INFO if report.configuration.cost is None else WARNING


def _usage_unknown(report: RunReport) -> Severity | None:
    limits = report.configuration
    if not report.counters.usage_unknown:
        return None
    return INFO if limits.tokens is None and limits.cost is None else WARNING


RULES = (
    Rule(
        code="TOOL_BUDGET_EXHAUSTED",
        title="The run used all its tool calls",
        severities=(WARNING,),
        judge=on_stop(StopReason.TOOL_BUDGET),
        fields=(
            "stop",
            "configuration.tool_cap",
            "counters.tool_calls_business",
            "counters.refused",
            "configuration.tools",
        ),
        cause="The task needed more calls than were allowed, or they were wasted.",
        fix_now="Raise Limits.tool_calls, or narrow the task.",
        fix_release="Offer tools that answer more with one call.",
    ),
    Rule(
        code="CONTEXT_TOOL_BUDGET_EXHAUSTED",
        title="The run used all its calls of context tools",
        severities=(WARNING,),
        judge=on_stop(StopReason.CONTEXT_TOOL_BUDGET),
        fields=(
            "stop",
            "configuration.context_cap",
            "counters.tool_calls_context",
            "counters.recall_errors",
            "counters.masks",
        ),
        cause=(
            "The model kept looking again at what it already had, mostly because it "
            "had been put aside."
        ),
        fix_now="Use a larger window, so that less is put aside.",
        fix_release="Have tools return less. Raising Limits.context_calls comes last.",
    ),
    Rule(
        code="ITERATION_LIMIT",
        title="The run used all its model turns",
        severities=(WARNING,),
        judge=on_stop(StopReason.ITERATION_LIMIT),
        fields=("stop", "configuration.iteration_cap", "counters.iterations"),
        cause="The model had not come to an answer in as many turns as were allowed.",
        fix_now="Raise Limits.iterations, or narrow the task.",
        fix_release="Offer tools that answer more with one call.",
    ),
    Rule(
        code="TOKEN_BUDGET",
        title="The run used its tokens",
        severities=(WARNING,),
        judge=on_stop(StopReason.TOKEN_BUDGET),
        fields=(
            "stop",
            "configuration.tokens",
            "counters.input_tokens",
            "counters.output_tokens",
            "counters.max_prompt_tokens",
        ),
        cause="Every turn sends the whole conversation, so that long ones cost most.",
        fix_now="Raise Limits.tokens, or narrow the task.",
        fix_release="Have tools return less, and offer fewer of them.",
    ),
    Rule(
        code="COST_BUDGET",
        title="The run used its money, or could not tell its price",
        severities=(WARNING,),
        judge=on_stop(StopReason.COST_BUDGET),
        fields=("stop", "configuration.cost", "cost", "counters.model_calls"),
        cause=(
            "The next request might have cost more than was left beside the reserve "
            "for the closing turn, or a price stayed unknown under a limit on money."
        ),
        fix_now="Raise Limits.cost, or narrow the task.",
        fix_release="Use a cheaper model, and see that every model used has a price.",
    ),
    Rule(
        code="PAUSE_LIMIT",
        title="The provider paused its reply too often",
        severities=(WARNING,),
        judge=on_stop(StopReason.PAUSE_LIMIT),
        fields=("stop", "counters.pauses", "counters.model_calls"),
        cause=(
            "Work on the provider's side, such as a search of its own, was continued "
            "again and again without an end."
        ),
        fix_now="Raise Limits.pauses, or narrow the task.",
        fix_release="Allow fewer uses of the provider's own tools in one reply.",
    ),
    Rule(
        code="DEADLINE",
        title="The run used its time",
        severities=(WARNING,),
        judge=on_stop(StopReason.DEADLINE),
        fields=(
            "stop",
            "configuration.deadline_s",
            "elapsed_s",
            "counters.model_calls",
            "counters.retries",
        ),
        cause="Calls took longer in all than the deadline allows.",
        fix_now="Raise Limits.deadline_s, or narrow the task.",
        fix_release=(
            "Set Limits.tool_timeout_s and Limits.model_timeout_s, so that one slow "
            "call cannot use the time of all."
        ),
    ),
    Rule(
        code="LLM_TIMEOUT",
        title="The model did not answer in time",
        severities=(WARNING,),
        judge=on_stop(StopReason.LLM_TIMEOUT),
        fields=(
            "stop",
            "configuration.model_timeout_s",
            "counters.model_calls",
            "counters.retries",
            "budget.max_output",
        ),
        cause="Requests took longer than one may, and trying again did not help.",
        fix_now="Raise Limits.model_timeout_s, or lower Limits.max_output_tokens.",
        fix_release="Use a faster model for this task.",
    ),
    Rule(
        code="PRICE_UNKNOWN",
        title="The cost of the run is not known",
        severities=(WARNING, INFO),
        judge=_price_unknown,
        fields=("cost", "configuration.cost", "counters.model_calls"),
        cause="There is no price for the model that was used, or for what it reported.",
        fix_now="Look at the provider's own bill for this run.",
        fix_release="Enter a price for the model.",
    ),
    Rule(
        code="USAGE_UNKNOWN",
        title="The provider did not say how many tokens it used",
        severities=(WARNING, INFO),
        judge=_usage_unknown,
        fields=(
            "counters.usage_unknown",
            "counters.model_calls",
            "configuration.tokens",
            "configuration.cost",
        ),
        cause="Replies came without usage, so that budgets were kept by estimates.",
        fix_now="Read tokens and cost of this run as lower bounds.",
        fix_release="Switch on usage reporting at the provider, in streams too.",
    ),
    Rule(
        code="CALLS_LOST",
        title="Requests were sent whose replies never arrived",
        severities=(WARNING,),
        judge=at_least("counters.calls_lost", 1),
        fields=("counters.calls_lost", "counters.model_calls", "cost"),
        cause=(
            "The process ended, or a request was abandoned, between sending and the "
            "reply. The provider may have charged for it; it is counted as an estimate."
        ),
        fix_now="Nothing is missing from the answer. Compare the cost with the bill.",
        fix_release="Let workers finish their step before they are ended.",
    ),
)
