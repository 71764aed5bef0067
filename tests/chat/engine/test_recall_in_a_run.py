"""Recall through the loop: what did not fit into the window is read to its end."""

import re

import pytest

from chat.engine import (
    Compacted,
    Limits,
    ModelRequest,
    Reply,
    RunFinished,
    ScriptedModel,
    StopReason,
    Task,
    Tool,
    ToolResult,
    run,
)
from tests.chat.engine.transcripts import page

LIMITS = Limits(window=8_192, context_calls=400)
TASK = Task("Read it all.")


class Reader:
    """Calls a tool, then recalls what was not shown, page after page."""

    def __init__(self) -> None:
        self.read = ""

    def __call__(self, request: ModelRequest) -> Reply:
        shown = [each for each in request.messages if each.results]
        if not shown:
            return Reply(calls=[("fetch", {})])
        head, _, text = shown[-1].results[0].content.partition("\n")
        self.read += text
        going_on = re.search(r"(r[0-9a-f]{10,}).*offset (\d+)", head)
        if going_on is None:
            return Reply("Read.")
        ref, offset = going_on.groups()
        assert int(offset) == len(self.read)
        return Reply(calls=[("recall", {"ref": ref, "offset": int(offset)})])


@pytest.mark.row("B5", "B6", "B8")
@pytest.mark.parametrize("script", ["word ", "漢字"])
def test_every_character_of_a_result_reaches_the_model(script: str) -> None:
    text = script * (60_000 // len(script))
    fetch = Tool("fetch", "Fetches.", {}, lambda arguments: ToolResult(text))
    reader = Reader()
    events = list(run(ScriptedModel(reader), TASK, [fetch], limits=LIMITS))
    finished = events[-1]

    assert isinstance(finished, RunFinished)
    assert finished.result.stop is StopReason.COMPLETED
    assert reader.read == text
    assert finished.result.report.counters.unseen_evicted == 0
    assert any(isinstance(event, Compacted) for event in events)


@pytest.mark.row("B8")
def test_what_the_model_never_saw_is_in_the_report() -> None:
    fetch = Tool(
        "fetch", "Fetches.", {}, lambda arguments: ToolResult(page("x", 4_000))
    )
    script = [Reply(calls=[("fetch", {})] * 70), Reply("Done.")]
    limits = Limits(window=4_096, tool_calls=100)
    finished = list(run(ScriptedModel(script), TASK, [fetch], limits=limits))[-1]

    assert isinstance(finished, RunFinished)
    assert finished.result.report.counters.unseen_evicted == 70
