"""Failures of the Messages API that were paid for, and what they say of themselves."""

import json
import logging
from decimal import Decimal
from typing import Any

import httpx2
import pytest

from chat.engine import (
    ErrorHead,
    ErrorKind,
    Limits,
    ModelError,
    ModelFailed,
    Task,
    Usage,
    run,
)
from chat.providers.anthropic import AnthropicModel
from chat.providers.anthropic.stream import Assembler
from tests.chat.engine.toolbox import result_of
from tests.chat.providers.anthropic.wire import MODEL, ask, talking
from tests.fakes.model_server import KEY, Reply, failure, hang_up, page, say

pytestmark = pytest.mark.row("A9")

COUNTS = {
    "input_tokens": 1_000,
    "output_tokens": 60,
    "cache_read_input_tokens": 500,
    "cache_creation_input_tokens": 30,
    "cache_creation": {
        "ephemeral_5m_input_tokens": 10,
        "ephemeral_1h_input_tokens": 20,
    },
}
# What a stream has told when it begins: all of the prompt, and one token of the answer.
BEGUN = Usage(1_000, 1, 500, 30, 20)
WHOLE = Usage(1_000, 60, 500, 30, 20)
HEADERS = {"request-id": "req_7"}
LONG = say("word " * 9, usage=COUNTS)


def failed(*script: Reply, stream: bool = False) -> ModelError:
    with talking(script) as (model, _), pytest.raises(ModelError) as raised:
        list(model.stream(ask())) if stream else model.complete(ask())
    return raised.value


def answered(
    body: Any, *, stream: bool = False, request: Any = None, **headers: str
) -> ModelError:
    """The failure that an answer with status 200 and this JSON ends in."""
    kind = {"content-type": "application/json"}
    text = json.dumps(body).encode()
    answer = httpx2.Response(200, content=text, headers={**kind, **HEADERS, **headers})
    client = httpx2.Client(transport=httpx2.MockTransport(lambda _: answer))
    model = AnthropicModel(MODEL, api_key=KEY, http_client=client)
    asked = request or ask()
    with pytest.raises(ModelError) as raised:
        list(model.stream(asked)) if stream else model.complete(asked)
    return raised.value


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("reply", "head"),
    [
        (failure(529), (529, "overloaded_error", "")),
        (failure(402), (402, "billing_error", "")),
        (
            failure(429, error_code="enforced_spend_limit_reached"),
            (429, "rate_limit_error", "enforced_spend_limit_reached"),
        ),
    ],
)
def test_an_error_says_status_type_code_and_request(
    reply: Reply, head: tuple[int, str, str], stream: bool
) -> None:
    error = failed(reply, stream=stream)
    assert error.head is not None
    assert (error.head.status, error.head.type, error.head.code) == head
    assert error.head.request_id.startswith("req_")
    assert error.usage is None


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("status", [200, 502])
def test_of_a_proxys_page_only_the_status_is_told(status: int, stream: bool) -> None:
    error = failed(page("<html>Sign in</html>", status), stream=stream)
    assert error.head == ErrorHead(status)


def test_a_request_that_nobody_answered_has_no_head() -> None:
    error = failed(hang_up())
    assert (error.head, error.usage) == (None, None)


@pytest.mark.parametrize("end", ["cut_after", "end_after"])
@pytest.mark.parametrize("frames", range(1, 5))
def test_a_stream_that_breaks_off_tells_what_it_had_counted(
    end: str, frames: int
) -> None:
    error = failed(LONG.streamed(**{end: frames}), stream=True)
    assert error.usage == BEGUN
    assert error.head is not None
    assert (error.head.status, bool(error.head.request_id)) == (200, True)


def test_a_stream_that_breaks_off_before_it_began_tells_nothing() -> None:
    error = failed(LONG.streamed(end_after=0), stream=True)
    assert error.usage is None


def test_an_error_within_a_stream_says_what_it_is_and_is_not_billed() -> None:
    error = failed(LONG.streamed(error_after=3), stream=True)
    assert error.head is not None
    assert (error.head.status, error.head.type) == (200, "overloaded_error")
    assert (error.kind, error.usage) == (ErrorKind.OVERLOADED, None)


def test_a_stream_that_lacks_only_its_end_tells_the_last_count() -> None:
    ping, start, parts, stop = 1, 1, 3, 1
    frames = start + ping + 1 + parts + stop + 1
    assert failed(LONG.streamed(end_after=frames), stream=True).usage == WHOLE


def test_an_event_that_cannot_be_read_does_not_lose_what_was_counted() -> None:
    events = (
        {"type": "message_start", "message": {"usage": COUNTS}},
        {"type": "content_block_delta", "index": 9, "delta": {"type": "text_delta"}},
    )
    body = "".join(f"event: x\ndata: {json.dumps(each)}\n\n" for each in events)
    headers = {"content-type": "text/event-stream", **HEADERS}
    answer = httpx2.Response(200, text=body, headers=headers)
    client = httpx2.Client(transport=httpx2.MockTransport(lambda _: answer))
    model = AnthropicModel(MODEL, api_key=KEY, http_client=client)
    with pytest.raises(ModelError, match="cannot be read") as raised:
        list(model.stream(ask()))
    assert raised.value.usage == WHOLE
    assert raised.value.head == ErrorHead(200, request_id="req_7")


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    "body",
    [
        {"type": "message", "content": None, "usage": COUNTS},
        {"usage": COUNTS},
        {"error": {"type": "api_error", "message": "Broken."}, "usage": COUNTS},
    ],
)
def test_an_answer_that_cannot_be_read_tells_what_it_counted(
    body: Any, stream: bool
) -> None:
    error = answered(body, stream=stream)
    assert (error.kind, error.usage) == (ErrorKind.UNAVAILABLE, WHOLE)
    assert error.head is not None
    assert (error.head.status, error.head.request_id) == (200, "req_7")


def test_a_window_that_was_full_at_once_was_paid_for() -> None:
    full = {"type": "message", "content": [], "usage": COUNTS}
    error = answered({**full, "stop_reason": "model_context_window_exceeded"})
    assert (error.kind, error.usage) == (ErrorKind.CONTEXT_OVERFLOW, WHOLE)


def test_json_that_is_none_was_paid_for() -> None:
    content = [{"type": "text", "text": "{"}]
    body = {"content": content, "stop_reason": "end_turn", "usage": COUNTS}
    schema = {"type": "object", "properties": {}, "additionalProperties": False}
    error = answered(body, request=ask(output_schema=schema))
    assert (error.kind, error.usage) == (ErrorKind.UNPARSEABLE, WHOLE)


def test_counts_without_sense_are_unknown() -> None:
    body = {"content": None, "usage": {**COUNTS, "cache_creation_input_tokens": 31}}
    assert answered(body).usage is None


def test_a_sum_that_grows_in_a_stream_is_not_held_against_its_first_parts() -> None:
    assembler = Assembler()
    assembler.take({"type": "message_start", "message": {"usage": COUNTS}})
    grown = {"output_tokens": 70, "cache_creation_input_tokens": 90}
    assembler.take({"type": "message_delta", "delta": {}, "usage": grown})
    told = {name: COUNTS[name] for name in COUNTS if name != "cache_creation"}
    assert assembler.counts == {**told, **grown}


@pytest.mark.parametrize("odd", [{"a": 1}, ["x"], 7, None, "\ud800"])
def test_words_of_an_error_that_are_no_words_change_nothing(odd: Any) -> None:
    error = {"type": odd, "message": odd, "details": {"error_code": odd}}
    for body in ({"error": error}, {"error": error, "request_id": odd}):
        assert answered(body).kind is ErrorKind.UNAVAILABLE


@pytest.mark.parametrize("name", ["type", "error_code", "request_id"])
def test_no_part_of_a_head_shows_the_key_or_the_prompt(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    secret = "What is the secret of the harbour?"
    for words in (f"k_{KEY}", f"q {secret}", KEY[:12], secret[3:25]):
        told = {"type": "x", "error_code": "x", "request_id": "x", name: words}
        error = {"type": told["type"], "message": "No."}
        body = {
            "error": {**error, "details": {"error_code": told["error_code"]}},
            "request_id": told["request_id"],
        }
        headers = {"request-id": ""}
        failure = answered(body, request=ask(secret), **headers)
        shown = f"{failure.head}{failure.message}{caplog.text}"
        assert "[key]" in shown or "[prompt]" in shown
        assert KEY[:9] not in shown
        assert "the secret of the" not in shown
        assert KEY[3:12] not in shown


def test_a_run_pays_for_the_streams_that_broke_to_the_cent() -> None:
    script = [LONG.streamed(end_after=4), LONG]
    with talking(script, stream=True) as (model, _):
        events = list(run(model, Task("x"), limits=Limits(cost=Decimal(1))))
    (lost,) = [event for event in events if isinstance(event, ModelFailed)]
    result = result_of(events)
    # 1,000 x 2 + 500 x 0.10 + 10 x 2.50 + 20 x 4, and the answers 1 x 10 and 60 x 10
    assert lost.cost == Decimal("0.002165")
    assert result.report.cost == Decimal("0.002165") + Decimal("0.002755")
    assert result.report.counters.output_tokens == 60


def test_a_retry_is_logged_with_its_head(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "chat.providers.anthropic"):
        failed(LONG.streamed(error_after=3), stream=True)
    assert "200 overloaded_error (request req_" in caplog.text
