"""An answer in a schema: checked, finalized once, never replaced by prose."""

from dataclasses import dataclass
from typing import Any

import pytest

from chat.engine import (
    AnswerChecked,
    AnswerSource,
    ConfigurationError,
    ErrorKind,
    Event,
    Halt,
    Limits,
    ModelReply,
    Plugin,
    Reply,
    ReplyStop,
    RunFinished,
    ScriptedModel,
    Status,
    StopReason,
    Task,
    event_from_json,
    event_to_json,
    execute,
    is_journaled,
    run,
)
from tests.chat.engine.toolbox import Recorder, calling, echo


@dataclass
class Licence:
    name: str
    osi: bool


SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
    "additionalProperties": False,
}
GOOD, BAD = '{"name": "MIT", "osi": true}', '{"name": 7}'
TASK = Task("Which licence?", output_schema=Licence)


@pytest.mark.row("B9")
def test_an_answer_that_fits_completes_with_its_value() -> None:
    result = execute(ScriptedModel([Reply(f"It is this:\n{GOOD}")]), TASK)

    assert (result.status, result.stop) == (Status.SUCCESS, StopReason.COMPLETED)
    assert result.parsed == Licence("MIT", osi=True)
    assert result.schema_valid is True
    assert str(result) == f"It is this:\n{GOOD}"


@pytest.mark.row("B9")
def test_an_answer_that_does_not_fit_gets_one_finalizer_with_the_exact_errors() -> None:
    recorder = Recorder()
    script = [calling("a"), Reply(BAD), Reply(GOOD)]
    result = execute(ScriptedModel(script), TASK, [echo()], plugins=[recorder])

    assert (result.stop, result.answer_source) == (
        StopReason.COMPLETED,
        AnswerSource.FINALIZER,
    )
    assert result.parsed == Licence("MIT", osi=True)
    last = recorder.requests[-1]
    assert (last.tools, last.system) == ((), TASK.system)
    assert "osi" in last.messages[-1].text
    assert result.structured is not None
    assert result.structured.finalizer_runs == 1


@pytest.mark.row("B9", "B1")
def test_a_second_misfit_is_schema_invalid_and_keeps_the_better_answer() -> None:
    result = execute(ScriptedModel([Reply(BAD), Reply("No idea.")]), TASK)

    assert (result.status, result.stop) == (Status.PARTIAL, StopReason.SCHEMA_INVALID)
    assert (result.schema_valid, result.parsed) == (False, None)
    assert result.structured is not None
    assert result.structured.errors
    assert result.report.counters.model_calls == 2


@pytest.mark.row("B9")
def test_after_a_guard_stop_the_finalizer_answers_and_no_prose() -> None:
    script = [calling("a"), calling("b"), Reply(GOOD)]
    recorder = Recorder()
    result = execute(
        ScriptedModel(script),
        TASK,
        [echo()],
        limits=Limits(tool_calls=1),
        plugins=[recorder],
    )

    assert (result.stop, result.secondary) == (StopReason.TOOL_BUDGET, ())
    assert (result.answer_source, result.schema_valid) == (AnswerSource.FINALIZER, True)
    assert result.status is Status.PARTIAL
    assert "osi" in recorder.requests[-1].messages[-1].text


@pytest.mark.row("B1")
def test_the_first_stop_stays_primary_when_the_schema_fails_too() -> None:
    script = [calling("a"), calling("b"), Reply("prose")]
    result = execute(ScriptedModel(script), TASK, [echo()], limits=Limits(tool_calls=1))

    assert result.stop is StopReason.TOOL_BUDGET
    assert result.secondary == (StopReason.SCHEMA_INVALID,)
    assert (result.output, result.schema_valid) == ("prose", False)


@pytest.mark.row("B1", "B9")
def test_an_object_that_the_provider_parsed_is_checked_and_named() -> None:
    parsed = {"name": "MIT", "osi": True}
    good = execute(ScriptedModel([Reply(GOOD, parsed=parsed)]), TASK)
    bad = execute(ScriptedModel([Reply("{}", parsed={}), Reply(GOOD)]), TASK)

    assert (good.stop, good.parsed) == (
        StopReason.STRUCTURED_OUTPUT,
        Licence("MIT", osi=True),
    )
    assert (bad.stop, bad.answer_source) == (
        StopReason.COMPLETED,
        AnswerSource.FINALIZER,
    )


@pytest.mark.row("B9")
def test_a_provider_that_cannot_parse_its_output_is_asked_once_without_schema() -> None:
    recorder = Recorder()
    script = [Reply.failure(ErrorKind.UNPARSEABLE), Reply(GOOD)]
    result = execute(ScriptedModel(script), TASK, plugins=[recorder])

    assert result.stop is StopReason.COMPLETED
    first, second = recorder.requests
    assert first.output_schema is not None
    assert second.output_schema is None
    assert result.report.counters.parse_fallbacks == 1


def test_a_provider_that_fails_to_parse_twice_ends_the_run() -> None:
    failure = Reply.failure(ErrorKind.UNPARSEABLE)
    result = execute(ScriptedModel([failure, failure]), TASK)

    assert result.stop is StopReason.ERROR


def test_a_cut_answer_gets_its_finalizer_and_then_completes() -> None:
    cut = Reply('{"name": "MI', stop=ReplyStop.MAX_TOKENS)
    result = execute(ScriptedModel([cut, Reply(GOOD)]), TASK)

    assert (result.stop, result.output) == (StopReason.COMPLETED, GOOD)


def test_an_answer_that_is_cut_twice_is_truncated_and_says_schema_invalid_too() -> None:
    cut = Reply('{"name": "MI', stop=ReplyStop.MAX_TOKENS)
    result = execute(ScriptedModel([cut, cut]), TASK)

    assert result.stop is StopReason.TRUNCATED
    assert result.secondary == (StopReason.SCHEMA_INVALID,)


def test_a_finalizer_that_cannot_be_reached_leaves_the_answer_there_was() -> None:
    failure = Reply.failure(ErrorKind.SPEND_CAP)
    result = execute(ScriptedModel([Reply(BAD), failure]), TASK)

    assert (result.stop, result.output) == (StopReason.PROVIDER_UNAVAILABLE, BAD)
    assert result.schema_valid is False


def test_a_hook_that_objects_takes_every_answer_back() -> None:
    class Gate(Plugin):
        def after_model(self, reply: ModelReply) -> None:
            if reply.text == GOOD:
                raise Halt("Not cited.")

    result = execute(ScriptedModel([Reply(BAD), Reply(GOOD)]), TASK, plugins=[Gate()])

    assert (result.stop, result.output) == (StopReason.PLUGIN_HALT, "")
    assert (result.answer_source, result.schema_valid) == (AnswerSource.NONE, None)


def test_a_resumed_run_checks_no_answer_twice_and_ends_the_same() -> None:
    script = [Reply(BAD), Reply(GOOD)]
    events = list(run(ScriptedModel(script), TASK))
    rows = [event_to_json(event) for event in events if is_journaled(event)]
    for cut in range(len(rows) + 1):
        history: list[Event] = [event_from_json(row) for row in rows[:cut]]
        replied = sum(event.kind == "model_replied" for event in history)
        result = execute(ScriptedModel(script[replied:]), TASK, history=history)
        assert result.parsed == Licence("MIT", osi=True), f"cut at {cut}"
    checks = [event for event in events if isinstance(event, AnswerChecked)]
    assert [event.valid for event in checks] == [False, True]
    assert isinstance(events[-1], RunFinished)


@pytest.mark.row("B9")
def test_a_json_schema_is_really_validated() -> None:
    task = Task("Which licence?", output_schema=SCHEMA)
    result = execute(ScriptedModel([Reply('{"foo": 1}'), Reply('{"name": "x"}')]), task)

    assert result.parsed == {"name": "x"}
    assert result.answer_source is AnswerSource.FINALIZER


@pytest.mark.parametrize("schema", [3, "text", {"type": "nonsense"}])
def test_what_is_no_schema_is_refused_at_once(schema: Any) -> None:
    with pytest.raises(ConfigurationError):
        run(ScriptedModel([]), Task("x", output_schema=schema))


def test_without_a_schema_nothing_is_said_about_one() -> None:
    result = execute(ScriptedModel([Reply("Yes.")]), Task("x"))

    assert (result.schema_valid, result.structured, result.parsed) == (None, None, None)
