"""Rules on children, what they were given and gave back, and the critic."""

from itertools import combinations, islice

from chat.engine.decisions import ChildReport
from chat.engine.findings.finding import (
    INFO,
    NAMES,
    WARNING,
    Figure,
    Rule,
    Severity,
    at_least,
    divided,
    on_stop,
)
from chat.engine.report import RunReport
from chat.engine.stops import Status, StopReason

# Pairs of children are compared; more children than this have no run.
COMPARED = 100


def _own(report: RunReport) -> list[ChildReport]:
    """The children that had a part of the task."""
    return [child for child in report.children if not child.auxiliary]


def _narrower(report: RunReport) -> list[ChildReport]:
    window = report.budget.window
    return [
        child
        for child in _own(report)
        if window is not None and child.window is not None and child.window < window
    ]


def _narrower_facts(report: RunReport) -> dict[str, Figure]:
    children = _narrower(report)[:NAMES]
    return {
        "children": tuple(child.id for child in children),
        "windows": tuple(child.window for child in children),
    }


def _capped(report: RunReport) -> list[ChildReport]:
    cap = report.configuration.tool_cap
    return [child for child in _own(report) if 0 < child.tool_cap < cap]


def _hidden_cap(report: RunReport) -> Severity | None:
    capped = _capped(report)
    hit = any(child.stop == StopReason.TOOL_BUDGET for child in capped)
    return (WARNING if hit else INFO) if capped else None


def _capped_facts(report: RunReport) -> dict[str, Figure]:
    children = _capped(report)[:NAMES]
    return {
        "children": tuple(child.id for child in children),
        "caps": tuple(child.tool_cap for child in children),
        "calls": tuple(child.tool_calls for child in children),
    }


def _shared(report: RunReport) -> list[tuple[str, str, int]]:
    """Pairs that both read more than half of what the one that read less did."""
    read = [(child.id, set(child.touched)) for child in _own(report) if child.touched]
    pairs = (
        (one, other, len(mine & theirs))
        for (one, mine), (other, theirs) in combinations(read[:COMPARED], 2)
        if 2 * len(mine & theirs) > min(len(mine), len(theirs))
    )
    return list(islice(pairs, NAMES)) if divided(report) else []


def _shared_facts(report: RunReport) -> dict[str, Figure]:
    pairs = _shared(report)
    return {
        "pairs": tuple((one, other) for one, other, _ in pairs),
        "shared": tuple(shared for _, _, shared in pairs),
    }


def _failed(report: RunReport) -> list[ChildReport]:
    return [child for child in report.children if child.status == Status.ERROR]


def _failed_facts(report: RunReport) -> dict[str, Figure]:
    children = _failed(report)
    return {
        "failed": len(children),
        "spawned": len(report.children),
        "children": tuple(child.id for child in children[:NAMES]),
        "stops": tuple(child.stop for child in children[:NAMES]),
        "errors": tuple(child.error for child in children[:NAMES]),
    }


def _downgraded(report: RunReport) -> Severity | None:
    judged = report.decisions.classification
    return INFO if judged is not None and judged.downgrade is not None else None


def _not_gathered(report: RunReport) -> Severity | None:
    gather = report.decisions.gather_first
    return INFO if gather.asked and not gather.ran else None


RULES = (
    Rule(
        code="DECOMP_SHARED_SOURCE",
        title="Children read the same sources",
        severities=(WARNING,),
        judge=lambda report: WARNING if _shared(report) else None,
        fields=("decisions.classification.parts",),
        facts=_shared_facts,
        cause=(
            "The task was divided by topic and not by source, so that work was done "
            "twice, and parts of one record may have been judged apart."
        ),
        fix_now="Run the task undivided.",
        fix_release="Declare the resources of the task, so that each has one owner.",
    ),
    Rule(
        code="DECOMP_DOWNGRADED",
        title="A task that was to be divided was not",
        severities=(INFO,),
        judge=_downgraded,
        fields=(
            "decisions.classification.downgrade",
            "decisions.classification.verdict",
            "decisions.classification.parts",
            "decisions.classification.gates.several",
            "decisions.classification.gates.independent",
            "decisions.classification.gates.mergeable",
            "decisions.classification.gates.separable",
        ),
        cause="A condition for it failed, or the parts did not own their sources.",
        fix_now="None is needed: one run did the whole task.",
        fix_release="Declare resources that can be read apart, if it should be.",
    ),
    Rule(
        code="CHILDREN_FAILED",
        title="Children failed",
        severities=(WARNING,),
        judge=lambda report: WARNING if _failed(report) else None,
        facts=_failed_facts,
        cause="Their budgets were too small, or their requests failed.",
        fix_now="Run again, with larger limits where their stops name a limit.",
        fix_release="Divide the task into fewer and smaller parts.",
    ),
    Rule(
        code="CHILD_WINDOW_MISMATCH",
        title="Children worked in a smaller window than their parent",
        severities=(WARNING,),
        judge=lambda report: WARNING if _narrower(report) else None,
        fields=("budget.window",),
        facts=_narrower_facts,
        cause="It was not passed on, or the children's model has a smaller one.",
        fix_now="Run the task undivided.",
        fix_release="Set Limits.window, which every child inherits.",
    ),
    Rule(
        code="CHILD_HIDDEN_CAP",
        title="Children had fewer tool calls than their parent",
        severities=(WARNING, INFO),
        judge=_hidden_cap,
        fields=("configuration.tool_cap",),
        facts=_capped_facts,
        cause="The parent's budget was divided among them.",
        fix_now="Raise Limits.tool_calls where a child stopped at its cap.",
        fix_release="Divide the task into fewer parts.",
    ),
    Rule(
        code="HANDOFF_TRUNCATED",
        title="The synthesis did not see all that the children found",
        severities=(WARNING,),
        judge=at_least("decisions.handoff.truncated", 1),
        fields=(
            "decisions.handoff.truncated",
            "decisions.handoff.findings",
            "decisions.handoff.chars_cut",
            "budget.window",
        ),
        cause="Their findings were longer than the room for them.",
        fix_now="Read the children's own results beside the answer.",
        fix_release="Use a larger window, or ask the children for shorter findings.",
    ),
    Rule(
        code="GATHER_SKIPPED",
        title="Nothing was gathered before the task was divided",
        severities=(INFO,),
        judge=_not_gathered,
        fields=("decisions.gather_first.asked", "decisions.gather_first.skipped"),
        cause="Gathering first needs resources, an idempotent tool, and budget.",
        fix_now="None is needed: the children read for themselves.",
        fix_release="Declare resources, and mark tools that only read as idempotent.",
    ),
    Rule(
        code="CRITIC_PARTIAL_VIEW",
        title="The critic judged on less than the evidence",
        severities=(WARNING,),
        judge=at_least("decisions.critic.partial_views", 1),
        fields=(
            "decisions.critic.partial_views",
            "decisions.critic.downgraded",
            "decisions.critic.passed",
            "decisions.critic.failed",
            "decisions.critic.uncertain",
            "budget.window",
        ),
        cause="The evidence did not fit into the critic's request, or was put aside.",
        fix_now="Check yourself what the critic doubted.",
        fix_release="Use a larger window for the critic.",
    ),
    Rule(
        code="CRITIC_ABSTAIN",
        title="The critic was not satisfied with any answer",
        severities=(INFO,),
        judge=on_stop(StopReason.CRITIC_ABSTAIN, INFO),
        fields=(
            "stop",
            "status",
            "decisions.critic.failed",
            "decisions.critic.uncertain",
            "decisions.critic.escalations",
        ),
        cause="No attempt was supported well enough by what had been found.",
        fix_now="Read the critique: it names what is missing.",
        fix_release="Give the task what is missing, such as sources and tools.",
    ),
)
