"""The turn without tools after a stop: from what was found, by the same rules."""

from typing import Any

import pytest

from chat.engine import (
    AgentResult,
    AnswerSource,
    Limits,
    Reply,
    ReplyStop,
    ScriptedModel,
    StopReason,
    Task,
    execute,
)
from tests.chat.engine.toolbox import Recorder, calling, echo

SCHEMA = {"type": "object", "required": ["name"]}
GOOD = '{"name": "MIT"}'
SYSTEM = "Answer in German."


def closed(schema: Any, *script: Reply, **limits: Any) -> tuple[AgentResult, Recorder]:
    recorder = Recorder()
    task = Task("Which licence?", system=SYSTEM, output_schema=schema)
    result = execute(
        ScriptedModel(script),
        task,
        [echo(), echo("look", "context")],
        limits=Limits(**limits),
        plugins=[recorder],
    )
    return result, recorder


@pytest.mark.row("B4")
@pytest.mark.parametrize(
    ("schema", "source"),
    [(None, AnswerSource.CLOSING), (SCHEMA, AnswerSource.FINALIZER)],
)
def test_it_keeps_the_system_prompt_and_all_that_was_said(
    schema: Any, source: AnswerSource
) -> None:
    result, recorder = closed(schema, calling("a"), Reply(GOOD), iterations=1)

    before, last = recorder.requests
    assert (result.output, result.answer_source) == (GOOD, source)
    assert (last.system, last.tools) == (SYSTEM, ())
    assert last.messages[: len(before.messages)] == before.messages
    assert [each.content for each in last.messages[-2].results] == ["a"]


@pytest.mark.row("B4")
@pytest.mark.parametrize("schema", [None, SCHEMA])
def test_a_good_answer_is_never_asked_for_again(schema: Any) -> None:
    rounds = [calling(str(place)) for place in range(5)]
    result, recorder = closed(schema, *rounds, Reply(GOOD), Reply("Never asked."))

    assert (result.output, result.answer_source) == (GOOD, AnswerSource.REPLY)
    assert len(recorder.requests) == 6


@pytest.mark.row("B3", "B9")
def test_a_run_that_only_looked_again_gets_its_finalizer_too() -> None:
    looks = [calling("a", tool="look")] * 3
    result, recorder = closed(SCHEMA, *looks, Reply(GOOD))

    assert (result.stop, result.secondary) == (StopReason.NO_PROGRESS, ())
    assert (result.parsed, result.schema_valid) == ({"name": "MIT"}, True)
    assert result.report.counters.tool_calls_business == 0
    assert recorder.requests[-1].tools == ()


@pytest.mark.row("B9")
def test_no_prose_is_asked_for_where_the_answer_must_fit_a_schema() -> None:
    _, recorder = closed(SCHEMA, calling("a"), Reply(GOOD), iterations=1)

    words = recorder.requests[-1].messages[-1].text
    assert "one JSON object and nothing else" in words
    assert "say what is missing" not in words


def test_the_last_turn_says_so_also_in_a_run_without_tools() -> None:
    recorder = Recorder()
    script = [Reply("a", stop=ReplyStop.PAUSE), Reply("b")]
    execute(
        ScriptedModel(script),
        Task("Look it up."),
        limits=Limits(pauses=0),
        plugins=[recorder],
    )

    assert [request.closing for request in recorder.requests] == [False, True]
