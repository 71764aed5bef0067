"""Streams: the same message in pieces, and all the ways in which one can fail."""

import json
from typing import Any

import httpx2
import pytest
from anthropic import APIConnectionError, APIStatusError, APITimeoutError

from tests.fakes.model_client import VERSION, ask, outcome, sdk
from tests.fakes.model_server import (
    ModelServer,
    Reply,
    call,
    failure,
    hang_up,
    load,
    names,
    page,
    plain_client,
    say,
    wire,
)
from tests.fakes.model_server.replies import (
    cited,
    hit,
    open_search,
    redacted,
    search,
    thinking,
)
from tests.fakes.model_server.sse import message_of_frames

pytestmark = pytest.mark.filterwarnings("ignore:The model:DeprecationWarning")

SCENARIOS = [load(name) for name in names() if load(name).provider == "anthropic"]
SEARCH = {"type": "web_search_20250305", "name": "web_search"}
WHOLE = [
    exchange
    for scenario in SCENARIOS
    for exchange in scenario.exchanges
    if exchange.reply.status == 200
    and exchange.reply.frames is None
    and exchange.expected["path"] == "/v1/messages"
    # A string as input has no form in a stream.
    and scenario.id != "17_tool_input_is_a_string"
]
STREAMED = [
    exchange
    for scenario in SCENARIOS
    for exchange in scenario.exchanges
    if exchange.reply.frames and "error" not in message_of_frames(exchange.reply.frames)
]


def _without_defaults(message: Any) -> Any:
    """What a message says; the SDK puts in what a stream leaves out."""
    return json.loads(message.to_json(exclude_none=True, exclude_defaults=True))


@pytest.mark.parametrize("exchange", WHOLE, ids=lambda e: e.title)
@pytest.mark.parametrize("piece", [1, 7, 1000])
def test_a_message_is_the_same_in_pieces(exchange: Any, piece: int) -> None:
    reply = exchange.reply.streamed(piece=piece)
    server = ModelServer([exchange.reply, reply])
    server.presuppose(load(exchange.title.split(",")[0]))
    whole = outcome(sdk(server), exchange)
    streamed = outcome(sdk(server), exchange, stream=True)
    assert _without_defaults(streamed) == _without_defaults(whole)


@pytest.mark.parametrize("exchange", STREAMED, ids=lambda e: e.title)
def test_a_recorded_stream_adds_up_as_the_sdk_reads_it(exchange: Any) -> None:
    server = ModelServer([exchange.reply])
    server.presuppose(load(exchange.title.split(",")[0]))
    streamed = outcome(sdk(server), exchange, stream=True)
    ours = message_of_frames(exchange.reply.frames)
    assert _without_nulls(streamed.to_dict(mode="json")) == _without_nulls(ours)


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {k: _without_nulls(v) for k, v in value.items()}
        return {k: v for k, v in kept.items() if v not in (None, [], {})}
    return [_without_nulls(v) for v in value] if isinstance(value, list) else value


ALL_SORTS = say(
    thinking("First the harbour."),
    redacted(),
    "Let me look. ",
    *search("harbour depth", hit("https://a.example/p", "A")),
    cited("It is 4 m.", "https://a.example/p"),
    open_search("tides"),
    call("read_file", path="a", lines=[1, 2]),
    call("list_files"),
    container={"id": "c1", "expires_at": "2026-11-30T20:00:00Z", "skills": None},
)


def test_every_sort_of_block_is_the_same_in_pieces() -> None:
    with wire([ALL_SORTS, ALL_SORTS.streamed(piece=2)], socket=False) as server:
        whole = ask(sdk(server), tools=[SEARCH])
        streamed = ask(sdk(server), tools=[SEARCH], stream=True)
    assert [block.type for block in whole.content] == [
        *("thinking", "redacted_thinking", "text", "server_tool_use"),
        *("web_search_tool_result", "text", "server_tool_use", "tool_use", "tool_use"),
    ]
    assert _without_nulls(streamed.to_dict()["content"]) == _without_nulls(
        whole.to_dict()["content"]
    )
    assert streamed.container.id == "c1"
    assert streamed.usage.server_tool_use.web_search_requests == 1


def test_frames_have_names_and_pings_and_come_one_by_one() -> None:
    with wire([say("Hello!").streamed(piece=3)], socket=False) as server:
        body = {"model": "claude-sonnet-5-5", "max_tokens": 9, "stream": True}
        body["messages"] = [{"role": "user", "content": "x"}]
        url = "http://127.0.0.1/v1/messages"
        with plain_client(server) as client:
            text = client.post(url, json=body, headers=VERSION).text
    names_ = [line[7:] for line in text.splitlines() if line.startswith("event: ")]
    assert names_ == [
        *("message_start", "ping", "content_block_start"),
        *["content_block_delta"] * 2,
        *("content_block_stop", "message_delta", "message_stop"),
    ]


@pytest.fixture(params=[True, False], ids=["socket", "in process"])
def over_socket(request: pytest.FixtureRequest) -> Any:
    """Both ways to reach the server."""
    return request.param


def _raised(reply: Reply, socket: bool, **fields: Any) -> Exception:
    with wire([reply], socket=socket) as server, sdk(server) as client:
        try:
            ask(client, **fields)
        except Exception as error:  # noqa: BLE001, each test says which
            return error
    pytest.fail("nothing was raised")


def test_an_error_on_the_way_has_status_200(over_socket: bool) -> None:
    reply = say("Half an answer").streamed(error_after=4)
    error = _raised(reply, over_socket, stream=True)
    assert isinstance(error, APIStatusError)
    assert (error.status_code, error.type) == (200, "overloaded_error")


def test_a_connection_that_breaks_in_a_stream_is_told(over_socket: bool) -> None:
    reply = say("Half an answer").streamed(cut_after=4)
    assert isinstance(_raised(reply, over_socket, stream=True), httpx2.TransportError)


def test_a_connection_that_breaks_in_a_body_is_told(over_socket: bool) -> None:
    reply = Reply(raw=b'{"id": "msg', cut=True, headers={"x": "y"})
    assert isinstance(_raised(reply, over_socket), APIConnectionError)


def test_a_connection_that_is_closed_at_once_is_told(over_socket: bool) -> None:
    assert isinstance(_raised(hang_up(), over_socket), APIConnectionError)


def test_a_stream_may_just_end(over_socket: bool) -> None:
    reply = say("Half an answer").streamed(end_after=4)
    with wire([reply], socket=over_socket) as server, sdk(server) as client:
        assert ask(client, stream=True).stop_reason is None


def test_a_long_silence_is_a_timeout(over_socket: bool) -> None:
    for stream in (True, False):
        error = _raised(say("x").delayed(5), over_socket, stream=stream, timeout=0.1)
        assert isinstance(error, APITimeoutError)


def test_a_silence_between_two_frames_is_a_timeout(over_socket: bool) -> None:
    reply = say("x").streamed(delay_s=5)
    error = _raised(reply, over_socket, stream=True, timeout=0.1)
    assert isinstance(error, httpx2.ReadTimeout | APITimeoutError)


def test_what_a_proxy_says_is_no_message(over_socket: bool) -> None:
    with wire([page("<html>")], socket=over_socket) as server, sdk(server) as client:
        assert ask(client) == "<html>"


def test_an_error_tells_when_to_come_back() -> None:
    reply = failure(429, retry_after=86_400, error_code="enforced_spend_limit_reached")
    error = _raised(reply, socket=False)
    assert isinstance(error, APIStatusError)
    assert error.response.headers["retry-after"] == "86400"
    assert error.error_code == "enforced_spend_limit_reached"
    assert error.request_id == error.body["request_id"]


@pytest.mark.parametrize("name", ["12_rate_limit_then_ok", "13_overloaded_529"])
def test_the_sdk_asks_again_by_itself(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr("anthropic._base_client.time.sleep", slept.append)
    scenario = load(name)
    with wire(name, socket=False) as server:
        message = outcome(sdk(server, max_retries=2), scenario.exchanges[0])
    assert message.content[0].text == scenario.expect["final_text"]
    assert sum(slept) >= scenario.expect.get("min_wait_s", 0)
