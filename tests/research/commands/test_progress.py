"""What people are told of each step of a run."""

from typing import Any

import pytest

from chat import engine
from research.management.progress import Progress


def told(name: str, arguments: dict[str, Any] | str, **result: Any) -> str:
    """The line for a call that was admitted and has been answered."""
    progress = Progress()
    call = engine.ToolCall("1", name, arguments)
    assert progress.line(engine.ToolCalled(call=call, tool_kind="context")) == ""
    answer = engine.ToolResult(**{"content": "", **result})
    return progress.line(engine.ToolAnswered(call_id="1", name=name, result=answer))


@pytest.mark.parametrize(
    ("name", "arguments", "line"),
    [
        ("search_documents", {"query": "end of life"}, "searched for “end of life”"),
        ("read_document", {"uri": "dist:a/B", "offset": 0}, "read dist:a/B"),
        (
            "read_document",
            {"uri": "dist:a/B", "offset": 40_000},
            "read dist:a/B from character 40000",
        ),
        (
            "cite",
            {"quote": "No longer\nmaintained.", "question": "release_history"},
            "cited “No longer maintained.” (release history)",
        ),
        ("note_absence", {"question": "install_time"}, "not found: install time"),
        ("another_tool", {}, "called another_tool"),
        ("search_documents", "no JSON", "searched for “”"),
    ],
)
def test_a_step_is_one_line(name: str, arguments: Any, line: str) -> None:
    assert told(name, arguments) == line


def test_a_refused_call_says_why() -> None:
    line = told(
        "cite", {"quote": "x"}, content="The quote is not there.", is_error=True
    )
    assert line == "cite refused: The quote is not there."


def test_what_a_page_says_cannot_steer_the_terminal() -> None:
    line = told("cite", {"quote": "a\x1b[2Jb\u202ec", "question": "licence"})
    assert line == "cited “a⟨U+001B⟩[2Jb⟨U+202E⟩c” (licence)"


def test_a_long_quote_is_cut() -> None:
    line = told("cite", {"quote": "word " * 100, "question": "licence"})
    assert line.endswith("…” (licence)")
    assert len(line) < 120


def test_an_answer_without_its_call_is_told_too() -> None:
    event = engine.ToolAnswered(
        call_id="9",
        name="read_document",
        result=engine.ToolResult("No.", is_error=True),
    )
    assert Progress().line(event) == "read_document refused: No."


def test_a_stop_and_a_failing_model_are_told() -> None:
    stop = engine.Stopping(stop=engine.StopReason.TOOL_BUDGET, detail="120 calls made.")
    failed = engine.ModelFailed(
        error_kind=engine.ErrorKind.TIMEOUT, message="Too late."
    )
    retry = engine.RetryScheduled(attempt=2, delay_s=4.0)
    assert Progress().line(stop) == "stopping, tool budget: 120 calls made."
    assert Progress().line(failed) == "the model failed: Too late."
    assert Progress().line(retry) == "asks the model again in 4 s"


def test_a_tick_is_silent() -> None:
    assert Progress().line(engine.Tick(elapsed_s=1.0)) == ""
