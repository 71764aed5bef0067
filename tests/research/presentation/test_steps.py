"""A run's events as sentences, in the order of its journal."""

from typing import Any

import pytest

from chat import engine
from research.presentation.steps import MOST_CHARS, Steps


def told(*events: engine.JournaledEvent) -> list[str]:
    steps = Steps()
    return [steps.sentence(event.kind, engine.event_to_json(event)) for event in events]


def told_of_call(name: str, arguments: Any, **result: Any) -> list[str]:
    """The sentences of a call and of its answer."""
    call = engine.ToolCall("1", name, arguments)
    answer = engine.ToolResult(**{"content": "", **result})
    return told(
        engine.ToolCalled(call=call, tool_kind="context"),
        engine.ToolAnswered(call_id="1", name=name, result=answer),
    )


@pytest.mark.parametrize(
    ("name", "arguments", "asked", "done"),
    [
        (
            "search_documents",
            {"query": "end of life"},
            "Asked to search for “end of life”.",
            "Searched for “end of life”.",
        ),
        (
            "read_document",
            {"uri": "dist:a/B", "offset": 0},
            "Asked to read dist:a/B.",
            "Read dist:a/B.",
        ),
        (
            "read_document",
            {"uri": "dist:a/B", "offset": 40_000},
            "Asked to read dist:a/B from character 40000.",
            "Read dist:a/B from character 40000.",
        ),
        (
            "cite",
            {"quote": "No longer\nmaintained.", "question": "release_history"},
            "Asked to cite “No longer maintained.” (release history).",
            "Cited “No longer maintained.” (release history).",
        ),
        (
            "note_absence",
            {"question": "install_time"},
            "Asked to note that nothing was found on install time.",
            "Found nothing on install time.",
        ),
        ("brew_tea", {}, "Asked to call brew tea.", "Called brew tea."),
        ("cite", "no JSON", "Asked to call cite.", "Called cite."),
        ("cite", {"quote": "x"}, "Asked to call cite.", "Called cite."),
    ],
)
def test_a_call_is_told_when_asked_and_when_done(
    name: str, arguments: Any, asked: str, done: str
) -> None:
    assert told_of_call(name, arguments) == [asked, done]


def test_a_refused_call_says_what_and_why() -> None:
    arguments = {"quote": "x", "question": "licence"}
    content = "The quote is not there."
    _, refused = told_of_call("cite", arguments, content=content, is_error=True)
    assert refused == "Refused to cite “x” (licence): The quote is not there."


def test_an_answer_without_its_call_is_told_too() -> None:
    result = engine.ToolResult("No.", is_error=True)
    answer = engine.ToolAnswered(call_id="9", name="read_document", result=result)
    assert told(answer) == ["Refused to call read document: No."]


def test_a_long_quote_is_cut() -> None:
    arguments = {"quote": "word " * 100, "question": "licence"}
    _, cited = told_of_call("cite", arguments)
    assert cited.endswith("…” (licence).")
    assert len(cited) == len("Cited “” (licence).") + MOST_CHARS


def test_what_a_page_says_cannot_steer_what_shows_it() -> None:
    arguments = {"quote": "a\x1b[2Jb\u202ec\ud800", "question": "licence"}
    _, cited = told_of_call("cite", arguments)
    assert cited == "Cited “a⟨U+001B⟩[2Jb⟨U+202E⟩c⟨U+D800⟩” (licence)."


def test_stops_and_failures_say_why() -> None:
    stop = engine.Stopping(stop=engine.StopReason.TOOL_BUDGET, detail="120 calls made.")
    failed = engine.ModelFailed(
        error_kind=engine.ErrorKind.TIMEOUT, message="Too late."
    )
    retry = engine.RetryScheduled(attempt=2, delay_s=4.0)
    assert told(failed, retry, stop) == [
        "The model failed (timeout): Too late.",
        "Will ask the model again in 4 s.",
        "The budget for tools was used up. 120 calls made.",
    ]


HEAD = engine.ErrorHead(429, "rate_limit_error", "too_fast", "req_1")


@pytest.mark.row("A9")
def test_a_failure_says_what_its_error_says_of_itself_once() -> None:
    kind = engine.ErrorKind.RATE_LIMITED
    bare = engine.ModelFailed(kind, "Slow down.", head=HEAD)
    whole = "429 rate_limit_error too_fast (request req_1): Slow down."
    said = "rate limited, HTTP 429, rate_limit_error, too_fast, request req_1"
    assert told(bare, engine.ModelFailed(kind, whole, head=HEAD)) == [
        f"The model failed ({said}): Slow down.",
        f"The model failed (rate limited): {whole}",
    ]


@pytest.mark.row("A9")
def test_the_head_of_an_error_is_not_cut() -> None:
    long = "word " * 60 + "end."
    (sentence,) = told(engine.ModelFailed(engine.ErrorKind.TIMEOUT, long))
    assert sentence.endswith("end.")


@pytest.mark.parametrize(
    ("kind", "payload", "sentence"),
    [
        ("run.claimed", {"owner": "host:1"}, "A worker took the run up."),
        (
            "run.collected",
            {"lookups": 1, "documents": 2},
            "Collected: 1 lookup, 2 documents.",
        ),
        (
            "run.finished",
            {"stop": "deadline", "claims": 3, "accepted": 2},
            "The time for one run was over. 2 of 3 claims have their quotes in place.",
        ),
        (
            "run.finished",
            {"stop": "completed", "claims": 1, "accepted": 1},
            (
                "The researcher came to the end of its work."
                " 1 of 1 claim has its quotes in place."
            ),
        ),
        ("novel_event", {}, "Novel event."),
        ("run.collected", None, "Run collected."),
        ("tool_called", {"call": "cite"}, "Tool called."),
        ("tool_answered", [], "Tool answered."),
    ],
)
def test_a_line_of_the_journal_is_told_whatever_its_shape(
    kind: str, payload: Any, sentence: str
) -> None:
    assert Steps().sentence(kind, payload) == sentence
