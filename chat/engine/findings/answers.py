"""Rules on answers that are missing, cut or unlike what was asked for."""

from chat.engine.events import ModelFailed
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
from chat.engine.report import RunReport
from chat.engine.stops import Status, StopReason


def _unavailable(report: RunReport) -> Severity | None:
    if not stopped(report, StopReason.PROVIDER_UNAVAILABLE):
        return None
    return CRITICAL if report.status == Status.ERROR else WARNING


def _failures(report: RunReport) -> dict[str, Figure]:
    entries = [each for each in report.timeline if each.kind == ModelFailed.kind]
    kinds = tuple(dict.fromkeys(each.detail for each in entries))
    return {"failed_requests": len(entries), "failure_kinds": some(kinds)}


def _prose_over_schema(report: RunReport) -> Severity | None:
    counters = report.counters
    prose = counters.closing_turns and not counters.finalizer_runs
    return WARNING if report.configuration.schema and prose else None


RULES = (
    Rule(
        code="RUN_ERROR",
        title="The run ended in an error",
        severities=(CRITICAL,),
        judge=on_stop(StopReason.ERROR, CRITICAL),
        fields=("stop", "status", "counters.model_calls", "counters.retries"),
        facts=_failures,
        cause=(
            "The provider refused a request for good, or something broke in a plugin "
            "or in the loop. The result's detail and the log say what."
        ),
        fix_now="Read the detail, mend what it names, and resume or run again.",
        fix_release="Report what is no fault of the request.",
    ),
    Rule(
        code="PROVIDER_UNAVAILABLE",
        title="The provider could not be reached",
        severities=(CRITICAL, WARNING),
        judge=_unavailable,
        fields=("stop", "status", "counters.model_calls", "counters.retries"),
        facts=_failures,
        cause="It stayed away or overloaded for as long as the run could wait.",
        fix_now="Resume the run later: what it has found is in its journal.",
        fix_release="Raise Limits.deadline_s for runs that may wait.",
    ),
    Rule(
        code="TRUNCATED",
        title="The answer was cut at its token limit",
        severities=(WARNING,),
        judge=on_stop(StopReason.TRUNCATED),
        fields=(
            "stop",
            "budget.max_output",
            "budget.reserve",
            "counters.output_tokens",
        ),
        cause="The reply reached the most tokens that it might have.",
        fix_now="Raise Limits.max_output_tokens, or ask for a shorter answer.",
        fix_release="Use a model that can write longer replies.",
    ),
    Rule(
        code="REFUSAL",
        title="The model refused",
        severities=(WARNING,),
        judge=on_stop(StopReason.REFUSAL),
        fields=("stop", "status", "counters.iterations"),
        cause=(
            "The model or its provider's filter declined the task, or something that a "
            "tool had returned."
        ),
        fix_now="Read the result's detail, and put the objective in other words.",
        fix_release="Use another model for this kind of task.",
    ),
    Rule(
        code="SCHEMA_NOT_SATISFIED",
        title="The answer does not fit its schema",
        severities=(WARNING,),
        judge=on_stop(StopReason.SCHEMA_INVALID),
        fields=(
            "stop",
            "configuration.schema",
            "counters.schema_failures",
            "counters.finalizer_runs",
            "counters.parse_fallbacks",
            "budget.max_output",
        ),
        cause="Told the validator's errors, the model still did not mend them all.",
        fix_now="Read the errors in the result's structured part. Run again.",
        fix_release="Make the schema simpler: flatter, with fewer conditions.",
    ),
    Rule(
        code="SYNTH_VS_STRUCTURED",
        title="A closing turn wrote prose where an answer in a schema was due",
        severities=(WARNING,),
        judge=_prose_over_schema,
        fields=(
            "configuration.schema",
            "counters.closing_turns",
            "counters.finalizer_runs",
            "counters.schema_failures",
        ),
        cause="The run was closed without its finalizer.",
        fix_now="Run again with larger limits, so that the run ends by itself.",
        fix_release="Report this: under a schema the finalizer takes the last turn.",
    ),
    Rule(
        code="PLUGIN_HALT",
        title="A plugin ended the run",
        severities=(WARNING,),
        judge=on_stop(StopReason.PLUGIN_HALT),
        fields=("stop", "status", "counters.iterations"),
        cause="A rule of the caller's objected. The result's detail is its sentence.",
        fix_now="Do what that sentence asks for, and run again.",
        fix_release="If the rule is too strict, change the plugin.",
    ),
    Rule(
        code="AWAITING_APPROVAL",
        title="The run waits for a person",
        severities=(INFO,),
        judge=on_stop(StopReason.AWAITING_APPROVAL, INFO),
        fields=("stop", "counters.approvals_requested", "counters.denied"),
        cause="A call of a tool needs approval, and there was nothing else left to do.",
        fix_now="Decide on the calls in the result's `awaiting`, and resume.",
        fix_release="Require approval only of tools whose calls cannot be taken back.",
    ),
    Rule(
        code="CANCELLED",
        title="The run was cancelled",
        severities=(INFO,),
        judge=on_stop(StopReason.CANCELLED, INFO),
        fields=("stop", "elapsed_s", "counters.iterations"),
        cause="The caller, or a person through it, asked the run to stop.",
        fix_now="None is needed.",
        fix_release="None is needed.",
    ),
)
