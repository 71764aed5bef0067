"""What a whole answer of an OpenAI-compatible endpoint becomes."""

import json
from typing import Any

import httpx
import pytest

from chat.engine import ReplyStop, Usage
from tests.chat.providers.openai_compatible.endpoint import (
    ask,
    called,
    completion,
    failure_of,
    model_at,
    said,
)


def reply_to(answer: httpx.Response, **options: Any) -> Any:
    model, _ = model_at(answer, **options)
    return model.complete(ask())


def test_a_text_is_a_whole_answer() -> None:
    reply = reply_to(said("Hello."))
    assert (reply.text, reply.stop, reply.calls) == ("Hello.", ReplyStop.END_TURN, ())


@pytest.mark.parametrize(
    ("finish", "stop"),
    [
        ("stop", ReplyStop.END_TURN),
        ("length", ReplyStop.MAX_TOKENS),
        ("content_filter", ReplyStop.REFUSAL),
        (None, ReplyStop.END_TURN),
    ],
)
def test_each_finish_reason_has_its_stop(finish: str | None, stop: ReplyStop) -> None:
    assert reply_to(said("Half", finish=finish)).stop == stop


def test_an_unlisted_finish_reason_ends_the_turn_and_is_noticed() -> None:
    reply = reply_to(said("Hello.", finish="eos"))
    assert reply.stop is ReplyStop.END_TURN
    assert reply.notices == ("unknown_finish_reason",)


def test_calls_count_whatever_the_finish_reason_says() -> None:
    body = json.loads(called(("c1", "read", "{}")).content)
    body["choices"][0]["finish_reason"] = "stop"
    assert reply_to(httpx.Response(200, json=body)).stop is ReplyStop.TOOL_USE


def test_a_reply_cut_inside_a_call_stays_cut() -> None:
    body = json.loads(called(("c1", "read", '{"pa')).content)
    body["choices"][0]["finish_reason"] = "length"
    reply = reply_to(httpx.Response(200, json=body))
    assert reply.stop is ReplyStop.MAX_TOKENS
    assert reply.calls[0].arguments == '{"pa'


@pytest.mark.row("A10")
@pytest.mark.parametrize("content", [None, "", [], {}])
def test_empty_content_is_no_text(content: Any) -> None:
    assert reply_to(said(content)).text == ""


@pytest.mark.row("A10")
def test_content_in_parts_is_read_by_type_whatever_the_order_of_keys() -> None:
    parts = [{"type": "text", "text": "Hel"}, {"text": "lo.", "type": "text"}]
    assert reply_to(said(parts)).text == "Hello."


def test_a_refusal_is_told_in_the_models_own_words() -> None:
    reply = reply_to(said(None, refusal="I will not."))
    assert (reply.stop, reply.detail) == (ReplyStop.REFUSAL, "I will not.")


def test_broken_arguments_stay_text() -> None:
    reply = reply_to(called(("c1", "read", '{"path":"b"'), ("c2", "read", "[1]")))
    assert [call.arguments for call in reply.calls] == ['{"path":"b"', "[1]"]


@pytest.mark.parametrize("nothing", ["", "  ", None, "{}", {}])
def test_no_arguments_are_an_empty_object(nothing: Any) -> None:
    assert reply_to(called(("c1", "read", nothing))).calls[0].arguments == {}


def test_a_call_without_a_function_around_it_is_read() -> None:
    flat = [{"id": "c1", "name": "read", "arguments": {"path": "a"}}]
    [call] = reply_to(said(None, tool_calls=flat)).calls
    assert (call.name, call.arguments) == ("read", {"path": "a"})


def test_cached_tokens_are_a_part_of_the_prompt() -> None:
    details = {"cached_tokens": 60, "cache_write_tokens": 30}
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 5,
        "prompt_tokens_details": details,
    }
    counted = reply_to(said(usage=usage)).usage
    assert (counted.input_tokens, counted.cache_read_tokens) == (10, 60)
    assert (counted.cache_write_tokens, counted.prompt_tokens) == (30, 100)


@pytest.mark.parametrize(
    "usage",
    [None, {}, [], {"prompt_tokens": 5}, {"prompt_tokens": -1, "completion_tokens": 1}],
)
def test_usage_that_tells_nothing_is_unknown(usage: Any) -> None:
    assert reply_to(said(usage=usage)).usage is None


def test_a_price_that_the_server_names_goes_first() -> None:
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "cost": 0.0165}
    model, _ = model_at(said(usage=usage))
    counted = model.complete(ask()).usage
    assert counted is not None
    assert str(model.price(counted)) == "0.0165"
    assert model.price(Usage(1, 1)) is None


def test_the_providers_part_is_added_where_the_key_is_ones_own() -> None:
    usage: dict[str, Any] = {"prompt_tokens": 1, "completion_tokens": 1, "cost": 0.001}
    usage |= {"is_byok": True, "cost_details": {"upstream_inference_cost": 0.02}}
    model, _ = model_at(said(usage=usage))
    counted = model.complete(ask()).usage
    assert counted is not None
    assert str(model.price(counted)) == "0.021"


@pytest.mark.parametrize("body", [{}, {"choices": []}, {"choices": [3]}])
def test_a_body_without_a_choice_is_no_answer(body: Any) -> None:
    model, _ = model_at(httpx.Response(200, json=body))
    assert "no choice" in failure_of(model).message


@pytest.mark.parametrize("odd", [3, "x", [], {"function": 3}, None])
def test_odd_parts_read_as_absent(odd: Any) -> None:
    body = completion(3, tool_calls=odd, annotations=[odd], refusal=[odd])
    assert reply_to(httpx.Response(200, json=body)).text == ""
