"""Whole replies and replies in pieces: one loop, so the same events and one end."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

import pytest

from chat.engine import (
    ErrorKind,
    Event,
    Limits,
    ModelProfile,
    ModelReply,
    ModelRequest,
    Reply,
    ReplyStop,
    ScriptedModel,
    StopReason,
    Task,
    TextDelta,
    Usage,
    event_to_json,
    execute,
    is_journaled,
    model_turn,
    run,
)
from tests.chat.engine.test_approval import paying
from tests.chat.engine.toolbox import calling, echo

SHAPED = {"type": "object", "required": ["a"]}
F = Reply.failure


@dataclass
class Case:
    script: list[Reply]
    stop: StopReason
    limits: Limits = field(default_factory=Limits)
    schema: Any = None


S = StopReason
CASES: Mapping[str, Case] = {
    "answer": Case([calling("a", "b"), Reply("Yes.")], S.COMPLETED),
    "retry": Case([F(ErrorKind.OVERLOADED), Reply("Yes.")], S.COMPLETED),
    "refusal": Case([Reply("No.", stop=ReplyStop.REFUSAL)], S.REFUSAL),
    "cut": Case([Reply("Half", stop=ReplyStop.MAX_TOKENS)], S.TRUNCATED),
    "empty": Case([Reply(), Reply()], S.EMPTY_RESPONSE),
    "pauses": Case(
        [Reply("a", stop=ReplyStop.PAUSE)] * 2 + [Reply("b")],
        S.PAUSE_LIMIT,
        Limits(pauses=1),
    ),
    "budget": Case(
        [calling("a", "b"), Reply("So far.")], S.TOOL_BUDGET, Limits(tool_calls=1)
    ),
    "no progress": Case([calling("a")] * 3 + [Reply("So far.")], S.NO_PROGRESS),
    "overflow": Case([F(ErrorKind.CONTEXT_OVERFLOW)] * 3, S.CONTEXT_OVERFLOW),
    "spend cap": Case([F(ErrorKind.SPEND_CAP)], S.PROVIDER_UNAVAILABLE),
    "parse fallback": Case(
        [F(ErrorKind.UNPARSEABLE), Reply('{"a": 1}')], S.COMPLETED, schema=SHAPED
    ),
    "finalizer": Case([Reply("x"), Reply('{"a": 1}')], S.COMPLETED, schema=SHAPED),
    "no schema": Case([Reply("x"), Reply("y")], S.SCHEMA_INVALID, schema=SHAPED),
    "approval": Case([calling("a", tool="pay")], S.AWAITING_APPROVAL),
    "a broken script": Case([], S.ERROR),
}


def events_of(case: Case, *, streams: bool) -> list[Event]:
    model = ScriptedModel(case.script)
    model.profile = replace(model.profile, streams=streams)
    task = Task("Look it up.", output_schema=case.schema)
    return list(run(model, task, [echo(), paying([])], limits=case.limits))


def outline(events: list[Event]) -> list[dict[str, Any]]:
    """Return the journal without what a clock or a die has put in."""
    rows = [event_to_json(event) for event in events if is_journaled(event)]
    for row in rows:
        row.pop("elapsed_s")
        row.pop("delay_s", None)
        if "result" in row and "report" in row["result"]:
            row["result"]["report"].pop("timeline")
            row["result"]["report"].pop("elapsed_s")
    return rows


@pytest.mark.row("B1", "B13")
@pytest.mark.parametrize("name", CASES)
def test_a_run_is_the_same_whether_or_not_its_replies_come_in_pieces(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_turn, "FIRST_BACKOFF_S", 0.001)
    pieces = events_of(CASES[name], streams=True)
    whole = events_of(CASES[name], streams=False)

    assert outline(pieces) == outline(whole)
    assert not any(isinstance(event, TextDelta) for event in whole)
    last = pieces[-1]
    assert last.kind == "run_finished"
    assert last.result.stop is CASES[name].stop  # type: ignore[union-attr]


class Plain:
    """A model that cannot stream, and says nothing of it in its profile."""

    profile = ModelProfile("plain", 128_000)

    def complete(self, request: ModelRequest) -> ModelReply:
        return ModelReply("Yes.")

    def estimate(self, request: ModelRequest) -> Decimal | None:
        return None

    def price(self, usage: Usage) -> Decimal | None:
        return None


@pytest.mark.row("B13")
def test_a_model_without_a_stream_is_asked_for_whole_replies() -> None:
    result = execute(Plain(), Task("Look it up."))  # type: ignore[arg-type]

    assert (result.output, result.stop) == ("Yes.", StopReason.COMPLETED)


@pytest.mark.row("B13")
def test_what_is_wrong_with_the_set_up_is_raised_before_anything_is_iterated() -> None:
    class Streamed(ScriptedModel):
        def stream(self, request: ModelRequest) -> Iterator[TextDelta | ModelReply]:
            raise AssertionError("nothing is sent")

    with pytest.raises(ValueError, match="Two tools are called 'echo'"):
        run(Streamed([]), Task("Look it up."), [echo(), echo()])
