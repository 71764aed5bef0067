"""The server as a chat endpoint: scenarios of OpenRouter, rules, streams, dialects."""

import json
from typing import Any

import pytest

from tests.fakes.model_client import HELLO, chat
from tests.fakes.model_server import ModelServer, load, names, wire
from tests.fakes.model_server.chat.dialects import LLAMA_CPP, OLLAMA, OPENAI, OPENROUTER
from tests.fakes.model_server.chat.replies import (
    chat as said,
)
from tests.fakes.model_server.chat.replies import (
    chat_failure,
    inside_200,
    tool,
    url_citation,
)
from tests.fakes.model_server.chat.stream import completion_of_frames
from tests.fakes.model_server.sse import frames_of_file

SCENARIOS = [name for name in names() if load(name).provider == "openrouter"]
MODEL = "anthropic/claude-sonnet-5.5"
CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
ASKED = {"role": "assistant", "content": None, "tool_calls": [CALL]}
ANSWER = {"role": "tool", "tool_call_id": "c1", "content": "1"}
FUNCTION = {"type": "function", "function": {"name": "f", "parameters": {}}}


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize("socket", [True, False], ids=["socket", "in process"])
def test_a_scenario_is_played_as_written(name: str, socket: bool) -> None:
    with wire(name, socket=socket) as server:
        for exchange in load(name).exchanges:
            came = chat(server, exchange.expected["body"])
            assert came.status_code == exchange.reply.status
            if exchange.reply.frames is None:
                assert came.json() == exchange.reply.body
            else:
                written = b"".join(frame.data for frame in exchange.reply.frames)
                assert came.content == written


def test_a_streamed_scenario_can_be_asked_whole() -> None:
    with wire("29_openrouter_stream", socket=False) as server:
        body = load("29_openrouter_stream").exchanges[0].expected["body"]
        message = chat(server, {**body, "stream": False}).json()["choices"][0][
            "message"
        ]
    assert message["content"] == "Sales rose 4 %."
    assert message["annotations"][0]["url_citation"]["end_index"] == 15


def _body(**fields: Any) -> dict[str, Any]:
    return {"model": MODEL, "messages": HELLO, **fields}


def _with(*messages: Any, **fields: Any) -> dict[str, Any]:
    return _body(messages=[*HELLO, *messages], tools=[FUNCTION], **fields)


def _changed(**function: Any) -> dict[str, Any]:
    return {**ASKED, "tool_calls": [{**CALL, "function": {"name": "f", **function}}]}


ACCEPTED = [
    _body(),
    _with(ASKED, ANSWER),
    _with(ASKED, ANSWER, {"role": "assistant", "content": "1"}, *HELLO),
    _with(_changed(arguments='{"broken'), ANSWER),
    _body(plugins=[{"id": "web", "max_results": 25, "engine": "exa"}]),
    _body(tools=[{"type": "openrouter:web_search", "parameters": {"max_results": 3}}]),
    _body(reasoning={"enabled": False}, provider={"zdr": True}),
]
REFUSED = [
    (_body(messages=[]), "empty array"),
    (_body(model=""), "you must provide a model"),
    (_body(messages=[{"role": "robot", "content": "x"}]), "Invalid value: 'robot'"),
    (_with(ASKED), "did not have response messages: c1"),
    (_with(ASKED, *HELLO), "did not have response messages: c1"),
    (_with(ANSWER), "must be a response to a preceeding message"),
    (_with(ASKED, ANSWER, ANSWER), "must be a response to a preceeding message"),
    (_with(_changed(arguments={}), ANSWER), "expected a string, but got an object"),
    (_body(tool_choice="auto"), "only allowed when 'tools' are specified"),
    (_with(tool_choice={"function": {"name": "g"}}), "no tool named 'g'"),
    (_body(plugins=[{"id": "web", "max_results": 26}]), "between 1 and 25"),
    (_body(plugins=[{"id": "web", "engine": "auto"}]), "auto is not an engine"),
    (
        _body(reasoning={"enabled": False}, model="anthropic/claude-opus-5.5"),
        "Reasoning is mandatory",
    ),
    (_body(stream_options={"include_usage": True}), "only allowed when 'stream'"),
]


@pytest.mark.parametrize("body", ACCEPTED)
def test_good_chats_are_accepted(body: dict[str, Any]) -> None:
    with wire([said("1")], socket=False) as server:
        assert chat(server, body).status_code == 200


@pytest.mark.parametrize(("body", "text"), REFUSED)
def test_bad_chats_are_refused(body: dict[str, Any], text: str) -> None:
    came = chat(ModelServer([said("1")]), body)
    assert came.status_code == 400
    assert text in came.json()["error"]["message"]


def test_each_dialect_has_its_own_ways() -> None:
    mapped = _with(_changed(arguments={"a": 1}), ANSWER)
    broken = _with(_changed(arguments="{"), ANSWER)
    routed = _body(provider={"order": ["x"]}, max_tokens=5)
    outcomes = [
        chat(ModelServer([said("1")], dialect=dialect), body).status_code
        for dialect in (OPENROUTER, OPENAI, OLLAMA, LLAMA_CPP)
        for body in (mapped, broken, routed)
    ]
    assert outcomes == [
        *(400, 200, 200),  # OpenRouter
        *(400, 200, 400),  # OpenAI
        *(200, 400, 400),  # Ollama
        *(400, 400, 400),  # llama.cpp
    ]


def test_a_local_server_wants_no_key_and_writes_arguments_as_objects() -> None:
    with wire([said(None, tool("f", a=1))], socket=False, dialect=OLLAMA) as server:
        message = chat(server, _body(), key="").json()["choices"][0]["message"]
    assert message["tool_calls"][0]["function"]["arguments"] == {"a": 1}


@pytest.mark.parametrize("key", ["", "sk-or-other"])
def test_a_wrong_key_is_refused(key: str) -> None:
    assert chat(ModelServer(()), _body(), key=key).status_code == 401


def test_a_completion_is_the_same_in_pieces() -> None:
    cited = url_citation("https://a.example/p", 0, 4, title="A")
    reply = said("Four.", tool("f", a=1), tool("g"), annotations=[cited])
    with wire([reply, reply.streamed(piece=3)], socket=False) as server:
        whole = chat(server, _body()).json()
        pieces = chat(server, _body(stream=True)).text
    assert pieces.startswith(": OPENROUTER PROCESSING")
    rebuilt = completion_of_frames(frames_of_file(pieces))
    assert rebuilt["choices"] == whole["choices"]
    assert rebuilt["usage"]["cost"] == whole["usage"]["cost"]


def test_errors_come_with_a_status_or_inside_a_200() -> None:
    script = [
        chat_failure(429, retry_after=2),
        inside_200(502, raw='{"error":"x"}', provider_name="A"),
        said("Half an answer").streamed(error_after=2),
    ]
    with wire(script, socket=False) as server:
        limited = chat(server, _body())
        wrapped = chat(server, _body())
        streamed = chat(server, _body(stream=True)).text
    assert (limited.status_code, limited.headers["retry-after"]) == (429, "2")
    assert wrapped.json()["error"]["metadata"]["provider_name"] == "A"
    last = json.loads(streamed.strip().split("data: ")[-1])
    assert last["choices"][0]["finish_reason"] == "error"


def test_what_a_generation_cost_can_be_asked() -> None:
    with wire([said("Hello!")], socket=False) as server:
        name = chat(server, _body()).json()["id"]
        found = server.handle("GET", f"/api/v1/generation?id={name}", {}, b"")
        other = server.handle("GET", "/api/v1/generation?id=gen-0", {}, b"")
    assert (found.json["data"]["total_cost"], other.status) == (0.001, 404)
