"""Replies in pieces, by the same loop and with the same guarantees."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from chat.engine import (
    ErrorKind,
    Event,
    ModelError,
    ModelReplied,
    ModelReply,
    ModelRequest,
    Reply,
    RetryScheduled,
    ScriptedModel,
    Status,
    StopReason,
    Task,
    TextDelta,
    Tick,
    Usage,
    execute,
    model_turn,
    run,
)
from tests.chat.engine.toolbox import calling, echo, quick, result_of

TASK = Task("Look it up.")
pytestmark = pytest.mark.row("B13")


class Typing(ScriptedModel):
    """Streams every reply letter by letter; breaks off where it is told to."""

    breaks: int = 0
    error: Exception | None = None

    def stream(self, request: ModelRequest) -> Iterator[TextDelta | ModelReply]:
        reply = self.complete(request)
        for place, letter in enumerate(reply.text):
            if self.breaks and place == 3:
                self.breaks -= 1
                if self.error:
                    raise self.error
                return
            yield TextDelta(letter)
        yield reply


def deltas(events: list[Event]) -> str:
    return "".join(each.text for each in events if isinstance(each, TextDelta))


@pytest.mark.row("B13")
def test_text_comes_in_pieces_and_then_whole_with_its_usage() -> None:
    script = [Reply("Looking.", calls=[("echo", {})]), Reply("Yes.", usage=Usage(5, 2))]
    events = list(run(Typing(script), TASK, [echo()]))

    assert deltas(events) == "Looking.Yes."
    last = [event for event in events if isinstance(event, ModelReplied)][-1]
    assert (last.reply.text, last.reply.usage) == ("Yes.", Usage(5, 2))


def test_a_model_that_does_not_stream_gives_the_same_run() -> None:
    script = [calling("a"), Reply("Yes.")]
    whole = Typing(script)
    whole.profile = replace(whole.profile, streams=False)
    streamed = list(run(Typing(script), TASK, [echo()]))
    complete = list(run(whole, TASK, [echo()]))

    def kinds(events: list[Event]) -> list[str]:
        return [event.kind for event in events if not isinstance(event, TextDelta)]

    assert kinds(streamed) == kinds(complete)
    assert (deltas(streamed), deltas(complete)) == ("Yes.", "")


def test_a_stream_that_breaks_off_is_a_failure_and_never_an_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(model_turn, "FIRST_BACKOFF_S", 0.001)
    model = Typing([Reply("Half a sentence"), Reply("The whole sentence.")])
    model.breaks = 1
    events = list(run(model, TASK, limits=quick()))

    assert result_of(events).output == "The whole sentence."
    assert deltas(events).startswith("Hal")
    assert any(isinstance(event, RetryScheduled) for event in events)


@pytest.mark.row("B13")
@pytest.mark.parametrize(
    ("error", "stop"),
    [
        (ModelError(ErrorKind.INVALID_REQUEST, "bad"), StopReason.ERROR),
        (ModelError(ErrorKind.SPEND_CAP), StopReason.PROVIDER_UNAVAILABLE),
        (ValueError("not JSON"), StopReason.ERROR),
        (KeyError("x"), StopReason.ERROR),
    ],
)
def test_what_a_stream_raises_becomes_a_terminal_event(
    error: Exception, stop: StopReason
) -> None:
    model = Typing([Reply("Half a sentence")])
    model.breaks, model.error = 1, error
    result = result_of(run(model, TASK))

    assert (result.status, result.stop) == (Status.ERROR, stop)
    assert result.report.stop is stop


def test_a_stream_without_an_end_is_left_at_its_timeout(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(model_turn, "FIRST_BACKOFF_S", 0.001)

    class Endless(ScriptedModel):
        def stream(self, request: ModelRequest) -> Iterator[TextDelta | ModelReply]:
            while True:
                yield TextDelta("x")

    events = run(Endless([]), TASK, limits=quick(model_timeout_s=0.02))
    result = result_of(event for event in events if not isinstance(event, TextDelta))

    assert result.stop is StopReason.LLM_TIMEOUT


def test_the_loop_ticks_while_text_comes() -> None:
    class Talker(ScriptedModel):
        ticked = False

        def stream(self, request: ModelRequest) -> Iterator[TextDelta | ModelReply]:
            while not self.ticked:
                yield TextDelta(".")
            yield ModelReply("Done.")

    model = Talker([])
    for event in run(model, TASK, limits=quick()):
        model.ticked = model.ticked or isinstance(event, Tick)
    assert model.ticked


def test_a_stream_that_gives_no_reply_object_is_an_error() -> None:
    class Odd(ScriptedModel):
        def stream(self, request: ModelRequest) -> Iterator[TextDelta | ModelReply]:
            yield "text"  # type: ignore[misc]

    result = execute(Odd([]), TASK)
    assert result.stop is StopReason.ERROR
    assert "no ModelReply" in result.detail
