"""What people are told of each step of a run, as lines of a log."""

from chat import engine
from research.management.progress import Progress

CALL = engine.ToolCall("1", "search_documents", {"query": "end\n of life"})
ANSWER = engine.ToolAnswered(
    call_id="1", name="search_documents", result=engine.ToolResult("")
)


def test_a_step_is_told_when_it_is_done() -> None:
    progress = Progress()
    assert progress.line(engine.ToolCalled(call=CALL, tool_kind="context")) == ""
    assert progress.line(ANSWER) == "searched for “end of life”"


def test_a_stop_is_told() -> None:
    stop = engine.Stopping(stop=engine.StopReason.TOOL_BUDGET, detail="120 calls made.")
    line = Progress().line(stop)
    assert line == "the budget for tools was used up. 120 calls made"


def test_a_tick_is_silent() -> None:
    assert Progress().line(engine.Tick(elapsed_s=1.0)) == ""
