"""Whole runs of the loop over an OpenAI-compatible endpoint, streamed and not."""

import json
from decimal import Decimal
from typing import Any

import httpx
import pytest

from chat.engine import (
    AgentResult,
    Limits,
    StopReason,
    Task,
    Tool,
    ToolResult,
    execute,
)
from tests.chat.providers.openai_compatible.endpoint import (
    USAGE,
    Endpoint,
    called,
    delta,
    failing,
    model_at,
    reader,
    said,
    streaming,
)

BOTH = pytest.mark.parametrize("streams", [False, True])


def as_stream(answer: httpx.Response) -> httpx.Response:
    """The same answer in pieces; failures are answered whole on a stream too."""
    body = json.loads(answer.content)
    if "choices" not in body:
        return answer
    [choice] = body["choices"]
    message = choice["message"]
    calls = message.get("tool_calls") or []
    thoughts = message.get("reasoning_details") or []
    return streaming(
        *(delta(content="", reasoning_details=[thought]) for thought in thoughts),
        *(delta(content=char) for char in message.get("content") or ""),
        *(
            delta(tool_calls=[{"index": index, **call}])
            for index, call in enumerate(calls)
        ),
        delta(choice["finish_reason"]),
        {"choices": [], "usage": body.get("usage")},
    )


def ran(
    *answers: httpx.Response,
    streams: bool = False,
    tools: tuple[Tool, ...] | None = None,
    limits: Limits | None = None,
    schema: Any = None,
    **options: Any,
) -> tuple[AgentResult, Endpoint]:
    """Run a task over these answers."""
    sent = [as_stream(answer) if streams else answer for answer in answers]
    model, endpoint = model_at(*sent, streams=streams, window=100_000, **options)
    result = execute(
        model,
        Task("Read them.", output_schema=schema),
        (reader(),) if tools is None else tools,
        limits=limits or Limits(tick_s=0.02),
    )
    return result, endpoint


def paths(*names: str) -> tuple[tuple[str, str, str], ...]:
    """Calls that read these paths."""
    return tuple(
        (f"c{place}", "read_file", json.dumps({"path": name}))
        for place, name in enumerate(names)
    )


@pytest.mark.row("A11")
@BOTH
def test_three_files_are_read_in_one_turn_and_each_call_has_one_result(
    streams: bool,
) -> None:
    result, endpoint = ran(
        called(*paths("a", "b", "c")), said("All read."), streams=streams
    )
    assert (str(result), result.stop) == ("All read.", StopReason.COMPLETED)
    results = endpoint.bodies[1]["messages"][2:]
    assert [each["content"] for each in results] == ["read a", "read b", "read c"]
    assert [each["tool_call_id"] for each in results] == ["c0", "c1", "c2"]


@pytest.mark.row("A11")
@BOTH
def test_with_the_switch_the_same_three_files_take_four_turns(streams: bool) -> None:
    result, endpoint = ran(
        *(called(*paths(name)) for name in "abc"),
        said("All read."),
        streams=streams,
        limits=Limits(tick_s=0.02, disable_parallel_tool_use=True),
    )
    assert str(result) == "All read."
    assert len(endpoint.bodies) == 4
    assert all(body["parallel_tool_calls"] is False for body in endpoint.bodies)


@pytest.mark.row("A11")
@BOTH
def test_an_unknown_tool_and_broken_arguments_are_answered_as_errors(
    streams: bool,
) -> None:
    broken = ("c1", "read_file", '{"path": "b"')
    result, endpoint = ran(
        called(*paths("a"), broken, ("c2", "nothing", "{}")),
        said("Only a."),
        streams=streams,
    )
    contents = [each["content"] for each in endpoint.bodies[1]["messages"][2:]]
    assert contents[0] == "read a"
    assert all(each.startswith("This call failed. ") for each in contents[1:])
    assert result.report.counters.tool_calls_business == 1


@BOTH
def test_a_busy_server_is_asked_again_by_the_loop_alone(streams: bool) -> None:
    busy = failing(429, {"message": "Slower."}, {"retry-after": "0.01"})
    result, endpoint = ran(busy, said("Here."), streams=streams)
    assert (str(result), result.stop) == ("Here.", StopReason.COMPLETED)
    assert len(endpoint.bodies) == 2


@BOTH
@pytest.mark.parametrize(
    ("status", "stop"),
    [(402, StopReason.PROVIDER_UNAVAILABLE), (401, StopReason.ERROR)],
)
def test_no_credit_and_no_key_are_not_asked_again(
    status: int, stop: StopReason, streams: bool
) -> None:
    result, endpoint = ran(failing(status, {"message": "No."}), streams=streams)
    assert result.stop is stop
    assert len(endpoint.bodies) == 1


@BOTH
@pytest.mark.parametrize(
    ("finish", "stop"),
    [("length", StopReason.TRUNCATED), ("content_filter", StopReason.REFUSAL)],
)
def test_a_cut_and_a_refused_answer_are_never_completed(
    finish: str, stop: StopReason, streams: bool
) -> None:
    result, _ = ran(said("Half", finish=finish), streams=streams, tools=())
    assert result.stop is stop


@BOTH
def test_calls_of_a_refused_reply_are_not_run(streams: bool) -> None:
    body = json.loads(called(*paths("a"), content="Half").content)
    body["choices"][0]["finish_reason"] = "content_filter"
    result, endpoint = ran(httpx.Response(200, json=body), streams=streams)
    assert result.stop is StopReason.REFUSAL
    assert result.report.counters.tool_calls_business == 0
    assert len(endpoint.bodies) == 1


@BOTH
def test_the_prices_of_the_server_are_added_up(streams: bool) -> None:
    usage = {**USAGE, "cost": 0.0015}
    result, _ = ran(
        called(*paths("a"), usage=usage), said("Done.", usage=usage), streams=streams
    )
    assert result.report.cost == Decimal("0.003")


@pytest.mark.row("B9")
def test_a_schema_that_the_server_cannot_hold_is_left_out_once() -> None:
    refused = failing(400, {"message": "unsupported json_schema feature"})
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    result, endpoint = ran(
        refused, said('{"n": 3}'), schema=schema, tools=(), preset="vllm"
    )
    assert result.parsed == {"n": 3}
    assert "response_format" not in endpoint.bodies[1]


@BOTH
def test_a_run_that_is_out_of_calls_is_closed_without_tools(streams: bool) -> None:
    result, endpoint = ran(
        called(*paths("a")),
        called(*paths("b")),
        said("What I have."),
        streams=streams,
        limits=Limits(tick_s=0.02, tool_calls=1),
    )
    assert result.stop is StopReason.TOOL_BUDGET
    assert str(result) == "What I have."
    assert endpoint.bodies[-1]["tool_choice"] == "none"


@BOTH
def test_the_ids_of_a_server_that_counts_anew_do_not_collide(streams: bool) -> None:
    again = [called(("call_0", "read_file", json.dumps({"path": p}))) for p in "abc"]
    result, endpoint = ran(*again, said("All."), streams=streams)
    assert str(result) == "All."
    ids = [
        message["tool_call_id"]
        for message in endpoint.bodies[-1]["messages"]
        if message["role"] == "tool"
    ]
    assert len(set(ids)) == 3


def test_what_a_tool_returns_is_what_the_model_reads() -> None:
    def call(arguments: dict[str, Any]) -> ToolResult:
        return ToolResult("Gr\u00f6\u00dfe \ud83d lone half")

    odd = Tool("odd", "Odd.", {"type": "object"}, call)
    result, endpoint = ran(called(("c1", "odd", "")), said("Seen."), tools=(odd,))
    assert str(result) == "Seen."
    assert endpoint.bodies[1]["messages"][2]["content"].startswith("Größe")
