"""A provider's overflow: compaction, a smaller reply, then the end with figures."""

import pytest

from chat.engine import (
    Compacted,
    ErrorKind,
    Limits,
    Nudged,
    Reply,
    ReplyStop,
    RetryScheduled,
    ScriptedModel,
    StopReason,
    Task,
    execute,
    is_journaled,
    run,
)
from tests.chat.engine.toolbox import Recorder, calling, echo, result_of

TASK = Task("Look it up.")
TOO_LONG = Reply.failure(ErrorKind.CONTEXT_OVERFLOW, message="prompt is too long")


def reading(count: int) -> list[Reply]:
    return [calling(f"{place} " * 2000) for place in range(count)]


@pytest.mark.row("B12")
def test_the_first_overflow_is_answered_by_compaction() -> None:
    script = [*reading(6), TOO_LONG, Reply("Done.")]
    recorder = Recorder()
    events = list(run(ScriptedModel(script), TASK, [echo()], plugins=[recorder]))

    assert result_of(events).output == "Done."
    assert any(isinstance(event, Compacted) for event in events)
    refused, sent = recorder.requests[-2:]
    assert size(sent) < size(refused) * 0.6


@pytest.mark.row("B12")
def test_the_second_is_answered_by_a_smaller_reply() -> None:
    script = [*reading(6), TOO_LONG, TOO_LONG, Reply("Done.")]
    limits = Limits(max_output_tokens=4000)
    recorder = Recorder()
    events = list(
        run(ScriptedModel(script), TASK, [echo()], limits=limits, plugins=[recorder])
    )

    assert result_of(events).output == "Done."
    assert recorder.requests[-1].max_output_tokens == 2000
    caps = [each for each in events if isinstance(each, RetryScheduled)]
    assert [each.max_output_tokens for each in caps] == [None, 2000]


@pytest.mark.row("B12", "B1")
def test_the_third_ends_the_run_with_the_numbers() -> None:
    script = [*reading(6), TOO_LONG, TOO_LONG, TOO_LONG]
    result = execute(ScriptedModel(script), TASK, [echo()])

    assert result.stop is StopReason.CONTEXT_OVERFLOW
    assert "128000" in result.detail
    assert "prompt is too long" in result.detail
    assert result.report.counters.overflows == 3


def test_a_request_with_nothing_to_put_aside_goes_on_to_the_smaller_reply() -> None:
    recorder = Recorder()
    model = ScriptedModel([TOO_LONG, Reply("Done.")])
    limits = Limits(max_output_tokens=4000)
    result = execute(model, TASK, limits=limits, plugins=[recorder])

    assert result.output == "Done."
    assert recorder.requests[-1].max_output_tokens == 2000


def test_the_providers_own_figures_are_believed() -> None:
    facts = {"prompt_tokens": 40_000, "limit": 32_000}
    refused = Reply.failure(ErrorKind.CONTEXT_OVERFLOW, **facts)
    recorder = Recorder()
    script = [*reading(6), refused, Reply("Done.")]
    result = execute(ScriptedModel(script), TASK, [echo()], plugins=[recorder])

    assert result.output == "Done."
    before, after = recorder.requests[-2:]
    assert size(after) <= size(before) * (32_000 - 8_192) / 40_000


FULL = Reply("The first half", stop=ReplyStop.WINDOW)


@pytest.mark.row("B12")
def test_a_reply_that_the_window_cut_is_written_again_with_more_room() -> None:
    script = [*reading(6), FULL, Reply("The whole.")]
    recorder = Recorder()
    events = list(run(ScriptedModel(script), TASK, [echo()], plugins=[recorder]))

    assert (result_of(events).output, result_of(events).stop) == (
        "The whole.",
        StopReason.COMPLETED,
    )
    kinds = [type(each) for each in events if isinstance(each, Compacted | Nudged)]
    assert kinds == [Compacted, Nudged]
    cut, sent = recorder.requests[-2:]
    assert size(sent) < size(cut) * 0.6


@pytest.mark.row("B12", "B1")
def test_where_nothing_can_be_put_aside_the_cut_reply_is_the_answer() -> None:
    result = execute(ScriptedModel([FULL]), TASK)
    assert (result.output, result.stop) == ("The first half", StopReason.TRUNCATED)
    assert result.detail == "The answer was cut at its token limit."


@pytest.mark.row("B12")
def test_calls_that_the_window_cut_are_not_run() -> None:
    cut = Reply(calls=[("echo", {"text": "a"})], stop=ReplyStop.WINDOW)
    result = execute(ScriptedModel([cut, Reply("Done.")]), TASK, [echo()])
    assert (result.output, result.report.counters.invalid) == ("Done.", 1)
    assert result.report.counters.tool_calls_business == 0


def test_a_window_that_is_full_again_ends_with_what_there_is() -> None:
    script = [*reading(6), FULL, FULL]
    result = execute(ScriptedModel(script), TASK, [echo()])
    assert (result.output, result.stop) == ("The first half", StopReason.TRUNCATED)


@pytest.mark.parametrize("place", range(4))
def test_a_run_that_is_left_after_a_full_window_goes_on_the_same(place: int) -> None:
    script = [*reading(6), FULL, Reply("The whole.")]
    whole = list(run(ScriptedModel(script), TASK, [echo()]))
    journal = [each for each in whole if is_journaled(each)]
    compacted = [isinstance(each, Compacted) for each in journal].index(True)
    left = journal[: compacted - 1 + place]
    done = sum(each.kind == "model_replied" for each in left)
    rest = ScriptedModel(script[done:])
    result = execute(rest, TASK, [echo()], history=left)
    assert result.output == "The whole."


def size(request: object) -> int:
    messages = request.messages  # type: ignore[attr-defined]
    return sum(len(result.content) for each in messages for result in each.results)
