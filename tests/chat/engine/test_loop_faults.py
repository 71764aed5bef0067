"""Faults of models and hooks end in clear words and lose no more than they must."""

import logging
from decimal import Decimal

import pytest

from chat.engine import (
    ErrorKind,
    ModelReply,
    ModelRequest,
    Plugin,
    Reply,
    ScriptedModel,
    Status,
    StopReason,
    Task,
    execute,
)
from chat.engine.limits import Limits
from tests.chat.engine.toolbox import calling, echo

SCHEMA = {"type": "object", "required": ["a"]}
SHAPED = Task("Look it up.", output_schema=SCHEMA)


class Breaking(ScriptedModel):
    """Breaks at the request with this number, as no adapter should."""

    breaks_at = 1
    asked = 0

    def complete(self, request: ModelRequest) -> ModelReply:
        self.asked += 1
        if self.asked == self.breaks_at:
            raise ZeroDivisionError
        return super().complete(request)


@pytest.mark.row("B13")
def test_a_model_that_breaks_in_the_finalizer_leaves_the_answer_there_was(
    caplog: pytest.LogCaptureFixture,
) -> None:
    model = Breaking([Reply('{"b": 1}')])
    model.breaks_at = 2
    result = execute(model, SHAPED)

    assert (result.stop, result.output) == (StopReason.ERROR, '{"b": 1}')
    assert (result.status, result.schema_valid) == (Status.PARTIAL, False)
    assert "ZeroDivisionError" in result.detail


def test_an_estimate_that_fails_is_an_unknown_one(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Guessing(ScriptedModel):
        def estimate(self, request: ModelRequest) -> Decimal | None:
            raise KeyError("model")

    with caplog.at_level(logging.WARNING):
        result = execute(Guessing([Reply("Yes.")]), Task("Look it up."))

    assert result.output == "Yes."
    assert "estimate" in caplog.text


def test_a_reply_that_cannot_be_parsed_is_no_reason_to_ask_again_without_a_schema() -> (
    None
):
    model = ScriptedModel([Reply.failure(ErrorKind.UNPARSEABLE), Reply("Never asked.")])
    result = execute(model, Task("Look it up."))

    assert result.stop is StopReason.ERROR
    assert result.report.counters.parse_fallbacks == 0


@pytest.mark.parametrize(
    "reason",
    [
        StopReason.COMPLETED,
        StopReason.AWAITING_APPROVAL,
        StopReason.TRUNCATED,
        StopReason.REFUSAL,
    ],
)
def test_a_hook_cannot_say_what_only_the_loop_can_know(reason: StopReason) -> None:
    class Wrong(Plugin):
        def should_stop(self) -> StopReason | None:
            return reason

    result = execute(ScriptedModel([]), Task("Look it up."), plugins=[Wrong()])

    assert (result.status, result.stop) == (Status.ERROR, StopReason.ERROR)
    assert "the loop decides that" in result.detail


@pytest.mark.row("B11")
def test_an_autonomous_run_without_room_goes_on_as_a_standard_one() -> None:
    model = ScriptedModel([calling("a"), Reply("Yes.")], window=16_000)
    limits = Limits(mode="autonomous")
    report = execute(model, Task("Look it up."), [echo()], limits=limits).report

    assert report.preflight.fitness == "unfit"
    assert report.preflight.action == "downgraded"
    assert (report.configuration.mode, report.configuration.tool_cap) == (
        "standard",
        80,
    )
