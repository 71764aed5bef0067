"""OpenRouter's routes, reasoning, prices and wrapped errors."""

import json
import logging
from decimal import Decimal
from typing import Any

import httpx
import pytest

from chat.engine import (
    CallResult,
    ConfigurationError,
    ErrorKind,
    Message,
    ModelReply,
    ModelRequest,
    Role,
    Usage,
)
from chat.providers.openai_compatible.routing import Routing
from chat.providers.openai_compatible.search import WebPlugin
from chat.providers.price_usage import BilledUsage
from tests.chat.providers.openai_compatible.endpoint import (
    USAGE,
    ask,
    called,
    delta,
    failing,
    failure_of,
    model_at,
    said,
    streaming,
    whole_of,
)

MANDATORY = "Reasoning is mandatory for this endpoint and cannot be disabled."
OFF = {"enabled": False}
THOUGHT = {
    "type": "reasoning.text",
    "index": 0,
    "text": "Let me look.",
    "signature": "sig",
    "format": "anthropic-claude-v1",
}


def routed(*answers: Any, **options: Any) -> Any:
    return model_at(*answers, preset="openrouter", **options)


def answered(reply: ModelReply, **fields: Any) -> ModelRequest:
    """The request after the reply's calls are answered."""
    results = tuple(CallResult(call.id, call.name, "done") for call in reply.calls)
    said_before = Message(Role.ASSISTANT, reply.text, reply.calls, raw=reply.raw)
    tools = Message(Role.TOOL, results=results)
    return ask(messages=(Message.user("x"), said_before, tools), **fields)


def test_reasoning_is_off_beside_the_plugin_and_the_models_own_elsewhere() -> None:
    for search, reasoning in ((WebPlugin(), OFF), (None, None)):
        model, endpoint = routed(said(), search=search)
        model.complete(ask())
        assert endpoint.bodies[0].get("reasoning") == reasoning


@pytest.mark.parametrize("stream", [False, True])
def test_a_model_that_must_reason_is_asked_once_more_and_never_again_in_vain(
    stream: bool, caplog: pytest.LogCaptureFixture
) -> None:
    answers = [failing(400, {"code": 400, "message": MANDATORY}), said("A"), said("B")]
    model, endpoint = routed(*answers, reasoning=OFF)
    send = model.stream if stream else model.complete
    with caplog.at_level(logging.WARNING):
        replies = [send(ask()) for _ in range(2)]
        texts = [whole_of(each).text if stream else each.text for each in replies]
    assert texts == ["A", "B"]
    assert ["reasoning" in body for body in endpoint.bodies] == [True, False, False]
    assert caplog.text.count("left out of requests from now on") == 1


def test_the_reply_says_what_was_left_out() -> None:
    model, _ = routed(failing(400, {"message": MANDATORY}), said(), reasoning=OFF)
    assert model.complete(ask()).notices == ("without_reasoning",)


def test_the_refusal_may_stand_in_a_200_or_be_wrapped() -> None:
    raw = json.dumps({"error": {"message": "thinking cannot be disabled"}})
    wrapped = {
        "code": 400,
        "message": "Provider returned error",
        "metadata": {"raw": raw, "provider_name": "Anthropic"},
    }
    model, endpoint = routed(failing(200, wrapped), said(), reasoning=OFF)
    assert model.complete(ask()).text == "Hello."
    assert len(endpoint.requests) == 2


def test_only_one_more_try_is_made_and_none_for_other_failures() -> None:
    again = failing(400, {"message": MANDATORY})
    model, endpoint = routed(again, again, said(), reasoning=OFF)
    assert failure_of(model).kind is ErrorKind.INVALID_REQUEST
    assert len(endpoint.requests) == 2
    model, endpoint = routed(failing(429, {"message": MANDATORY}), reasoning=OFF)
    assert failure_of(model).kind is ErrorKind.RATE_LIMITED
    assert len(endpoint.requests) == 1


def test_what_has_been_said_is_not_said_again() -> None:
    late = {"error": {"code": 400, "message": MANDATORY}}
    model, endpoint = routed(streaming(delta(content="A"), late), reasoning=OFF)
    assert failure_of(model, stream=True).kind is ErrorKind.INVALID_REQUEST
    assert len(endpoint.requests) == 1


def test_reasoning_details_are_kept_through_tool_calls() -> None:
    model, endpoint = routed(
        called(("c1", "read", "{}"), reasoning_details=[THOUGHT]), said()
    )
    model.complete(answered(model.complete(ask())))
    assert endpoint.bodies[1]["messages"][1]["reasoning_details"] == [THOUGHT]


def test_reasoning_details_in_pieces_are_joined() -> None:
    open_part = {"type": "reasoning.text", "index": 0, "text": "Let me "}
    more = {"type": "reasoning.text", "index": 0, "text": "look.", "format": None}
    sealed = {**THOUGHT, "text": None}
    hidden = {"type": "reasoning.encrypted", "index": 0, "data": "abc"}
    pieces = [[open_part], [more], [sealed], [hidden], [hidden]]
    call = {"index": 0, "id": "c1", "function": {"name": "read", "arguments": "{}"}}
    model, endpoint = routed(
        streaming(
            *(delta(reasoning_details=each) for each in pieces),
            delta("tool_calls", tool_calls=[call]),
        ),
        said(),
    )
    model.complete(answered(whole_of(model.stream(ask()))))
    sent = endpoint.bodies[1]["messages"][1]["reasoning_details"]
    assert sent == [THOUGHT, hidden, hidden]


@pytest.mark.parametrize(("rewritten", "kept"), [(0, True), (1, True), (2, False)])
def test_thinking_is_dropped_from_messages_that_were_rewritten(
    rewritten: int, kept: bool
) -> None:
    model, endpoint = routed(
        called(("c1", "read", "{}"), reasoning_details=[THOUGHT]), said()
    )
    model.complete(answered(model.complete(ask()), rewritten=rewritten))
    assistant = endpoint.bodies[1]["messages"][1]
    assert ("reasoning_details" in assistant) is kept
    assert assistant["tool_calls"][0]["id"] == "c1"


def test_no_other_server_is_sent_reasoning_details() -> None:
    model, endpoint = model_at(
        called(("c1", "read", "{}"), reasoning_details=[THOUGHT]), said()
    )
    model.complete(answered(model.complete(ask())))
    assert "reasoning_details" not in endpoint.bodies[1]["messages"][1]


def test_a_policy_is_sent_with_every_request() -> None:
    routing = Routing(
        order=["anthropic"],
        allow_fallbacks=False,
        data_collection="deny",
        zdr=True,
        max_price={"prompt": Decimal("2.5")},
        models=["other/model"],
    )
    model, endpoint = routed(said(), routing=routing)
    model.complete(ask())
    assert endpoint.bodies[0]["provider"] == {
        "order": ["anthropic"],
        "allow_fallbacks": False,
        "data_collection": "deny",
        "zdr": True,
        "max_price": {"prompt": 2.5},
    }
    assert endpoint.bodies[0]["models"] == ["other/model"]


@pytest.mark.parametrize("asked", ["a/b:online", "a/c", "A/B"])
def test_a_model_that_is_not_allowed_cannot_be_made(asked: str) -> None:
    routing = Routing(allowed_models={"a/b"})
    with pytest.raises(ConfigurationError, match="not among those"):
        routed(model=asked, routing=routing)
    with pytest.raises(ConfigurationError, match="not among those"):
        routed(model="a/b", routing=Routing(models=[asked], allowed_models={"a/b"}))


RAW = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}


@pytest.mark.row("A9")
@pytest.mark.parametrize("raw", [json.dumps(RAW), RAW])
@pytest.mark.parametrize("status", [200, 502])
def test_a_wrapped_error_is_unwrapped(raw: Any, status: int) -> None:
    metadata = {"raw": raw, "provider_name": "Anthropic"}
    error = {"code": 502, "message": "Provider returned error", "metadata": metadata}
    model, _ = routed(failing(status, error))
    failure = failure_of(model)
    assert failure.kind is ErrorKind.OVERLOADED
    assert failure.message == "HTTP 502: Anthropic: Overloaded (overloaded_error)"


@pytest.mark.row("A9")
@pytest.mark.parametrize("raw", ["upstream connect error", '{"detail": "no route"}'])
def test_a_wrapped_text_is_shown_as_it_is(raw: str) -> None:
    error = {
        "code": 502,
        "message": "Provider returned error",
        "metadata": {"raw": raw},
    }
    model, _ = routed(failing(200, error))
    assert failure_of(model).message in (
        "HTTP 502: upstream connect error",
        "HTTP 502: no route",
    )


def test_an_overflow_is_found_inside_a_wrapped_error() -> None:
    words = "prompt is too long: 210000 tokens > 200000 maximum"
    raw = json.dumps({"error": {"type": "invalid_request_error", "message": words}})
    error = {
        "code": 400,
        "message": "Provider returned error",
        "metadata": {"raw": raw},
    }
    model, _ = routed(failing(400, error))
    failure = failure_of(model)
    assert failure.kind is ErrorKind.CONTEXT_OVERFLOW
    assert failure.facts["limit"] == 200_000


@pytest.mark.row("A9")
def test_an_error_in_a_choice_is_a_failure_though_text_came_with_it() -> None:
    body = json.loads(said("Half an ans").content)
    body["choices"][0]["error"] = {"code": 429, "message": "Slower."}
    model, _ = routed(httpx.Response(200, json=body))
    assert failure_of(model).kind is ErrorKind.RATE_LIMITED


def test_a_price_in_the_last_frame_is_the_price() -> None:
    last = {"choices": [], "usage": {**USAGE, "cost": 0.012}}
    model, endpoint = routed(streaming(delta("stop", content="x"), last))
    usage = whole_of(model.stream(ask())).usage
    assert usage is not None
    assert model.price(usage) == Decimal("0.012")
    assert "stream_options" not in endpoint.bodies[0]


def test_without_a_price_of_the_server_the_list_is_asked() -> None:
    model, _ = routed(said(), model="anthropic/claude-sonnet-5.5")
    usage = model.complete(ask()).usage
    assert usage is not None
    assert model.price(usage) == Decimal("0.00004")


def test_of_several_models_the_list_prices_none_and_bounds_the_dearest() -> None:
    """The second may answer in place of the first; only the server knows the price."""
    cheap, dear = "claude-haiku-5-5", "claude-opus-5-5"
    several = routed(model=cheap, routing=Routing(models=[dear]))[0]
    request = ask(max_output_tokens=100)
    assert several.price(Usage(1000, 100)) is None
    assert several.price(BilledUsage(1000, 100, cost=Decimal(1))) == 1
    assert several.estimate(request) == routed(model=dear)[0].estimate(request)
    unknown = routed(model=cheap, routing=Routing(models=["other/model"]))[0]
    assert unknown.estimate(request) is None


def test_an_estimate_is_no_less_than_the_price() -> None:
    request = ask("word " * 400, max_output_tokens=1000)
    model, _ = routed(model="anthropic/claude-sonnet-5.5")
    estimate = model.estimate(request)
    assert estimate is not None
    assert estimate >= Decimal("0.01") + Decimal("0.0008")
    assert model.estimate(ask()) is None
