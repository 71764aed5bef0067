"""What counts as an answer, and which stop goes with it."""

import pytest

from chat.engine import (
    AnswerSource,
    Event,
    ModelReplied,
    ModelRequested,
    Nudged,
    Reply,
    ReplyStop,
    RunFinished,
    RunStarted,
    ScriptedModel,
    Status,
    StopReason,
    Task,
    TextDelta,
    Usage,
    execute,
    run,
)
from tests.chat.engine.toolbox import Recorder, calling, echo

ADA = Task("Is bleach maintained?", system="Be brief.", id="task-1")


def test_a_text_without_calls_completes_the_run() -> None:
    result = execute(ScriptedModel([Reply("No, since June.")]), ADA)

    assert (result.status, result.stop) == (Status.SUCCESS, StopReason.COMPLETED)
    assert result.answer_source is AnswerSource.REPLY
    assert str(result) == result.output == "No, since June."
    assert (result.secondary, result.detail) == ((), "")


def test_events_come_in_order_and_the_generator_returns_the_result() -> None:
    events = run(ScriptedModel([Reply("Yes.")]), ADA)
    seen: list[Event] = []
    while True:
        try:
            seen.append(next(events))
        except StopIteration as end:
            returned = end.value
            break

    kinds = [type(event) for event in seen]
    assert kinds == [RunStarted, ModelRequested, TextDelta, ModelReplied, RunFinished]
    assert isinstance(seen[-1], RunFinished)
    assert seen[-1].result == returned
    assert seen[0] == RunStarted("task-1", "scripted", (), elapsed_s=seen[0].elapsed_s)


def test_the_request_carries_task_system_and_transcript() -> None:
    recorder = Recorder()
    execute(ScriptedModel([Reply("Yes.")]), ADA, [echo()], plugins=[recorder])

    (request,) = recorder.requests
    assert request.task is ADA
    assert request.system == "Be brief."
    assert [message.text for message in request.messages] == ["Is bleach maintained?"]
    assert [tool.name for tool in request.tools] == ["echo", "recall"]


@pytest.mark.row("B1")
def test_an_answer_that_begins_with_error_is_an_answer() -> None:
    result = execute(ScriptedModel([Reply("Error: is what the page says.")]), ADA)

    assert result.status is Status.SUCCESS


@pytest.mark.row("B1")
def test_a_text_cut_by_the_token_limit_is_truncated_and_partial() -> None:
    model = ScriptedModel([Reply("Half a sen", stop=ReplyStop.MAX_TOKENS)])
    result = execute(model, ADA)

    assert (result.status, result.stop) == (Status.PARTIAL, StopReason.TRUNCATED)
    assert result.output == "Half a sen"


@pytest.mark.row("B1")
def test_a_refusal_is_no_answer() -> None:
    model = ScriptedModel([Reply("I cannot", stop=ReplyStop.REFUSAL)])
    result = execute(model, ADA)

    assert (result.status, result.stop) == (Status.ERROR, StopReason.REFUSAL)
    assert (result.output, result.answer_source) == ("", AnswerSource.NONE)


def test_calls_of_a_refusal_are_not_run() -> None:
    refusal = Reply(calls=[("echo", {})], stop=ReplyStop.REFUSAL)
    result = execute(ScriptedModel([refusal]), ADA, [echo()])

    assert result.stop is StopReason.REFUSAL
    assert result.report.counters.tool_calls_business == 0


def test_an_empty_reply_is_nudged_once() -> None:
    recorder = Recorder()
    model = ScriptedModel([Reply("  "), Reply("Now.")])
    events = list(run(model, ADA, plugins=[recorder]))

    assert result_stop(events) is StopReason.COMPLETED
    assert sum(isinstance(event, Nudged) for event in events) == 1
    roles = [message.role for message in recorder.requests[-1].messages]
    assert roles == ["user", "user"], "the empty reply itself is not sent back"


@pytest.mark.row("B1")
def test_two_empty_replies_end_the_run() -> None:
    result = execute(ScriptedModel([Reply(), Reply()]), ADA)

    assert (result.status, result.stop) == (Status.ERROR, StopReason.EMPTY_RESPONSE)


def test_an_empty_reply_after_work_is_nudged_again() -> None:
    script = [Reply(), calling("a"), Reply(), Reply("Done.")]
    result = execute(ScriptedModel(script), ADA, [echo()])

    assert result.stop is StopReason.COMPLETED
    assert result.report.counters.nudges == 2


def test_an_earlier_conversation_comes_before_the_objective() -> None:
    recorder = Recorder()
    first = execute(ScriptedModel([Reply("Hello.")]), ADA, plugins=[recorder])
    talk = (*recorder.requests[0].messages,)
    task = Task("And nh3?", messages=talk)
    execute(ScriptedModel([Reply("Yes.")]), task, plugins=[recorder])

    assert first.output == "Hello."
    texts = [message.text for message in recorder.requests[-1].messages]
    assert texts == ["Is bleach maintained?", "And nh3?"]


def test_usage_is_added_up_over_requests() -> None:
    script = [
        Reply(calls=[("echo", {})], usage=Usage(10, 5, cache_read_tokens=3)),
        Reply("Done.", usage=Usage(20, 7)),
    ]
    counters = execute(ScriptedModel(script), ADA, [echo()]).report.counters

    assert (counters.input_tokens, counters.output_tokens) == (33, 12)


@pytest.mark.parametrize("text", ["\ud800 lone", "nul \x00", "🙂" * 1000])
def test_odd_text_survives(text: str) -> None:
    assert execute(ScriptedModel([Reply(text)]), ADA).output == text


def result_stop(events: list[Event]) -> StopReason:
    last = events[-1]
    assert isinstance(last, RunFinished)
    return last.result.stop
