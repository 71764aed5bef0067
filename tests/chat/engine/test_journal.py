"""Events and messages as JSON, and back."""

import json
from decimal import Decimal
from typing import Any

import pytest

from chat.engine import (
    AgentResult,
    AnswerChecked,
    AnswerSource,
    ApprovalDecided,
    ApprovalRequested,
    CallResult,
    Compacted,
    Compaction,
    Counters,
    ErrorHead,
    ErrorKind,
    JournaledEvent,
    Message,
    ModelFailed,
    ModelReplied,
    ModelReply,
    ModelRequested,
    Nudged,
    ReplyStop,
    RetryScheduled,
    Role,
    RunFinished,
    RunReport,
    RunStarted,
    Status,
    Stopping,
    StopReason,
    StructuredOutcome,
    TextDelta,
    Tick,
    ToolAnswered,
    ToolCall,
    ToolCalled,
    ToolOutcome,
    ToolResult,
    Usage,
    arguments_from_text,
    event_from_json,
    event_to_json,
    is_journaled,
    message_from_json,
    message_to_json,
)
from chat.engine.report import TimelineEntry

CALL = ToolCall("c1", "search", {"query": "bleach", "limit": 5})
BROKEN = ToolCall("c2", "search", '{"query": ')
REPLY = ModelReply(
    "Looking.",
    (CALL, BROKEN),
    Usage(10, 5, 2, 1),
    ReplyStop.TOOL_USE,
    "some-model",
    raw=[{"type": "text", "text": "Looking."}],
)
RESULT = AgentResult(
    Status.PARTIAL,
    StopReason.TOOL_BUDGET,
    (StopReason.TRUNCATED,),
    AnswerSource.CLOSING,
    "Half.",
    RunReport(
        Status.PARTIAL,
        StopReason.TOOL_BUDGET,
        counters=Counters(model_calls=3),
        cost=Decimal("1.50"),
        timeline=(TimelineEntry(12, 1, "stopping", "tool_budget"),),
    ),
    "why",
    schema_valid=False,
    structured=StructuredOutcome("Licence", valid=False, errors=("no name",)),
    awaiting=(CALL,),
)
EVENTS: list[JournaledEvent] = [
    RunStarted("task-1", "some-model", ("search", "fetch"), elapsed_s=0.0),
    RunStarted(None, "some-model", ()),
    ModelRequested(1, 2, False, 900, Decimal("0.0012"), elapsed_s=1.5),
    ModelRequested(1, 1, True, 900, None),
    ModelReplied(REPLY, Decimal("0.0010")),
    ModelReplied(ModelReply("x", usage=None), None),
    ModelFailed(ErrorKind.OVERLOADED, "busy", 2.5),
    RetryScheduled(2, 0.5),
    RetryScheduled(3, 0.0, max_output_tokens=2000),
    ModelFailed(
        ErrorKind.CONTEXT_OVERFLOW, "long", counted_tokens=9000, limit_tokens=8000
    ),
    ModelFailed(
        ErrorKind.UNAVAILABLE,
        "cut",
        head=ErrorHead(529, "overloaded_error", "busy", "req_1"),
        usage=Usage(10, 5, 2, 1, 1, 3),
        cost=Decimal("0.0300"),
    ),
    Compacted(Compaction(2, ("c1", "c2"), 300, 4, 1), 9000),
    ApprovalRequested(CALL, "It pays."),
    ApprovalDecided("c1", approved=False, note="Too dear."),
    AnswerChecked(valid=False, errors=("no name",)),
    ToolCalled(CALL, "business"),
    ToolAnswered("c1", "search", ToolResult("3 hits", {"hits": [1, None]})),
    ToolAnswered(
        "c1",
        "search",
        ToolResult("no", is_error=True),
        ToolOutcome.REFUSED,
        StopReason.TOOL_BUDGET,
    ),
    Nudged("Go on."),
    Stopping(StopReason.DEADLINE, "late"),
    RunFinished(RESULT),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: str(event.kind))
def test_an_event_survives_json(event: JournaledEvent) -> None:
    text = json.dumps(event_to_json(event), allow_nan=False)

    assert event_from_json(json.loads(text)) == event


def test_every_event_names_its_kind_and_kinds_differ() -> None:
    kinds = {event.kind for event in EVENTS}

    assert len(kinds) == len({type(event) for event in EVENTS}) == 14
    assert all(event_to_json(event)["kind"] == event.kind for event in EVENTS)


@pytest.mark.parametrize("event", [Tick(1.0), TextDelta("x")])
def test_ticks_and_deltas_are_not_journaled(event: Tick | TextDelta) -> None:
    assert not is_journaled(event)
    with pytest.raises(ValueError, match="is not journaled"):
        event_to_json(event)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({}, "no journaled event of kind None"),
        ({"kind": "tick"}, "no journaled event of kind 'tick'"),
        ({"kind": "nudged"}, "Nudged.text is missing"),
        ({"kind": "nudged", "text": 5}, "Nudged.text cannot be 5"),
        ({"kind": "stopping", "stop": "bored", "detail": ""}, "cannot be 'bored'"),
        ({"kind": "run_started", "model": "m", "tools": "x", "task_id": None}, "tools"),
        ({"kind": "retry_scheduled", "attempt": True, "delay_s": 1}, "attempt"),
        ({"kind": "model_replied", "reply": [], "cost": None}, "must be an object"),
        ({"kind": "model_replied", "reply": {}, "cost": "one"}, "cost cannot be"),
    ],
)
def test_what_is_no_event_is_refused(data: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        event_from_json(data)


def test_an_older_journal_without_newer_fields_is_read() -> None:
    data = {
        "kind": "tool_answered",
        "call_id": "c",
        "name": "n",
        "result": {"content": ""},
    }

    assert event_from_json(data) == ToolAnswered("c", "n", ToolResult(""))


@pytest.mark.parametrize(
    "message",
    [
        Message.user("Hello"),
        Message(Role.ASSISTANT, "Looking.", (CALL, BROKEN), raw=[{"type": "text"}]),
        Message(Role.TOOL, results=(CallResult("c1", "search", "no", is_error=True),)),
    ],
)
def test_a_message_survives_json(message: Message) -> None:
    text = json.dumps(message_to_json(message), allow_nan=False)

    assert message_from_json(json.loads(text)) == message


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ('{"a": 1}', {"a": 1}),
        ("", {}),
        ("  ", {}),
        ("[1]", "[1]"),
        ('{"a": ', '{"a": '),
        ('{"a": NaN}', '{"a": NaN}'),
        ('{"a": 1e999}', '{"a": 1e999}'),
        ("[" * 100_000, "[" * 100_000),
    ],
)
def test_argument_text_is_parsed_only_if_it_is_an_object(
    text: str, arguments: Any
) -> None:
    assert arguments_from_text(text) == arguments
