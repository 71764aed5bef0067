"""What the loop promises of streams, time, money, hooks and journals."""

import json
import time
from collections.abc import Iterator
from decimal import Decimal
from threading import Event as Flag
from typing import Any

import pytest

from chat.engine import (
    ClosingReserve,
    ErrorKind,
    Event,
    Halt,
    ModelError,
    ModelReplied,
    ModelReply,
    ModelRequest,
    Plugin,
    Reply,
    ReplyStop,
    ScriptedModel,
    Status,
    StopReason,
    Task,
    TextDelta,
    Tick,
    Tool,
    ToolCall,
    ToolResult,
    Usage,
    event_from_json,
    event_to_json,
    execute,
    is_journaled,
    run,
)
from tests.chat.engine.toolbox import (
    TEXT,
    HangingModel,
    Recorder,
    calling,
    echo,
    quick,
    result_of,
)

TASK = Task("Look it up.")


class Endless(ScriptedModel):
    """A stream that never ends by itself, after a reply if there is one."""

    def __init__(self, *first: ModelReply) -> None:
        super().__init__([])
        self.first, self.over, self.closed = first, Flag(), Flag()

    def stream(self, request: ModelRequest) -> Iterator[TextDelta | ModelReply]:
        try:
            yield from self.first
            while not self.over.wait(0.002):
                yield TextDelta("x")
        finally:
            self.closed.set()

    def was_closed(self) -> bool:
        closed = self.closed.wait(2)
        self.over.set()
        return closed


# 1 streams go on for ever
@pytest.mark.row("B13")
def test_the_stream_of_a_run_that_is_left_is_closed() -> None:
    model = Endless()
    events = run(model, TASK, limits=quick())
    for _ in range(5):
        next(events)
    events.close()
    assert model.was_closed()


@pytest.mark.row("B13")
def test_the_stream_of_a_cancelled_run_is_closed() -> None:
    model, plugin = Endless(), Recorder()
    for event in run(model, TASK, limits=quick(), plugins=[plugin]):
        if isinstance(event, Tick):
            plugin.reason = StopReason.CANCELLED
    assert model.was_closed()


@pytest.mark.row("B13")
def test_a_stream_is_not_read_beyond_its_reply() -> None:
    model = Endless(ModelReply("Done."))
    assert execute(model, TASK, limits=quick()).output == "Done."
    assert model.was_closed()


# 2 a reply that has come is asked for and paid again
class SaysAndFails(ScriptedModel):
    def stream(self, request: ModelRequest) -> Iterator[TextDelta | ModelReply]:
        yield self.complete(request)
        raise ModelError(ErrorKind.UNAVAILABLE, "", {"retry_after_s": 0})


@pytest.mark.row("B13")
def test_what_fails_after_the_whole_reply_does_not_cost_the_reply() -> None:
    result = execute(SaysAndFails([Reply("First."), Reply("Second.")]), TASK)
    assert (result.output, result.report.counters.model_calls) == ("First.", 1)


# 3 an answer that no after_model has seen
class Withholding(Plugin):
    def after_model(self, reply: ModelReply) -> None:
        raise Halt("Withheld.")


@pytest.mark.row("B9")
def test_no_answer_stands_that_the_hooks_have_not_seen() -> None:
    stop, task = Recorder(), Task("x", output_schema={"type": "object"})
    events: list[Event] = []
    plugins = [stop, Withholding()]
    for event in run(ScriptedModel([Reply('{"a": 1}')]), task, plugins=plugins):
        events.append(event)
        if isinstance(event, ModelReplied):
            stop.reason = StopReason.CANCELLED
    assert result_of(events).output == ""


# 4 the closing reserve is spent on time that somebody else took
class Slow(Plugin):
    def __init__(self) -> None:
        self.naps = iter([0.5])

    def before_model(self, request: ModelRequest) -> None:
        time.sleep(next(self.naps, 0))


@pytest.mark.row("B12")
def test_time_that_a_hook_takes_is_not_given_to_the_model_again() -> None:
    model = HangingModel(Reply("Closing."))
    limits = quick(deadline_s=1, closing_reserve=ClosingReserve(seconds=0.3))
    result = execute(model, TASK, limits=limits, plugins=[Slow()])
    model.flag.set()
    assert (result.stop, result.output) == (StopReason.DEADLINE, "Closing.")


# 5 the closing turn cannot be paid
class Counting(ScriptedModel):
    """Costs a coin for every four characters of the prompt."""

    def estimate(self, request: ModelRequest) -> Decimal | None:
        said = [each.content for one in request.messages for each in one.results]
        return Decimal(len("".join(said)) // 4 + 200)


def reads(chars: int) -> Tool:
    return Tool(
        "echo", "Reads.", TEXT, lambda arguments: ToolResult("word " * (chars // 5))
    )


@pytest.mark.row("B4")
@pytest.mark.parametrize("limit", [{"tokens": 20_000}, {"cost": Decimal(20_000)}])
def test_a_closing_turn_that_is_too_dear_is_shortened(limit: dict[str, Any]) -> None:
    model = Counting([calling("a"), Reply("Closing.")])
    result = execute(model, TASK, [reads(100_000)], limits=quick(**limit))
    assert result.output == "Closing."


# 6 money that is no Decimal
class Floats(HangingModel):
    def estimate(self, request: ModelRequest) -> Any:
        return 0.5

    def price(self, usage: Usage) -> Any:
        return 0.5


@pytest.mark.row("B13")
def test_an_estimate_that_is_no_decimal_lets_no_exception_out() -> None:
    model = Floats(Reply("Closing."))
    result = execute(model, TASK, limits=quick(deadline_s=0.3))
    model.flag.set()
    assert result.stop is StopReason.DEADLINE


@pytest.mark.row("B13")
def test_a_price_that_is_no_decimal_does_not_cost_the_reply() -> None:
    assert execute(Floats(Reply("Done."), hangs=0), TASK).output == "Done."


# 7 journals that cannot be read back
def read_back(events: list[Event]) -> list[Event]:
    kept = [json.dumps(event_to_json(each)) for each in events if is_journaled(each)]
    return [event_from_json(json.loads(each)) for each in kept]


@pytest.mark.row("A11")
@pytest.mark.parametrize("arguments", [None, [1]])
def test_arguments_that_are_no_object_can_be_journaled(arguments: Any) -> None:
    script = [Reply(calls=[("echo", arguments)]), Reply("Done.")]
    assert read_back(list(run(ScriptedModel(script), TASK, [echo()])))


@pytest.mark.row("A11")
@pytest.mark.parametrize("odd", [1, None])
def test_a_result_that_is_no_truth_value_can_be_journaled(odd: Any) -> None:
    tool = Tool("echo", "x", TEXT, lambda arguments: ToolResult("x", is_error=odd))
    events = list(run(ScriptedModel([calling("a"), Reply("Done.")]), TASK, [tool]))
    assert read_back(events)
    assert result_of(events).stop is StopReason.COMPLETED


# 8 calls that run after the cancel
class Once(Recorder):
    def after_tool(self, call: ToolCall, result: ToolResult) -> ToolResult:
        self.reason = StopReason.CANCELLED
        return super().after_tool(call, result)


@pytest.mark.row("B1")
def test_a_cancel_is_heard_between_two_quick_calls() -> None:
    plugin, limits = Once(), quick(parallel_calls=1, tick_s=2)
    turn = calling(*map(str, range(20)))
    execute(ScriptedModel([turn]), TASK, [echo()], limits=limits, plugins=[plugin])
    assert plugin.results == ["0"]


# 9 who halted, and why, is lost behind an earlier stop
@pytest.mark.row("B1")
def test_a_run_that_a_plugin_halts_is_halted_whatever_came_before() -> None:
    cut = Reply("Cut", stop=ReplyStop.MAX_TOKENS)
    result = execute(ScriptedModel([cut]), TASK, plugins=[Withholding()])
    assert result.status is Status.HALTED


# 10 one usage over the window ends the run
@pytest.mark.row("B7")
def test_a_usage_over_the_window_does_not_end_a_short_run() -> None:
    script = [calling("a"), Reply("Done.")]
    script[0] = Reply(calls=script[0].calls, usage=Usage(150_000, 10))
    assert execute(ScriptedModel(script), TASK, [echo()]).output == "Done."


# 11 an error without words
class Mute(Halt):
    def __str__(self) -> str:
        raise ValueError


class Halting(Plugin):
    def before_model(self, request: ModelRequest) -> None:
        raise Mute


@pytest.mark.row("B13")
def test_a_halt_without_words_lets_no_exception_out() -> None:
    result = execute(ScriptedModel([]), TASK, plugins=[Halting()])
    assert result.stop is StopReason.PLUGIN_HALT


# 12 the last turn's pause is not continued as it stands
@pytest.mark.row("A4")
def test_a_pause_of_the_last_turn_is_continued_as_it_stands() -> None:
    recorder, task = Recorder(), Task("x", output_schema={"type": "object"})
    script = [Reply("one"), Reply("{", stop=ReplyStop.PAUSE), Reply("}")]
    execute(ScriptedModel(script), task, plugins=[recorder])
    assert recorder.requests[-1].messages[-1].text == "{"


# 13 what is no model
@pytest.mark.row("B13")
def test_a_model_without_its_methods_is_refused_at_once() -> None:
    class Bare:
        profile = ScriptedModel([]).profile

    with pytest.raises(ValueError, match="no model"):
        run(Bare(), TASK)  # type: ignore[arg-type]
