"""Every call of a turn is answered once, whatever becomes of it."""

from threading import Barrier
from typing import Any

import pytest

from chat.engine import (
    Limits,
    ModelReplied,
    Reply,
    ReplyStop,
    ScriptedModel,
    StopReason,
    Task,
    Tool,
    ToolAnswered,
    ToolCalled,
    ToolOutcome,
    ToolResult,
    execute,
    run,
)
from tests.chat.engine.toolbox import (
    TEXT,
    Recorder,
    broken,
    calling,
    echo,
    hanging,
    quick,
)

TASK = Task("Look it up.")
pytestmark = pytest.mark.row("A11")


def answers_to(*calls: tuple[str, Any], tools: list[Tool]) -> list[ToolAnswered]:
    model = ScriptedModel([Reply(calls=list(calls)), Reply("Done.")])
    events = list(run(model, TASK, tools))
    return [event for event in events if isinstance(event, ToolAnswered)]


def giving(value: Any) -> Tool:
    return Tool("giving", "Gives a value.", {}, lambda arguments: value)


def test_all_calls_of_a_turn_are_answered_in_one_message_in_their_order() -> None:
    recorder = Recorder()
    model = ScriptedModel([calling("a", "b", "c"), Reply("Done.")])
    execute(model, TASK, [echo()], plugins=[recorder])

    _, assistant, answers = recorder.requests[-1].messages
    assert [result.content for result in answers.results] == ["a", "b", "c"]
    asked = [call.id for call in assistant.calls]
    assert [result.call_id for result in answers.results] == asked


def test_the_calls_of_a_turn_run_at_the_same_time() -> None:
    barrier = Barrier(3)

    def meet(arguments: dict[str, Any]) -> ToolResult:
        return ToolResult(f"met {barrier.wait(20) in range(3)}")

    tool = Tool("meet", "Meets the others.", {}, meet)
    answers = answers_to(*[("meet", {})] * 3, tools=[tool])

    assert [answer.result.content for answer in answers] == ["met True"] * 3


def test_no_more_calls_run_at_once_than_the_limit_allows() -> None:
    running: list[int] = []
    most: list[int] = []

    def call(arguments: dict[str, Any]) -> ToolResult:
        running.append(1)
        most.append(len(running))
        running.pop()
        return ToolResult("x")

    model = ScriptedModel([Reply(calls=[("one", {})] * 20), Reply("Done.")])
    tool = Tool("one", "One at a time.", {}, call)
    execute(model, TASK, [tool], limits=Limits(parallel_calls=1))

    assert (len(most), max(most)) == (20, 1)


def test_an_unknown_tool_is_an_error_the_model_can_read() -> None:
    (answer,) = answers_to(("fetch", {}), tools=[echo()])

    assert answer.result.is_error
    assert (
        answer.result.content == "There is no tool called 'fetch'. Tools: echo, recall."
    )
    assert answer.outcome is ToolOutcome.INVALID


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ('{"text": ', "The arguments are not a JSON object."),
        ("[1]", "The arguments are not a JSON object."),
        ([1], "The arguments are not a JSON object."),
        (None, "The arguments are not a JSON object."),
        ({"text": 5}, "Argument text must be of type string."),
        ({"text": float("nan")}, "The arguments are not a JSON object."),
    ],
)
def test_bad_arguments_are_an_error_the_model_can_read(
    arguments: Any, message: str
) -> None:
    (answer,) = answers_to(("echo", arguments), tools=[echo()])

    assert answer.result.is_error
    assert answer.result.content == f"{message} Call it again."


@pytest.mark.parametrize(
    "error", [ValueError("no such file"), SystemExit(3), KeyboardInterrupt()]
)
def test_a_raising_tool_is_an_error_the_model_can_read(error: BaseException) -> None:
    (answer,) = answers_to(("broken", {}), tools=[broken(error)])

    assert answer.result.is_error
    assert answer.result.content.startswith(f"The tool failed: {type(error).__name__}")
    assert answer.outcome is ToolOutcome.RAISED


def test_an_error_that_cannot_be_printed_is_still_answered() -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    (answer,) = answers_to(("broken", {}), tools=[broken(Mute())])

    assert answer.result.content == "The tool failed: Mute."


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("text", "it returned a str and no ToolResult"),
        (None, "it returned a NoneType and no ToolResult"),
        (ToolResult(b"bytes"), "its content is not text"),  # type: ignore[arg-type]
        (ToolResult("x", value={1, 2}), "its value is not JSON: it contains a set"),
        (ToolResult("x", value={1: 2}), "it contains a key that is not text"),
        (ToolResult("x", value=[float("inf")]), "a number that is not finite"),
    ],
)
def test_a_result_that_cannot_be_journaled_is_an_error(
    value: Any, problem: str
) -> None:
    (answer,) = answers_to(("giving", {}), tools=[giving(value)])

    assert answer.result.is_error
    assert problem in answer.result.content


def test_a_tool_error_does_not_end_the_run() -> None:
    model = ScriptedModel([calling("x", tool="broken"), Reply("It failed.")])
    result = execute(model, TASK, [broken(ValueError("no"))])

    assert result.stop is StopReason.COMPLETED
    assert result.report.counters.tool_errors == 1


def test_repeated_and_empty_call_ids_are_made_unique() -> None:
    class Careless(ScriptedModel):
        def complete(self, request: Any) -> Any:
            reply = super().complete(request)
            calls = tuple(type(c)("same", c.name, c.arguments) for c in reply.calls)
            return type(reply)(reply.text, calls, raw={"id": "same"})

    model = Careless([calling("a", "b"), calling("c"), Reply("Done.")])
    events = list(run(model, TASK, [echo()]))
    replies = [event.reply for event in events if isinstance(event, ModelReplied)]
    ids = [call.id for reply in replies for call in reply.calls]

    assert len(set(ids)) == 3
    assert replies[0].raw is None, "the provider's own form would name other ids"
    answered = [event.call_id for event in events if isinstance(event, ToolAnswered)]
    assert answered == ids


def test_calls_of_a_reply_cut_by_the_token_limit_are_not_run() -> None:
    cut = Reply(calls=[("echo", {"text": "a"})], stop=ReplyStop.MAX_TOKENS)
    events = list(run(ScriptedModel([cut, Reply("Done.")]), TASK, [echo()]))

    assert not any(isinstance(event, ToolCalled) for event in events)
    (answer,) = [event for event in events if isinstance(event, ToolAnswered)]
    assert "cut at its token limit" in answer.result.content


def test_a_tool_that_changes_its_arguments_does_not_change_the_transcript() -> None:
    def call(arguments: dict[str, Any]) -> ToolResult:
        arguments["text"] = "changed"
        return ToolResult("x")

    recorder = Recorder()
    model = ScriptedModel([calling("as sent", tool="change"), Reply("Done.")])
    execute(model, TASK, [Tool("change", "c", TEXT, call)], plugins=[recorder])

    (sent,) = recorder.requests[-1].messages[1].calls
    assert sent.arguments == {"text": "as sent"}


def test_a_tool_that_hangs_is_left_behind_at_its_timeout() -> None:
    tool, flag = hanging()
    model = ScriptedModel([calling("x", tool="hang"), Reply("It hung.")])
    events = list(run(model, TASK, [tool], limits=quick(tool_timeout_s=0.5)))
    flag.set()

    (answer,) = [event for event in events if isinstance(event, ToolAnswered)]
    assert answer.outcome is ToolOutcome.TIMED_OUT
    assert answer.result.is_error
