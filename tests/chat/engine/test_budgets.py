"""Budgets are admitted before each call, business and context calls apart."""

from decimal import Decimal

import pytest

from chat.engine import (
    AnswerSource,
    ClosingReserve,
    Event,
    Limits,
    ModelRequest,
    ModelRequested,
    Reply,
    ScriptedModel,
    Status,
    StopReason,
    Task,
    ToolAnswered,
    ToolCalled,
    ToolOutcome,
    Usage,
    execute,
    run,
)
from tests.chat.engine.toolbox import Recorder, calling, echo

TASK = Task("Look it up.")
pytestmark = pytest.mark.row("B4")


class Priced(ScriptedModel):
    """A dollar a request, a dollar a reply, or unknown."""

    price_of_one: Decimal | None = Decimal(1)
    estimate_of_one: Decimal | None = Decimal(1)

    def estimate(self, request: ModelRequest) -> Decimal | None:
        return self.estimate_of_one

    def price(self, usage: Usage) -> Decimal | None:
        return self.price_of_one


def counted(events: list[Event], kind: type) -> int:
    return sum(isinstance(event, kind) for event in events)


@pytest.mark.row("B4")
def test_500_calls_in_one_turn_with_a_cap_of_2_run_2_and_answer_500() -> None:
    ran: list[str] = []
    recorder = Recorder()
    model = ScriptedModel([calling(*map(str, range(500))), Reply("From two.")])
    events = list(
        run(model, TASK, [echo()], limits=Limits(tool_calls=2), plugins=[recorder])
    )

    ran = recorder.calls
    answers = [event for event in events if isinstance(event, ToolAnswered)]
    refused = [each for each in answers if each.outcome is ToolOutcome.REFUSED]
    assert (len(ran), counted(events, ToolCalled)) == (2, 2)
    assert (len(answers), len(refused)) == (500, 498)
    assert all(each.result.is_error for each in refused)
    assert "budget of 2 business tool calls" in refused[0].result.content
    assert len(recorder.last_answers.results) == 500


@pytest.mark.row("B4")
def test_context_calls_do_not_use_up_the_business_budget() -> None:
    both = Reply(calls=[("look", {}), ("echo", {}), ("look", {}), ("echo", {})])
    model = ScriptedModel([both, Reply("Done.")])
    limits = Limits(tool_calls=2, context_calls=2)
    result = execute(model, TASK, [echo(), echo("look", "context")], limits=limits)

    assert result.stop is StopReason.COMPLETED
    counters = result.report.counters
    assert (counters.tool_calls_business, counters.tool_calls_context) == (2, 2)


@pytest.mark.row("B4")
@pytest.mark.parametrize(
    ("tool", "stop"),
    [("echo", StopReason.TOOL_BUDGET), ("look", StopReason.CONTEXT_TOOL_BUDGET)],
)
def test_a_used_up_budget_ends_the_run_with_an_answer(
    tool: str, stop: StopReason
) -> None:
    recorder = Recorder()
    script = [calling("a", tool=tool), calling("b", tool=tool), Reply("Enough.")]
    result = execute(
        ScriptedModel(script),
        TASK,
        [echo(), echo("look", "context")],
        limits=Limits(tool_calls=1, context_calls=1),
        plugins=[recorder],
    )

    assert (result.stop, result.status) == (stop, Status.PARTIAL)
    assert (result.output, result.answer_source) == ("Enough.", AnswerSource.CLOSING)
    assert recorder.requests[-1].tools == ()


def test_exactly_as_many_calls_as_allowed_complete() -> None:
    model = ScriptedModel([calling("a", "b"), Reply("Done.")])
    result = execute(model, TASK, [echo()], limits=Limits(tool_calls=2))

    assert result.stop is StopReason.COMPLETED


def test_context_calls_default_to_twice_the_tool_calls() -> None:
    assert Limits(tool_calls=3).context_cap == 6


def test_unknown_tools_and_bad_arguments_use_no_budget() -> None:
    bad = Reply(calls=[("nobody", {}), ("echo", "x"), ("echo", {"text": "a"})])
    model = ScriptedModel([bad, Reply("Done.")])
    result = execute(model, TASK, [echo()], limits=Limits(tool_calls=1))

    assert result.stop is StopReason.COMPLETED
    assert result.report.counters.invalid == 2


def test_iterations_are_limited_even_if_every_call_is_invalid() -> None:
    model = ScriptedModel(lambda request: calling("x", tool="nobody"))
    limits = Limits(iterations=3)
    events = list(run(model, TASK, [echo()], limits=limits))
    result = events[-1].result  # type: ignore[union-attr]

    assert result.stop is StopReason.ITERATION_LIMIT
    assert counted(events, ModelRequested) == 4, "three turns and the closing turn"
    assert counted(events, ToolAnswered) == 4, "also the calls of the closing turn"
    assert result.secondary == (StopReason.EMPTY_RESPONSE,)


def test_the_token_budget_keeps_a_reserve_for_the_closing_turn() -> None:
    spending = Usage(300, 100)
    script = [
        Reply(calls=[("echo", {})], usage=spending),
        Reply(calls=[("echo", {})], usage=spending),
        Reply("What I have.", usage=Usage(100, 10)),
    ]
    limits = Limits(tokens=2000, closing_reserve=ClosingReserve(tokens=800))
    result = execute(ScriptedModel(script), TASK, [echo()], limits=limits)

    assert result.stop is StopReason.TOKEN_BUDGET
    assert result.output == "What I have."
    assert result.report.counters.model_calls == 3


def test_the_last_tokens_go_to_a_closing_turn_and_not_to_a_cut_reply() -> None:
    turn = Reply(calls=[("echo", {})], usage=Usage(3000, 1200))
    model = ScriptedModel([turn, Reply("What I have.")])
    result = execute(model, TASK, [echo()], limits=Limits(tokens=10_000))

    assert (result.stop, result.output) == (StopReason.TOKEN_BUDGET, "What I have.")


def test_without_room_for_a_closing_turn_the_run_ends_without_an_answer() -> None:
    script = [Reply(calls=[("echo", {})], usage=Usage(900, 200)), Reply("Never asked.")]
    limits = Limits(tokens=1000)
    result = execute(ScriptedModel(script), TASK, [echo()], limits=limits)

    assert (result.stop, result.status) == (StopReason.TOKEN_BUDGET, Status.ERROR)
    assert (result.output, result.answer_source) == ("", AnswerSource.NONE)
    assert result.report.counters.model_calls == 1


def test_a_reply_may_not_be_longer_than_the_tokens_left() -> None:
    recorder = Recorder()
    model = ScriptedModel([Reply("Done.")])
    limits = Limits(tokens=1000, max_output_tokens=5000)
    execute(model, TASK, limits=limits, plugins=[recorder])

    room = recorder.requests[0].max_output_tokens
    assert room is not None
    assert 0 < room < 1000


def test_the_cost_budget_keeps_a_reserve_for_the_closing_turn() -> None:
    model = Priced([calling("a"), Reply("What I have."), Reply("Never asked.")])
    limits = Limits(
        cost=Decimal(3), closing_reserve=ClosingReserve(cost=Decimal("1.5"))
    )
    result = execute(model, TASK, [echo()], limits=limits)

    assert (result.stop, result.output) == (StopReason.COST_BUDGET, "What I have.")
    assert result.report.cost == Decimal(2)
    assert result.answer_source is AnswerSource.CLOSING


def test_a_request_without_estimate_is_sent_while_money_is_left() -> None:
    model = Priced(lambda request: calling("a") if request.tools else Reply("End."))
    model.estimate_of_one = None
    result = execute(model, TASK, [echo()], limits=Limits(cost=Decimal(2)))

    assert result.stop is StopReason.COST_BUDGET
    assert result.report.counters.model_calls == 2


def test_an_unknown_price_ends_a_run_with_a_cost_limit() -> None:
    model = Priced([calling("a"), Reply("Never asked.")])
    model.price_of_one = None
    result = execute(model, TASK, [echo()], limits=Limits(cost=Decimal(100)))

    assert (result.stop, result.report.cost) == (StopReason.COST_BUDGET, None)
    assert result.report.counters.model_calls == 1


def test_an_unknown_price_without_a_cost_limit_is_reported_as_unknown() -> None:
    model = Priced([calling("a"), Reply("Done.")])
    model.price_of_one = None
    result = execute(model, TASK, [echo()])

    assert (result.stop, result.report.cost) == (StopReason.COMPLETED, None)


def test_a_price_that_fails_does_not_lose_the_reply() -> None:
    class Unpriceable(ScriptedModel):
        def price(self, usage: Usage) -> Decimal | None:
            raise KeyError

    result = execute(Unpriceable([Reply("Done.")]), TASK)

    assert (result.output, result.report.cost) == ("Done.", None)


def test_a_prompt_over_the_window_is_never_sent() -> None:
    model = ScriptedModel([Reply("Never asked.")], window=1000)
    result = execute(model, Task("x" * 8000))

    assert result.stop is StopReason.CONTEXT_OVERFLOW
    assert result.report.counters.model_calls == 0


def test_calls_in_the_closing_turn_are_answered_and_not_run() -> None:
    script = [calling("a", "b"), Reply("Last.", calls=[("echo", {"text": "c"})])]
    events = list(
        run(ScriptedModel(script), TASK, [echo()], limits=Limits(tool_calls=1))
    )
    result = events[-1].result  # type: ignore[union-attr]

    assert (result.output, counted(events, ToolCalled)) == ("Last.", 1)
    assert counted(events, ToolAnswered) == 3
