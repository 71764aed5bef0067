"""Findings of real runs: what the loop counts is what rules and the command read."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from chat.engine import AgentResult, Reply, ScriptedModel, Task, execute
from chat.engine.diagnostics import main
from chat.engine.loading import load_report
from chat.engine.redaction import PREFIX
from tests.chat.engine.toolbox import calling, echo, quick

pytestmark = pytest.mark.row("B2")

LAZY = ("argparse", "findings", "explain", "redaction", "diagnostics", "loading")


@pytest.fixture(scope="module")
def result() -> AgentResult:
    """A run that used up its tool calls."""
    script = [calling("secret-1"), calling("secret-2"), Reply("All that I have.")]
    return execute(
        ScriptedModel(script),
        Task("Find secret-0."),
        [echo()],
        limits=quick(tool_calls=1),
    )


def test_a_run_out_of_calls_says_so(result: AgentResult) -> None:
    (found,) = (each for each in result.report.findings if each.code.startswith("TOOL"))

    assert found.code == "TOOL_BUDGET_EXHAUSTED"
    assert found.evidence["configuration.tool_cap"] == 1
    assert found.evidence["counters.tool_calls_business"] == 1


def test_a_run_that_completes_has_no_findings() -> None:
    model = ScriptedModel([calling("a"), Reply("Done.")])
    assert execute(model, Task("Go."), [echo()]).report.findings == ()


def test_the_summary_of_a_run_is_read_by_the_command(
    result: AgentResult, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "summary.json"
    path.write_text(json.dumps(result.summary()))

    assert load_report(path) == result.report
    assert main([str(path)]) == 1
    assert "TOOL_BUDGET_EXHAUSTED" in capsys.readouterr().out


def test_the_report_of_a_run_holds_no_text_of_it(result: AgentResult) -> None:
    assert "secret" not in json.dumps(result.report.to_json())
    assert "secret" not in result.report.explain()


def test_redaction_keeps_the_timeline_but_for_names(result: AgentResult) -> None:
    pairs = zip(result.report.timeline, result.report.redacted().timeline, strict=True)
    changed = [(before, after) for before, after in pairs if before != after]

    assert {before.detail for before, _ in changed} == {"echo"}
    assert all(after.detail.startswith(PREFIX) for _, after in changed)


def test_judging_reports_is_not_loaded_with_the_engine() -> None:
    probe = "import sys, chat.engine; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True
    )
    loaded = {name.rpartition(".")[2] for name in done.stdout.split()}
    assert not loaded & set(LAZY)
