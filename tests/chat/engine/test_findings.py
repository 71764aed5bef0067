"""Findings: a crafted report for every code, and a clean one for none."""

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.engine.codec import encode
from chat.engine.decisions import Downgrade, GatherSkip
from chat.engine.explain import worst_findings
from chat.engine.findings import Rule, Severity, analyze, registered_rules
from chat.engine.findings.finding import look_up
from chat.engine.limits import Limits
from chat.engine.report import RunReport, TimelineEntry, ToolTally
from chat.engine.stops import NORMAL, Status, StopReason
from tests.chat.engine.reports import (
    COMPLEX,
    GAP,
    altered,
    child,
    clean,
    filled,
    reports,
)

pytestmark = pytest.mark.row("B2")

INFO, WARNING, CRITICAL = Severity
DOCUMENT = Path(__file__).parents[3] / "docs/diagnostics.md"
CODES = [rule.code for rule in registered_rules()]
WHOLE = filled(RunReport, "word")


def stop(reason: str, **more: Any) -> dict[str, Any]:
    return {"stop": StopReason(reason), "status": Status.PARTIAL, **more}


def counted(**counters: int) -> dict[str, Any]:
    return {f"counters.{name}": value for name, value in counters.items()}


def decided(**decisions: Any) -> dict[str, Any]:
    return {f"decisions.{name}": value for name, value in decisions.items()}


SPLIT = decided(classification=COMPLEX)
FAILED_CHILD = child("b", status=Status.ERROR, stop=StopReason.ERROR)
FAILURE = TimelineEntry(5, 1, "model_failed", "overloaded")
CASES: list[tuple[str, Severity, dict[str, Any]]] = [
    (
        "LOOP_RECALL_DEADLOCK",
        CRITICAL,
        counted(recall_errors=3, duplicates=3, emergencies=1),
    ),
    ("LOOP_NO_PROGRESS", WARNING, stop("no_progress")),
    ("LOOP_NO_PROGRESS", INFO, counted(stale_rounds=3)),
    ("TOOL_ERROR_STREAK", WARNING, counted(error_rounds=3)),
    ("TOOL_ERROR_STREAK", WARNING, {"tools": (ToolTally("x", "business", 3, 3),)}),
    ("TOOLS_UNAVAILABLE", WARNING, stop("tools_unavailable")),
    ("EMPTY_RESPONSES", WARNING, stop("empty_response")),
    ("EMPTY_RESPONSES", INFO, counted(empty_replies=2)),
    ("EVIDENCE_EVICTED_UNSEEN", CRITICAL, counted(unseen_evicted=1)),
    ("OVER_WINDOW", CRITICAL, counted(max_prompt_tokens=119_809)),
    ("CONTEXT_OVERFLOW_400", CRITICAL, stop("context_overflow")),
    ("CONTEXT_OVERFLOW_400", WARNING, counted(overflows=1)),
    ("EMERGENCY_COMPACTION", WARNING, stop("emergency_compaction")),
    ("EMERGENCY_THRASH", WARNING, counted(emergencies=2)),
    ("WINDOW_FALLBACK", WARNING, {"budget.fallback": True}),
    ("RESERVE_LT_MAX_TOKENS", WARNING, {"budget.max_output": 8_193}),
    ("PREFLIGHT_UNFIT", WARNING, {"preflight.fitness": "unfit"}),
    ("PREFLIGHT_MARGINAL", INFO, {"preflight.fitness": "marginal"}),
    ("TOOL_BUDGET_EXHAUSTED", WARNING, stop("tool_budget")),
    ("CONTEXT_TOOL_BUDGET_EXHAUSTED", WARNING, stop("context_tool_budget")),
    ("ITERATION_LIMIT", WARNING, stop("iteration_limit")),
    ("TOKEN_BUDGET", WARNING, stop("token_budget")),
    ("COST_BUDGET", WARNING, stop("cost_budget")),
    ("PAUSE_LIMIT", WARNING, stop("pause_limit")),
    ("DEADLINE", WARNING, stop("deadline")),
    ("LLM_TIMEOUT", WARNING, stop("llm_timeout")),
    ("PRICE_UNKNOWN", INFO, {"cost": None}),
    ("PRICE_UNKNOWN", WARNING, {"cost": None, "configuration.cost": 1}),
    ("USAGE_UNKNOWN", INFO, counted(usage_unknown=1)),
    ("USAGE_UNKNOWN", WARNING, {"configuration.tokens": 9, **counted(usage_unknown=1)}),
    ("CALLS_LOST", WARNING, counted(calls_lost=1)),
    ("RUN_ERROR", CRITICAL, stop("error", timeline=(FAILURE,))),
    ("PROVIDER_UNAVAILABLE", WARNING, stop("provider_unavailable")),
    (
        "PROVIDER_UNAVAILABLE",
        CRITICAL,
        stop("provider_unavailable") | {"status": Status.ERROR},
    ),
    ("TRUNCATED", WARNING, stop("truncated")),
    ("REFUSAL", WARNING, stop("refusal")),
    (
        "SCHEMA_NOT_SATISFIED",
        WARNING,
        stop("deadline", secondary=(StopReason.SCHEMA_INVALID,)),
    ),
    (
        "SYNTH_VS_STRUCTURED",
        WARNING,
        {"configuration.schema": True, **counted(closing_turns=1)},
    ),
    ("PLUGIN_HALT", WARNING, stop("plugin_halt")),
    ("AWAITING_APPROVAL", INFO, stop("awaiting_approval")),
    ("CANCELLED", INFO, stop("cancelled")),
    ("COVERAGE_INCOMPLETE", WARNING, stop("coverage_incomplete")),
    ("COVERAGE_GAP", WARNING, {"coverage": GAP}),
    ("COVERAGE_GAP", CRITICAL, {"coverage": GAP, "coverage.blocked": True}),
    ("COVERAGE_GAP", INFO, {"coverage": GAP, "coverage.acknowledged": ("b",)}),
    ("DECOMP_COVERAGE_GAP", WARNING, {"coverage": GAP, "children": (child(),)}),
    (
        "DECOMP_COVERAGE_GAP",
        CRITICAL,
        SPLIT | {"coverage": GAP, "coverage.blocked": True},
    ),
    (
        "DECOMP_SHARED_SOURCE",
        WARNING,
        SPLIT | {"children": (child(touched=("x", "y")), child("b", touched=("x",)))},
    ),
    (
        "DECOMP_DOWNGRADED",
        INFO,
        SPLIT | decided(**{"classification.downgrade": Downgrade.GATE_FAILED}),
    ),
    ("CHILDREN_FAILED", WARNING, {"children": (child(), FAILED_CHILD)}),
    ("CHILD_WINDOW_MISMATCH", WARNING, {"children": (child(window=8_192),)}),
    ("CHILD_HIDDEN_CAP", INFO, {"children": (child(tool_cap=15),)}),
    (
        "CHILD_HIDDEN_CAP",
        WARNING,
        {"children": (child(tool_cap=15, stop=StopReason.TOOL_BUDGET),)},
    ),
    ("HANDOFF_TRUNCATED", WARNING, decided(**{"handoff.truncated": 1})),
    (
        "GATHER_SKIPPED",
        INFO,
        decided(
            **{"gather_first.asked": True, "gather_first.skipped": GatherSkip.NO_TIME}
        ),
    ),
    ("CRITIC_PARTIAL_VIEW", WARNING, decided(**{"critic.partial_views": 1})),
    ("CRITIC_ABSTAIN", INFO, stop("critic_abstain")),
]


def codes(report: RunReport) -> list[str]:
    return [each.code for each in analyze(report)]


@pytest.mark.parametrize(("code", "severity", "changes"), CASES)
def test_a_code_is_found(
    code: str, severity: Severity, changes: dict[str, Any]
) -> None:
    found = {each.code: each for each in analyze(altered(clean(), changes))}

    assert found[code].severity is severity
    assert found[code].evidence
    json.dumps(found[code].to_json())


def test_every_code_has_a_case() -> None:
    assert sorted(CODES) == sorted({code for code, _, _ in CASES})


def test_a_clean_report_has_no_findings() -> None:
    assert clean().findings == ()


@pytest.mark.parametrize("reason", [each for each in StopReason if each not in NORMAL])
def test_every_stop_but_a_normal_end_is_a_finding(reason: StopReason) -> None:
    assert codes(clean(stop=reason))


def test_findings_come_worst_first_then_by_rule() -> None:
    changes = {
        **counted(stale_rounds=3, unseen_evicted=1, emergencies=2, calls_lost=1),
        "budget.fallback": True,
    }
    report = altered(clean(), changes)

    assert codes(report) == [
        "EVIDENCE_EVICTED_UNSEEN",
        "EMERGENCY_THRASH",
        "WINDOW_FALLBACK",
        "CALLS_LOST",
        "LOOP_NO_PROGRESS",
    ]
    assert [each.code for each in worst_findings(report, 2)] == codes(report)[:2]


def test_a_rule_that_fails_is_a_finding_and_the_others_still_speak() -> None:
    def fail(_: RunReport) -> Severity | None:
        raise KeyError("secret")

    texts = {"title": "t", "cause": "c", "fix_now": "f", "fix_release": "f"}
    broken = Rule(code="BROKEN", severities=(INFO,), judge=fail, **texts)
    report = clean(stop=StopReason.REFUSAL)
    failure, refusal = analyze(report, (broken, *registered_rules()))

    assert (failure.code, failure.severity) == ("ANALYZER_FAILED", WARNING)
    assert failure.evidence == {"rule": "BROKEN", "error": "KeyError"}
    assert refusal.code == "REFUSAL"


def test_evidence_names_figures_of_the_report() -> None:
    report = altered(clean(), counted(overflows=2))
    (finding,) = analyze(report)

    assert finding.evidence["counters.overflows"] == 2
    assert finding.evidence["budget.window"] == 128_000


def test_a_later_stop_is_shown_beside_the_first() -> None:
    later = (StopReason.SCHEMA_INVALID,)
    found = analyze(clean(stop=StopReason.DEADLINE, secondary=later))

    assert [each.evidence["secondary"] for each in found] == [later, later]


def test_repeats_over_a_whole_run_do_not_claim_that_it_stopped() -> None:
    (finding,) = analyze(altered(clean(), counted(stale_rounds=5)))
    assert "stopped" not in f"{finding.title} {finding.cause} {finding.fix_now}"


def test_a_finalizer_is_no_prose_over_a_schema() -> None:
    report = altered(clean(), {"configuration.schema": True})
    both = counted(closing_turns=1, finalizer_runs=1)

    assert codes(report) == codes(altered(report, both)) == []


def test_a_prompt_that_fills_the_window_but_for_the_reserve_fits() -> None:
    full = altered(clean(), counted(max_prompt_tokens=119_808))
    assert codes(full) == []
    assert codes(altered(full, {"budget.window": None} | counted(overflows=0))) == []


def test_auxiliary_children_have_limits_of_their_own() -> None:
    helper = child(window=8_192, tool_cap=4, auxiliary=True)
    assert codes(clean(children=(helper,))) == []


def test_children_that_share_half_of_their_sources_are_apart_enough() -> None:
    mine, theirs = child(touched=("x", "y")), child("b", touched=("y", "z"))
    report = altered(clean(), SPLIT | {"children": (mine, theirs)})
    assert codes(report) == []


def test_only_a_few_names_are_evidence() -> None:
    names = tuple(f"page-{number}" for number in range(1_000))
    report = altered(clean(), {"coverage": GAP, "coverage.unprocessed": names})
    (finding,) = analyze(report)

    assert finding.evidence["names"] == names[:10]
    assert finding.evidence["unprocessed"] == 1_000


@given(reports(st.text(max_size=3)))
def test_no_rule_fails_or_leaves_its_range(report: RunReport) -> None:
    ranges = {rule.code: rule.severities for rule in registered_rules()}
    for each in analyze(report):
        assert each.severity in ranges[each.code]
        json.dumps(each.to_json())


@pytest.mark.parametrize("rule", registered_rules(), ids=lambda rule: str(rule.code))
def test_a_rule_says_cause_and_fixes_in_words_that_hold(rule: Rule) -> None:
    known = {part.name for part in fields(Limits)}
    texts = (rule.cause, rule.fix_now, rule.fix_release)

    assert all(text.endswith(".") for text in texts)
    assert not rule.title.endswith(".")
    assert set(re.findall(r"Limits\.(\w+)", " ".join(texts))) <= known
    assert list(rule.severities) == sorted(rule.severities, key=[*Severity][::-1].index)
    for path in rule.fields:
        encode(look_up(WHOLE, path))


def test_the_document_tells_of_every_code_and_no_other() -> None:
    rows = [
        f"| `{rule.code}` | {', '.join(rule.severities)} | {rule.title} |"
        for rule in registered_rules()
    ]
    told = [row for row in DOCUMENT.read_text().splitlines() if row.startswith("| `")]
    of_codes = [row for row in told if row[3].isupper()]

    assert of_codes[:-1] == rows
    assert of_codes[-1].startswith("| `ANALYZER_FAILED` | warning |")
