"""The scenario files that a correct loop plays otherwise, and what is the same.

The server refuses what the API refuses, so that every request here was acceptable.
"""

from dataclasses import replace
from typing import Any

import pytest

from chat.engine import ReplyStop, StopReason, Task, ToolOutcome, execute, model_turn
from chat.engine.events import Compacted, ModelFailed, RetryScheduled, ToolAnswered
from tests.chat.providers.anthropic.expecting import check_expected
from tests.chat.providers.anthropic.playing import Play, Played
from tests.chat.providers.anthropic.wire import read_file, talking
from tests.fakes.model_client import outcome, sdk
from tests.fakes.model_server import ModelServer, Scenario, call, load, say, wire
from tests.fakes.model_server.scenario import Exchange

CUT = "09_max_tokens_mid_tool_use"
BOTH = pytest.mark.parametrize("streams", [True, False], ids=["pieces", "whole"])


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_turn, "FIRST_BACKOFF_S", 0.001)


def in_own_way(exchange: Exchange) -> Exchange:
    """The same answer, to whatever the contract accepts."""
    return replace(exchange, expected=None)


@pytest.mark.row("A5")
@pytest.mark.row("A11")
@BOTH
def test_09_a_cut_call_is_answered_with_an_error_and_never_run(streams: bool) -> None:
    scenario = load(CUT)
    first, *others = scenario.exchanges
    if streams:
        first = replace(
            first, reply=load(f"{CUT[:2]}s{CUT[2:]}_stream").exchanges[0].reply
        )
    played = Play(scenario, streams, [first, *map(in_own_way, others)]).play()
    check_expected(played)
    cut, run = played.of(ToolAnswered)
    assert (cut.outcome, run.outcome) == (ToolOutcome.INVALID, ToolOutcome.RETURNED)
    assert _used(played) == {"write_file": 1}
    (answer,) = played.requests[1].body["messages"][-1]["content"]
    assert (answer["tool_use_id"], answer["is_error"]) == (cut.call_id, True)
    # Two of three requests are the file's, but for the round that was cut.
    assert [len(each.body["messages"]) for each in played.requests] == [1, 3, 5]


@BOTH
def test_16_what_is_too_long_is_put_aside_in_pairs_and_the_run_goes_on(
    streams: bool,
) -> None:
    scenario = load("16_prompt_too_long_then_compact")
    refused, going_on = scenario.exchanges
    played = Play(scenario, streams, [refused, in_own_way(going_on)]).play()
    check_expected(played)
    assert [each.limit_tokens for each in played.of(ModelFailed)] == [200_000]
    assert len(played.of(Compacted)) == 1
    assert played.result.report.counters.overflows == 1
    (asked,) = played.requests[1].body["messages"]
    assert asked["role"] == "user"
    assert asked["content"][0]["text"] == "Long task."


@pytest.mark.parametrize("streams", [True, False])
def test_19_prose_around_the_json_is_read_without_the_schema(streams: bool) -> None:
    """First the schema is asked for; where prose comes, the file's own request."""
    scenario = load("19_json_with_prose")
    prose = scenario.exchanges[0]
    schema = _schema(scenario)
    play = Play(scenario, streams, [in_own_way(prose), prose], schema=schema)
    played = play.play()
    assert played.result.parsed == scenario.expect["values"][0]
    assert "output_config" in played.requests[0].body
    assert [each.error_kind for each in played.of(ModelFailed)] == ["unparseable"]


@pytest.mark.parametrize("streams", [True, False])
def test_19_an_answer_in_the_schema_is_taken_as_it_is(streams: bool) -> None:
    scenario = load("19_json_with_prose")
    part = replace(scenario, exchanges=scenario.exchanges[1:2])
    played = Play(part, streams).play()
    assert played.result.parsed == scenario.expect["values"][1]
    assert played.result.stop is StopReason.STRUCTURED_OUTPUT


@pytest.mark.parametrize("streams", [True, False])
def test_19_a_cut_answer_is_asked_for_once_more_and_is_no_value(streams: bool) -> None:
    scenario = load("19_json_with_prose")
    cut = scenario.exchanges[2]
    part = replace(scenario, exchanges=(cut,))
    played = Play(part, streams, [cut, in_own_way(cut)]).play()
    assert played.result.parsed is scenario.expect["values"][2] is None
    assert played.result.stop is StopReason.TRUNCATED
    assert [each.stop for each in played.replies] == [ReplyStop.MAX_TOKENS] * 2


@BOTH
def test_12b_a_spend_cap_is_asked_once_where_the_sdk_asks_three_times(
    streams: bool,
) -> None:
    scenario = load("12b_spend_cap_429")
    assert len(scenario.exchanges) == 3
    played = Play(scenario, streams, scenario.exchanges[:1]).play()
    check_expected(played)
    assert played.of(RetryScheduled) == []


@pytest.mark.row("A9")
@pytest.mark.parametrize("number", range(8))
def test_25_every_status_ends_a_run_with_its_head(number: int) -> None:
    """Those that may pass are tried again, and end it when they do not."""
    scenario = load("25_http_errors")
    exchange = scenario.exchanges[number]
    error = exchange.reply.body["error"]
    tries = model_turn.MAX_ATTEMPTS if exchange.reply.status >= 500 else 1
    if exchange.reply.status == 413:
        tries = 2
    part = replace(scenario, exchanges=(exchange,))
    played = Play(part, False, [exchange, *[in_own_way(exchange)] * (tries - 1)]).play()
    assert len(played.requests) == tries
    assert played.result.stop not in (StopReason.COMPLETED, StopReason.TRUNCATED)
    assert str(exchange.reply.status) in played.result.detail
    assert error["type"] in played.result.detail


def test_25_the_sdk_has_a_class_for_each() -> None:
    scenario = load("25_http_errors")
    with wire(scenario) as server, sdk(server) as client:
        came = [outcome(client, exchange) for exchange in scenario.exchanges]
    assert [type(each).__name__ for each in came] == scenario.expect["classes"]


@BOTH
def test_26_the_loop_sends_no_thread_but_the_whole_conversation(streams: bool) -> None:
    runner = load("26_runner_threads_default").exchanges[0].expected["body"]
    script = [say(call("read_file", path="a.py")), say("Done.")]
    with talking(script, socket=True, stream=streams) as (model, server):
        execute(model, Task(runner["messages"][0]["content"]), [read_file()])
    for request in server.seen:
        assert "thread" not in request.body
        assert "anthropic-beta" not in request.headers
        assert request.body["messages"][0]["role"] == "user"
        assert request.body["tools"]
    assert len(server.seen[1].body["messages"]) == 3


def test_27_a_count_needs_no_run_and_the_loop_asks_for_none() -> None:
    scenario = load("27_count_tokens")
    with wire(scenario) as server, sdk(server) as client:
        counted = outcome(client, scenario.exchanges[0])
    assert counted.input_tokens == scenario.expect["input_tokens"]
    with talking([say("Done.")], socket=True) as (model, server):
        execute(model, Task("x"), [read_file()])
    assert {request.path for request in server.seen} == {"/v1/messages"}


@BOTH
def test_36_where_older_messages_can_go_the_cut_answer_is_written_again(
    streams: bool,
) -> None:
    scenario = load("36_window_full_with_nothing_to_put_aside")
    (full,) = map(in_own_way, scenario.exchanges)
    reads = [say(call("read_file", path=name)) for name in "abcdef"]
    script = [*reads, full, say("It began in April.")]
    with talking(script, socket=True, stream=streams) as (model, server):
        result = execute(model, Task("Write it down."), [read_file("line\n" * 400)])
    assert (result.output, result.stop) == ("It began in April.", StopReason.COMPLETED)
    before, after = (len(str(each.body["messages"])) for each in server.seen[-2:])
    assert after < before * 0.6
    assert (
        "window was full" in server.seen[-1].body["messages"][-1]["content"][0]["text"]
    )


@pytest.mark.parametrize("name", [CUT, "19_json_with_prose"])
def test_what_these_files_have_refused_is_refused(name: str) -> None:
    scenario = load(name)
    server = ModelServer(())
    server.presuppose(scenario)
    for exchange in scenario.negatives:
        with sdk(server) as client:
            came = outcome(client, exchange)
        assert came.body["error"] == exchange.reply.body["error"]


def _used(played: Played) -> dict[str, int]:
    tools = played.result.report.tools
    return {each.name: each.calls for each in tools if each.calls}


def _schema(scenario: Scenario) -> Any:
    body = scenario.exchanges[1].expected["body"]
    return body["output_config"]["format"]["schema"]
