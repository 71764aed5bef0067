"""What a reply costs, and what a request may cost at most."""

from decimal import Decimal
from typing import Any

import pytest

from chat.engine import (
    Limits,
    ModelReplied,
    ModelRequested,
    Task,
    Usage,
    execute,
    run,
)
from chat.providers.anthropic import AnthropicModel
from chat.providers.prices import cost
from chat.providers.server_search import ServerSearch
from tests.chat.providers.anthropic.playing import Play
from tests.chat.providers.anthropic.wire import MODEL, ask, read_file, talking
from tests.fakes.model_server import KEY, call, load, say
from tests.fakes.model_server.replies import hit, search

USAGE = Usage(1_000, 200, 3_000, 500, 0, 1)


def per_token(_: str, usage: Usage) -> Decimal:
    tokens = usage.prompt_tokens + 5 * usage.output_tokens
    return Decimal(tokens) + 1_000_000 * usage.searches


def model_with(**options: Any) -> AnthropicModel:
    return AnthropicModel(options.pop("model", MODEL), api_key=KEY, **options)


def test_prices_are_those_of_the_list() -> None:
    assert model_with().price(USAGE) == cost(MODEL, USAGE)
    assert model_with().price(USAGE) == Decimal("0.01555")


def test_the_price_of_an_unknown_model_is_unknown() -> None:
    unknown = model_with(model="claude-next")
    assert unknown.price(USAGE) is None
    assert unknown.estimate(ask()) is None


def test_prices_can_be_given() -> None:
    assert model_with(prices=per_token).price(Usage(output_tokens=2)) == 10


@pytest.mark.parametrize("streams", [False, True])
@pytest.mark.parametrize(("words", "paid"), [((), "0"), (("Well, ",), "0.0023")])
def test_a_refusal_costs_nothing_unless_something_was_written(
    words: tuple[str, ...], paid: str, streams: bool
) -> None:
    counts = {"input_tokens": 1_000, "output_tokens": 30}
    refusal = say(*words, stop="refusal", usage=counts)
    with talking([refusal], stream=streams) as (model, _):
        result = execute(model, Task("x"))
    assert result.stop == "refusal"
    assert result.report.cost == Decimal(paid)
    assert result.report.counters.input_tokens == 1_000


def test_a_refused_scenario_costs_nothing() -> None:
    played = Play(load("10_refusal")).play()
    assert played.result.report.cost == 0
    assert played.result.report.counters.input_tokens == 380


def test_an_estimate_holds_the_longest_reply_and_every_search() -> None:
    searching = model_with(prices=per_token, search=ServerSearch(max_uses=3))
    plain = model_with(prices=per_token)
    request = ask(max_output_tokens=1_000, tools=(read_file(),))
    least, most = plain.estimate(request), searching.estimate(request)
    assert least is not None
    assert most is not None
    assert least >= 5_000
    assert most - least >= 3_000_000
    # In a last turn nothing is searched for.
    closing = ask(max_output_tokens=1_000, declared=(read_file(),))
    assert searching.estimate(closing) == plain.estimate(closing)


@pytest.mark.parametrize("cache", ["5m", "1h", None])
def test_no_request_of_a_run_costs_more_than_was_estimated(cache: Any) -> None:
    turns = [
        say(*search("a", hit("https://a.example")), call("read_file", path=str(n)))
        for n in range(5)
    ]
    script = [*turns, say("Done.")]
    with talking(script, search=ServerSearch(), cache=cache) as (model, _):
        events = list(run(model, Task("x"), [read_file("line\n" * 500)]))
    bounds = [each.estimate for each in events if isinstance(each, ModelRequested)]
    costs = [each.cost for each in events if isinstance(each, ModelReplied)]
    assert len(costs) == 6
    for bound, paid in zip(bounds, costs, strict=True):
        assert bound is not None
        assert paid is not None
        assert 0 < paid <= bound


def test_a_run_that_cannot_pay_for_a_request_sends_none() -> None:
    with talking([], search=ServerSearch()) as (model, _):
        result = execute(model, Task("x"), limits=Limits(cost=Decimal("0.0001")))
    assert result.stop == "cost_budget"
