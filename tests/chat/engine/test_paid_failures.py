"""What a request that failed was paid all the same, and that a run counts it."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

import pytest

from chat.engine import (
    AgentResult,
    ErrorHead,
    ErrorKind,
    Event,
    Limits,
    ModelError,
    ModelFailed,
    ModelReply,
    ModelRequest,
    Reply,
    RetryScheduled,
    ScriptedModel,
    StopReason,
    Task,
    Usage,
    event_from_json,
    event_to_json,
    execute,
    run,
)
from tests.chat.engine.toolbox import result_of

TASK = Task("Look it up.")
HEAD = ErrorHead(529, "overloaded_error", "busy", "req_1")
PAID = Usage(100, 20, 5, 3, 1, searches=2)


class Priced(ScriptedModel):
    """A coin for each token; a request may cost a thousand, one search is unknown."""

    def estimate(self, request: ModelRequest) -> Decimal | None:
        return Decimal(1000)

    def price(self, usage: Usage) -> Decimal | None:
        return None if usage.searches == 1 else Decimal(usage.total_tokens)


class Failing(ScriptedModel):
    """Raises one error, whatever is in it, and then answers."""

    def __init__(self, error: ModelError) -> None:
        super().__init__([Reply("Done.")])
        self.errors = [error]

    def complete(self, request: ModelRequest) -> ModelReply:
        if self.errors:
            raise self.errors.pop()
        return super().complete(request)

    def price(self, usage: Usage) -> Decimal | None:
        return Decimal(1)


def paid(kind: ErrorKind = ErrorKind.UNAVAILABLE, usage: Usage = PAID) -> Reply:
    return Reply.failure(kind, retry_after_s=0, head=HEAD, usage=usage)


def played(*script: Reply, limits: Limits = Limits()) -> list[Event]:  # noqa: B008
    return list(run(Priced(script), TASK, limits=limits))


def failures(events: Iterable[Event]) -> list[ModelFailed]:
    return [event for event in events if isinstance(event, ModelFailed)]


def spent(result: AgentResult) -> tuple[Any, ...]:
    counters = result.report.counters
    return (
        (counters.input_tokens, counters.output_tokens, counters.searches),
        result.report.cost,
    )


def journaled(events: Sequence[Event]) -> list[Event]:
    kept = (event for event in events if event.kind not in ("tick", "text_delta"))
    return [event_from_json(event_to_json(event)) for event in kept]


@pytest.mark.row("A9")
def test_a_failure_is_told_with_its_head_and_with_what_it_cost() -> None:
    (failed,) = failures(played(paid(), Reply("Done.")))
    assert (failed.head, failed.usage, failed.cost) == (HEAD, PAID, Decimal(128))


def test_what_a_failed_request_has_cost_is_part_of_what_the_run_has_cost() -> None:
    result = result_of(played(paid(), Reply("Done.", usage=Usage(10, 1))))
    assert spent(result) == ((10, 1, 0), Decimal(139))


def test_a_failure_that_was_not_paid_costs_nothing() -> None:
    script = [Reply.failure(ErrorKind.OVERLOADED, retry_after_s=0), Reply("Done.")]
    assert spent(result_of(played(*script))) == ((0, 0, 0), Decimal(0))


def test_a_paid_failure_whose_price_is_unknown_makes_the_cost_unknown() -> None:
    one_search = Usage(10, 1, searches=1)
    result = result_of(played(paid(usage=one_search), Reply("Done.")))
    assert spent(result) == ((0, 0, 0), None)


@pytest.mark.parametrize(
    ("limits", "stop"),
    [
        (Limits(tokens=20_000), StopReason.TOKEN_BUDGET),
        (Limits(cost=Decimal(20_000)), StopReason.COST_BUDGET),
    ],
)
def test_budgets_see_what_failed_requests_have_cost(
    limits: Limits, stop: StopReason
) -> None:
    dear = paid(usage=Usage(19_990, 50))
    result = result_of(played(dear, Reply("Never asked."), limits=limits))
    assert result.stop is stop
    assert result.report.counters.model_calls == 1


def test_a_request_that_timed_out_costs_all_that_was_foreseen_and_no_less() -> None:
    timeout = ErrorKind.TIMEOUT
    little = result_of(played(paid(timeout), Reply("Done.")))
    assert spent(little) == ((0, 0, 0), Decimal(1000))
    much = result_of(played(paid(timeout, Usage(2000, 1)), Reply("Done.")))
    assert spent(much) == ((0, 0, 0), Decimal(2001))


@pytest.mark.parametrize("kind", [ErrorKind.UNAVAILABLE, ErrorKind.TIMEOUT])
def test_a_run_that_goes_on_from_its_journal_knows_what_was_paid(
    kind: ErrorKind,
) -> None:
    script = [paid(kind), paid(kind), Reply("Done.", usage=Usage(7, 7))]
    whole = played(*script)
    for cut in range(len(whole)):
        history = journaled(whole[:cut])
        done = len(failures(history)) + any(
            event.kind == "model_replied" for event in history
        )
        resumed = execute(Priced(script[done:]), TASK, history=history)
        lost = resumed.report.counters.calls_lost
        cost = spent(result_of(whole))[1] + 1000 * lost
        assert spent(resumed) == (spent(result_of(whole))[0], cost)


def test_a_journal_without_heads_and_costs_still_loads() -> None:
    old = {"kind": "model_failed", "error_kind": "overloaded", "message": "busy"}
    failed = event_from_json({**old, "elapsed_s": 1.0})
    assert failed == ModelFailed(ErrorKind.OVERLOADED, "busy", elapsed_s=1.0)


def test_attempts_are_counted_anew_after_a_retry_that_says_it_is_the_first() -> None:
    limits = Limits(deadline_s=0)
    fast = Reply.failure(ErrorKind.OVERLOADED, retry_after_s=0)
    worn = list(run(ScriptedModel([fast] * 3), TASK, limits=limits))
    past = [event for event in worn if event.kind in ("run_started", "model_requested")]
    past = [past[0], past[1], failures(worn)[0], RetryScheduled(1, 0.0)]
    model = ScriptedModel([fast, fast, Reply("Done.")])
    assert execute(model, TASK, limits=limits, history=past).output == "Done."


class Text(str):
    __slots__ = ()


NUMBERS: list[Any] = [10**30, -1, True, "529", 5.5, float("nan"), [], None]
TEXTS: list[Any] = ["x" * 5000, "\ud800\x1b[2J\u202e\0", Text("t"), 7, {}, None]


@pytest.mark.row("A9")
@pytest.mark.parametrize("status", NUMBERS)
@pytest.mark.parametrize("text", TEXTS)
def test_whatever_an_error_says_of_itself_the_run_goes_on(
    status: Any, text: Any
) -> None:
    error = ModelError(ErrorKind.OVERLOADED, "busy", {"retry_after_s": 0})
    error.head = ErrorHead(status, text, text, text)
    error.usage = Usage(status, 1)
    events = list(run(Failing(error), TASK))
    (failed,) = failures(events)

    assert result_of(events).output == "Done."
    assert failures(journaled(events)) == [failed]
    assert failed.usage is failed.cost is None
    head = failed.head or ErrorHead()
    assert head.status is None
    for each in (head.type, head.code, head.request_id):
        assert type(each) is str
        assert each == "" or (each.isprintable() and len(each) <= 100)


@pytest.mark.parametrize("odd", [None, "head", 7, {"status": 529}, object()])
def test_what_is_no_head_and_no_usage_is_none(odd: Any) -> None:
    error = ModelError(ErrorKind.OVERLOADED, "busy", {"retry_after_s": 0})
    error.head = error.usage = odd
    events = list(run(Failing(error), TASK))
    (failed,) = failures(events)
    assert (failed.head, failed.usage, failed.cost) == (None, None, None)


def test_counts_that_contradict_each_other_are_unknown() -> None:
    hours = Usage(1, 1, cache_write_tokens=1, cache_write_1h_tokens=2)
    (failed,) = failures(played(paid(usage=hours), Reply("Done.")))
    assert failed.usage is failed.cost is None


@pytest.mark.parametrize("price", [Decimal("NaN"), Decimal(-1), Decimal(10**9), 1.5])
def test_a_price_that_is_none_is_unknown(price: Any) -> None:
    class Odd(ScriptedModel):
        def price(self, usage: Usage) -> Decimal | None:
            return price

    (failed,) = failures(run(Odd([paid(), Reply("Done.")]), TASK))
    assert failed.cost is None
