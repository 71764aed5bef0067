"""Every failure of an OpenAI-compatible endpoint has a kind and says what it is."""

import logging
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from time import time
from typing import Any

import httpx
import pytest

from chat.engine import ErrorHead, ErrorKind, Message, Task, execute
from chat.providers.openai_compatible.errors import failed
from tests.chat.providers.openai_compatible.endpoint import (
    KEY,
    ask,
    failing,
    failure_of,
    model_at,
)

K = ErrorKind


def kind_of(status: int, error: Any) -> ErrorKind:
    model, _ = model_at(failing(status, error))
    return failure_of(model).kind


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, K.INVALID_REQUEST),
        (401, K.AUTHENTICATION),
        (402, K.SPEND_CAP),
        (403, K.AUTHENTICATION),
        (404, K.INVALID_REQUEST),
        (408, K.TIMEOUT),
        (413, K.CONTEXT_OVERFLOW),
        (422, K.INVALID_REQUEST),
        (429, K.RATE_LIMITED),
        (500, K.UNAVAILABLE),
        (502, K.UNAVAILABLE),
        (503, K.OVERLOADED),
        (504, K.UNAVAILABLE),
        (524, K.UNAVAILABLE),
        (529, K.OVERLOADED),
    ],
)
def test_each_status_has_its_kind_as_status_and_as_code_in_a_200(
    status: int, kind: ErrorKind
) -> None:
    assert kind_of(status, {"message": "So it is.", "code": status}) is kind
    assert kind_of(200, {"message": "So it is.", "code": status}) is kind
    assert kind_of(200, {"message": "So it is.", "code": str(status)}) is kind


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (429, {"code": "insufficient_quota", "message": "You exceeded"}, K.SPEND_CAP),
        (400, {"message": "Your credit balance is too low to access"}, K.SPEND_CAP),
        (403, {"message": "Key limit exceeded (total limit)."}, K.SPEND_CAP),
        (403, {"message": "m", "metadata": {"reasons": ["x"]}}, K.INVALID_REQUEST),
        (403, {"message": "Your input was flagged"}, K.INVALID_REQUEST),
        (200, {"message": "m", "type": "overloaded_error"}, K.OVERLOADED),
        (200, {"message": "m", "code": "rate_limit_exceeded"}, K.RATE_LIMITED),
        (200, {"message": "m", "type": "invalid_request_error"}, K.INVALID_REQUEST),
        (401, {"message": "m", "type": "invalid_request_error"}, K.AUTHENTICATION),
        (503, {"message": "Loading model", "type": "unavailable_error"}, K.OVERLOADED),
        (200, {"message": "m", "type": "billing_error"}, K.SPEND_CAP),
        (200, {"message": "m", "type": "permission_error"}, K.AUTHENTICATION),
        (200, {"message": "nobody knows"}, K.UNAVAILABLE),
        (200, "nobody knows", K.UNAVAILABLE),
    ],
)
def test_codes_and_words_refine_the_kind(
    status: int, error: Any, kind: ErrorKind
) -> None:
    assert kind_of(status, error) is kind


@pytest.mark.parametrize("error", [{"message": "m", "code": 429}, {"message": "m"}])
def test_an_account_without_money_is_asked_once(error: Any) -> None:
    model, endpoint = model_at(failing(402, error))
    result = execute(model, Task("x"))
    assert result.stop == "provider_unavailable"
    assert result.detail.startswith("spend_cap: HTTP ")
    assert len(endpoint.requests) == 1


def test_the_errors_own_code_goes_before_the_status() -> None:
    assert kind_of(502, {"message": "m", "code": 429}) is K.RATE_LIMITED
    assert kind_of(400, {"message": "m", "code": "model_not_found"}) is (
        K.INVALID_REQUEST
    )


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"error": {"message": "The model is gone."}}, "The model is gone."),
        ({"error": "model 'x' not found"}, "model 'x' not found"),
        ({"object": "error", "message": "Too odd."}, "Too odd."),
        ({"detail": "Not here."}, "Not here."),
        ({"detail": [{"loc": ["body", "n"], "msg": "too big"}]}, "body.n: too big"),
        ([{"error": {"message": "In a list."}}], "In a list."),
        ({"message": "Bare."}, "Bare."),
        ({}, "no reason given"),
    ],
)
def test_errors_are_read_in_every_shape(body: Any, words: str) -> None:
    model, _ = model_at(httpx.Response(404, json=body))
    assert failure_of(model).message.startswith(f"HTTP 404: {words}")


OVERFLOWS = [
    (
        (
            "This model's maximum context length is 8192 tokens. However, you "
            "requested 9000 tokens (8000 in the messages, 1000 in the completion)."
        ),
        (8_000, 8_192),
    ),
    (
        (
            "This model's maximum context length is 128000 tokens. However, your "
            "messages resulted in 130500 tokens."
        ),
        (130_500, 128_000),
    ),
    (
        (
            "This endpoint's maximum context length is 32768 tokens. However, you "
            "requested about 40000 tokens (39000 of text input, 1000 in the "
            "output)."
        ),
        (39_000, 32_768),
    ),
    (
        (
            "This model's maximum context length is 4096 tokens and your request "
            "has 5000 input tokens."
        ),
        (5_000, 4_096),
    ),
    (
        "prompt is too long: 210000 tokens > 200000 maximum",
        (210_000, 200_000),
    ),
    (
        ("input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000"),
        (190_000, 200_000),
    ),
    (
        (
            "The input token count (1100000) exceeds the maximum number of tokens "
            "allowed (1048576)."
        ),
        (1_100_000, 1_048_576),
    ),
    (
        (
            "request (5000 tokens) exceeds the available context size (4096 "
            "tokens), try increasing it"
        ),
        (5_000, 4_096),
    ),
    (
        (
            "Trying to keep the first 5000 tokens when context the overflows. "
            "However, the model is loaded with context length of only 4096 tokens"
        ),
        (5_000, 4_096),
    ),
]


@pytest.mark.parametrize(("words", "figures"), OVERFLOWS)
def test_a_prompt_that_is_too_long_is_told_with_its_figures(
    words: str, figures: tuple[int, int]
) -> None:
    model, _ = model_at(failing(400, {"message": words, "code": 400}))
    failure = failure_of(model)
    assert failure.kind is K.CONTEXT_OVERFLOW
    assert (failure.facts["prompt_tokens"], failure.facts["limit"]) == figures


def test_figures_beside_the_message_are_read_too() -> None:
    error = {"code": 400, "type": "exceed_context_size_error", "message": "too much"}
    model, _ = model_at(failing(400, {**error, "n_prompt_tokens": 70, "n_ctx": 64}))
    failure = failure_of(model)
    assert failure.kind is K.CONTEXT_OVERFLOW
    assert (failure.facts["prompt_tokens"], failure.facts["limit"]) == (70, 64)


def test_other_refusals_are_no_overflow() -> None:
    for words in ("max_tokens is too large: 5000", "Unknown parameter: context"):
        assert kind_of(400, {"message": words}) is K.INVALID_REQUEST
    assert kind_of(500, {"message": "context deadline exceeded"}) is K.UNAVAILABLE


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "86400"}, 86_400.0),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({}, None),
    ],
)
def test_the_wait_that_a_server_asks_for_is_kept(
    headers: dict[str, str], seconds: float | None
) -> None:
    model, _ = model_at(failing(429, {"message": "Slower."}, headers))
    assert failure_of(model).facts.get("retry_after_s") == seconds


def test_a_wait_may_be_a_date() -> None:
    until = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    wait = failed({"message": "m"}, 429, {"Retry-After": until}).facts["retry_after_s"]
    assert 80 < wait <= 90


def test_a_wait_may_stand_in_the_headers_that_are_passed_on() -> None:
    reset = str(int((time() + 90) * 1000))
    metadata = {"headers": {"X-RateLimit-Reset": reset}}
    wait = failed({"message": "m", "metadata": metadata}, 429).facts["retry_after_s"]
    assert 80 < wait <= 90


@pytest.mark.parametrize("status", [200, 502])
def test_a_page_in_place_of_an_answer_is_named_by_its_title(status: int) -> None:
    page = "<!DOCTYPE html><html><head><title> Bad gateway </title></head></html>"
    headers = {"content-type": "text/html"}
    model, _ = model_at(httpx.Response(status, headers=headers, text=page))
    failure = failure_of(model)
    assert failure.kind is K.UNAVAILABLE
    assert "HTML page titled 'Bad gateway'" in failure.message


@pytest.mark.parametrize(
    "body", ["", "not JSON", '"text"', '{"choices": [', "[" * 9999]
)
def test_an_answer_that_is_no_json_is_a_clear_failure(body: str) -> None:
    model, _ = model_at(httpx.Response(200, text=body))
    assert failure_of(model).kind is K.UNAVAILABLE


@pytest.mark.row("A9")
def test_the_head_of_an_error_is_logged_with_its_request(
    caplog: pytest.LogCaptureFixture,
) -> None:
    error = {"message": "No such model.", "code": "model_not_found", "type": "bad"}
    model, _ = model_at(failing(404, error, {"x-request-id": "req_7"}))
    with caplog.at_level(logging.WARNING):
        failure = failure_of(model)
    told = "HTTP 404: No such model. (model_not_found bad; request req_7)"
    assert failure.message == told
    assert failure.head == ErrorHead(404, "bad", "model_not_found", "req_7")
    assert told in caplog.text


SECRET = "the merger with Example Corp is announced on Monday"


@pytest.mark.row("A9")
@pytest.mark.parametrize(
    "words",
    [
        f"Invalid key {KEY}",
        f"Incorrect API key provided: {KEY[:12]}***",
        f"Authorization: Bearer {KEY} refused",
        f"Could not read: {SECRET}",
        f"Could not read: {SECRET[:30]}",
        f"Could not read:   {SECRET.replace(' ', chr(10))}",
        f"{'x' * 370} {SECRET}",
        "The message swordfish is refused",
        f"system said {SECRET.upper()} x".lower(),
    ],
)
@pytest.mark.parametrize("stream", [False, True])
def test_neither_key_nor_prompt_is_shown_or_logged(
    words: str, stream: bool, caplog: pytest.LogCaptureFixture
) -> None:
    messages = (Message.user("swordfish"), Message.user(f"Know that {SECRET}."))
    model, _ = model_at(failing(400, {"message": words}))
    asked = ask(messages=messages, system=SECRET.lower())
    shown = failure_of(model, asked, stream=stream).message + caplog.text
    shown = " ".join(shown.split())
    assert not any(KEY[n : n + 9] in shown for n in range(len(KEY) - 9))
    assert not any(SECRET[n : n + 17] in shown for n in range(len(SECRET) - 17))
    assert "swordfish" not in shown


@pytest.mark.row("A9")
def test_no_key_is_shown_whatever_it_looks_like_and_whosever_it_is() -> None:
    key = "a1B2c3D4e5F6g7H8"
    words = f"{key[3:14]} and Bearer upstream-secret and sk-live-0123456789"
    model, _ = model_at(failing(401, {"message": words}), api_key=key)
    message = failure_of(model).message
    assert message.startswith("HTTP 401: [key] and [key] and [key]")


@pytest.mark.row("A9")
def test_the_input_that_a_validator_quotes_is_not_shown() -> None:
    detail = [{"loc": ["body"], "msg": "bad", "input": {"short": "pin 42"}}]
    model, _ = model_at(httpx.Response(422, json={"detail": detail}))
    assert "pin 42" not in failure_of(model).message


@pytest.mark.row("A9")
def test_a_head_is_short_and_on_one_line() -> None:
    model, _ = model_at(failing(500, {"message": "line\n\x1b[31m" * 1000}))
    message = failure_of(model).message
    assert len(message) <= 400
    assert message.isprintable()
