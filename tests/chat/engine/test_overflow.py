"""A provider's overflow: compaction, a smaller reply, then the end with figures."""

import pytest

from chat.engine import (
    Compacted,
    ErrorKind,
    Limits,
    Reply,
    RetryScheduled,
    ScriptedModel,
    StopReason,
    Task,
    execute,
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


def size(request: object) -> int:
    messages = request.messages  # type: ignore[attr-defined]
    return sum(len(result.content) for each in messages for result in each.results)
