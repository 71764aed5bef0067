"""What was said of an answer that never came to its end is kept, and labelled."""

from collections.abc import Iterator

import pytest

from chat.engine import (
    AgentResult,
    AnswerSource,
    ErrorKind,
    Event,
    Halt,
    ModelReply,
    ModelRequest,
    Plugin,
    Reply,
    ReplyStop,
    ScriptedModel,
    Status,
    StopReason,
    Task,
    event_from_json,
    event_to_json,
    execute,
    is_journaled,
    model_turn,
    run,
)
from tests.chat.engine.toolbox import HangingModel, Recorder, quick, result_of

pytestmark = pytest.mark.row("A4")
TASK = Task("Look it up.")
SHAPED = Task("Look it up.", output_schema={"type": "object", "required": ["a"]})
AWAY = Reply.failure(ErrorKind.UNAVAILABLE)
NO = Reply.failure(ErrorKind.INVALID_REQUEST)


@pytest.fixture(autouse=True)
def no_waiting() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model_turn, "FIRST_BACKOFF_S", 0.0)
        yield


def paused(text: str) -> Reply:
    return Reply(text, stop=ReplyStop.PAUSE)


def labels(result: AgentResult) -> tuple[Status, StopReason, tuple[StopReason, ...]]:
    return result.status, result.stop, result.secondary


@pytest.mark.parametrize(
    ("failures", "stop"),
    [
        ([AWAY] * 4, StopReason.PROVIDER_UNAVAILABLE),
        ([NO], StopReason.ERROR),
        ([Reply.failure(ErrorKind.SPEND_CAP)], StopReason.PROVIDER_UNAVAILABLE),
    ],
)
def test_a_pause_chain_that_cannot_go_on_ends_with_what_was_said(
    failures: list[Reply], stop: StopReason
) -> None:
    model = ScriptedModel([paused("First, "), paused("second"), *failures])
    result = execute(model, TASK)

    assert (result.output, result.answer_source) == (
        "First, second",
        AnswerSource.REPLY,
    )
    assert labels(result) == (Status.PARTIAL, stop, (StopReason.TRUNCATED,))


def test_an_answer_of_the_closing_turn_is_better_than_half_a_one() -> None:
    script = [paused("a"), paused("b"), Reply("Enough.")]
    result = execute(ScriptedModel(script), TASK, limits=quick(pauses=1))

    assert (result.output, result.stop) == ("Enough.", StopReason.PAUSE_LIMIT)
    assert result.secondary == ()


@pytest.mark.parametrize("ending", [[NO], [Reply("")]])
def test_half_an_answer_is_better_than_a_closing_turn_without_one(
    ending: list[Reply],
) -> None:
    script = [paused("a"), paused("b"), *ending]
    result = execute(ScriptedModel(script), TASK, limits=quick(pauses=1))

    assert (result.output, result.stop) == ("ab", StopReason.PAUSE_LIMIT)
    assert result.secondary[-1] is StopReason.TRUNCATED


def test_a_cancel_in_the_middle_of_a_chain_keeps_what_was_said() -> None:
    class Late(HangingModel):
        def complete(self, request: ModelRequest) -> ModelReply:
            if len(request.messages) == 1:
                return ScriptedModel.complete(self, request)
            return super().complete(request)

    model, plugin = Late(paused("First, "), hangs=9), Recorder()
    events: list[Event] = []
    for event in run(model, TASK, limits=quick(), plugins=[plugin]):
        events.append(event)
        if event.kind == "tick":
            plugin.reason = StopReason.CANCELLED
    model.flag.set()

    result = result_of(events)
    assert (result.output, result.status) == ("First, ", Status.HALTED)


def test_what_somebody_objects_to_is_not_kept() -> None:
    class Objecting(Plugin):
        def after_model(self, reply: ModelReply) -> None:
            raise Halt("No.")

    result = execute(ScriptedModel([paused("First, ")]), TASK, plugins=[Objecting()])

    assert (result.output, result.answer_source) == ("", AnswerSource.NONE)


def test_a_chain_that_is_refused_says_nothing() -> None:
    refusal = Reply("Sorry", stop=ReplyStop.REFUSAL)
    result = execute(ScriptedModel([paused("First, "), refusal]), TASK)

    assert (result.output, result.stop) == ("", StopReason.REFUSAL)


def test_white_space_alone_is_no_answer() -> None:
    result = execute(ScriptedModel([paused(" \n"), NO]), TASK)

    assert (result.status, result.answer_source) == (Status.ERROR, AnswerSource.NONE)


def test_half_an_answer_does_not_fit_a_schema() -> None:
    result = execute(ScriptedModel([paused('{"a": '), NO]), SHAPED)

    assert (result.output, result.schema_valid) == ('{"a": ', False)
    assert result.parsed is None


def test_a_reply_that_the_window_cut_is_kept_where_the_next_try_fails() -> None:
    cut = Reply("The first half", stop=ReplyStop.WINDOW)
    result = execute(ScriptedModel([cut, NO]), TASK)

    assert result.output == "The first half"
    assert StopReason.TRUNCATED in (result.stop, *result.secondary)


def test_a_run_that_is_resumed_keeps_the_same_half() -> None:
    script = [paused("First, "), paused("second"), NO]
    events = list(run(ScriptedModel(script), TASK))
    rows = [event_to_json(event) for event in events if is_journaled(event)]
    whole = result_of(events)
    for cut in range(len(rows)):
        past = [event_from_json(row) for row in rows[:cut]]
        used = sum(each.kind in ("model_replied", "model_failed") for each in past)
        resumed = execute(ScriptedModel(script[used:]), TASK, history=past)
        assert (resumed.output, labels(resumed)) == (whole.output, labels(whole))
