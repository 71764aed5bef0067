"""What loops get wrong between two runs, in short modes and by reading text."""

from collections.abc import Mapping
from typing import Any

import pytest

from chat.engine import (
    AgentResult,
    Limits,
    Reply,
    ScriptedModel,
    Status,
    StopReason,
    Task,
    Tool,
    ToolResult,
    execute,
)
from chat.engine.limits import TOOL_CALLS, Mode
from tests.chat.engine.toolbox import TEXT, Recorder, calling, echo

TASK = Task("Look it up.")
LONG = "It goes on and on. " * 500


def answered(result: AgentResult, output: str) -> bool:
    return (result.output, result.stop, result.status) == (
        output,
        StopReason.COMPLETED,
        Status.SUCCESS,
    )


def test_the_same_call_in_a_second_run_is_made_again_and_read_whole() -> None:
    tool, seen = echo(idempotent=True), []
    for _ in range(2):
        recorder = Recorder()
        model = ScriptedModel([calling(LONG), Reply("Done.")])
        execute(model, TASK, [tool], plugins=[recorder])
        seen.append(recorder.last_answers.results[0].content)

    assert seen == [LONG, LONG]


@pytest.mark.parametrize("mode", TOOL_CALLS)
def test_every_mode_goes_on_for_as_many_rounds_as_there_are_calls(mode: Mode) -> None:
    rounds = [calling(str(place)) for place in range(20)]
    model = ScriptedModel([*rounds, Reply("Done.")])
    result = execute(model, TASK, [echo()], limits=Limits(mode=mode))

    assert answered(result, "Done.")
    assert result.report.counters.tool_calls_business == 20


@pytest.mark.row("B1")
@pytest.mark.parametrize(
    "text", ["Error: no such file", "Error executing tool", "Error: "]
)
def test_a_result_that_reads_like_an_error_is_a_result(text: str) -> None:
    tool = Tool("read", "Reads.", TEXT, lambda arguments: ToolResult(text))
    recorder = Recorder()
    model = ScriptedModel([calling("a", tool="read"), Reply("Error: as it says.")])
    result = execute(model, TASK, [tool], plugins=[recorder])

    assert answered(result, "Error: as it says.")
    assert not recorder.last_answers.results[0].is_error
    assert result.report.counters.tool_errors == 0


@pytest.mark.row("B4")
def test_as_many_tools_may_be_declared_as_a_run_cannot_even_call() -> None:
    def numbered(place: int) -> Tool:
        return echo(f"echo_{place}")

    arguments: Mapping[str, Any] = {"text": "a"}
    model = ScriptedModel([Reply(calls=[("echo_80", arguments)]), Reply("Done.")])
    result = execute(model, TASK, map(numbered, range(81)))

    assert answered(result, "Done.")
