"""Errors of the API and of the way to it: their kind, their head, and no secret."""

import logging
from datetime import UTC, timedelta
from email.utils import format_datetime

import httpx2
import pytest

from chat.engine import ErrorKind, Message, ModelError, Task, execute
from chat.providers.anthropic import AnthropicModel
from tests.chat.providers.anthropic.wire import ask, talking
from tests.fakes.model_server import KEY, Clock, Reply, failure, hang_up, page, say

LONG = "prompt is too long: 210118 tokens > 200000 maximum"
BOTH = "input length and `max_tokens` exceed context limit: 190000 + 16384 > 200000"
LIMIT = "You have reached your specified API usage limits. You will regain access"
CAPS = ["enforced_spend_limit_reached", "contract_spend_limit_reached"]


def failed(*script: Reply) -> ModelError:
    with talking(script) as (model, _), pytest.raises(ModelError) as raised:
        model.complete(ask("What is the secret of the harbour?"))
    return raised.value


@pytest.mark.row("A9")
@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (failure(400), ErrorKind.INVALID_REQUEST),
        (failure(400, LONG), ErrorKind.CONTEXT_OVERFLOW),
        (failure(400, LIMIT), ErrorKind.SPEND_CAP),
        (failure(401), ErrorKind.AUTHENTICATION),
        (failure(402), ErrorKind.SPEND_CAP),
        (failure(402, kind="api_error"), ErrorKind.SPEND_CAP),
        (failure(400, kind="billing_error"), ErrorKind.SPEND_CAP),
        (failure(403), ErrorKind.AUTHENTICATION),
        (failure(404), ErrorKind.INVALID_REQUEST),
        (failure(409), ErrorKind.UNAVAILABLE),
        (failure(413), ErrorKind.CONTEXT_OVERFLOW),
        (failure(429), ErrorKind.RATE_LIMITED),
        (failure(500), ErrorKind.UNAVAILABLE),
        (failure(503), ErrorKind.UNAVAILABLE),
        (failure(504), ErrorKind.UNAVAILABLE),
        (failure(529), ErrorKind.OVERLOADED),
        (failure(400, error_code="tool_name_conflict"), ErrorKind.INVALID_REQUEST),
        (failure(403, error_code="organization_on_hold"), ErrorKind.AUTHENTICATION),
        (hang_up(), ErrorKind.UNAVAILABLE),
        (page("<html>Bad gateway</html>", 502), ErrorKind.UNAVAILABLE),
        (page("<html>Not here</html>", 404), ErrorKind.INVALID_REQUEST),
        (page("<html>Sign in</html>"), ErrorKind.UNAVAILABLE),
    ],
)
def test_every_failure_has_its_kind(reply: Reply, kind: ErrorKind) -> None:
    assert failed(reply).kind is kind


@pytest.mark.parametrize("code", CAPS)
def test_a_spend_cap_is_asked_once(code: str) -> None:
    script = [failure(429, "Limit reached.", error_code=code)]
    with talking(script, stream=False) as (model, server):
        result = execute(model, Task("x"))
    assert result.stop == "provider_unavailable"
    assert "spend_cap" in result.detail
    assert len(server.seen) == 1


@pytest.mark.parametrize("stream", [False, True])
def test_an_account_without_money_is_asked_once(stream: bool) -> None:
    with talking([failure(402)], stream=stream) as (model, server):
        result = execute(model, Task("x"))
    assert result.stop == "provider_unavailable"
    assert result.detail.startswith("spend_cap: 402 billing_error")
    assert len(server.seen) == 1


def test_retries_are_the_loops_alone() -> None:
    assert failed(failure(529)).kind is ErrorKind.OVERLOADED


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (LONG, {"prompt_tokens": 210118, "limit": 200000}),
        (BOTH, {"prompt_tokens": 190000, "limit": 200000}),
        ("prompt is too long", {}),
    ],
)
def test_an_overflow_has_the_sizes_that_the_api_counted(
    text: str, facts: dict[str, int]
) -> None:
    error = failed(failure(400, text))
    assert error.kind is ErrorKind.CONTEXT_OVERFLOW
    assert error.facts == facts


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("1", 1.0), ("86400", 86400.0), ("-3", 0.0), ("0.5", 0.5)],
)
def test_the_wait_that_is_asked_for_is_told(value: str, seconds: float) -> None:
    assert failed(failure(429, retry_after=value)).facts["retry_after_s"] == seconds


@pytest.mark.parametrize("value", ["soon", "", "nan", "inf", "Mon, 99 Foo"])
def test_a_wait_that_cannot_be_read_is_none(value: str) -> None:
    assert "retry_after_s" not in failed(failure(429, retry_after=value)).facts


def test_a_wait_until_the_end_of_time_is_a_wait() -> None:
    value = "Fri, 31 Dec 9999 23:59:59 -0100"
    seconds = failed(failure(429, retry_after=value)).facts["retry_after_s"]
    assert seconds > 86_400 * 365 * 7_000


def test_a_wait_until_a_date_is_told_in_seconds() -> None:
    clock = Clock()
    until = format_datetime((clock() + timedelta(minutes=2)).astimezone(UTC), True)
    script = [failure(429, retry_after=until)]
    with (
        talking(script, clock=clock) as (model, _),
        pytest.raises(ModelError) as raised,
    ):
        model.complete(ask())
    assert raised.value.facts["retry_after_s"] == pytest.approx(120, abs=1)


def test_a_wait_of_a_day_ends_the_run_with_the_reason() -> None:
    with talking([failure(429, retry_after=86400)], stream=False) as (model, _):
        result = execute(model, Task("x"))
    assert result.stop == "provider_unavailable"
    assert "too long" in result.detail


@pytest.mark.row("A9")
def test_the_head_of_an_error_is_logged_and_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    reply = failure(429, "Slow down.", error_code="ramp_limit_exceeded")
    with caplog.at_level(logging.WARNING, "chat.providers.anthropic"):
        message = failed(reply).message
    assert message.startswith("429 rate_limit_error ramp_limit_exceeded (request req_")
    assert message.endswith("Slow down.")
    assert message in caplog.text


@pytest.mark.row("A9")
@pytest.mark.parametrize(
    "said",
    [
        f"key {KEY} is not valid",
        "messages.0: What is the secret of the harbour? is not allowed",
        "Invalid: What is the secret of the har",
        "messages.0.content [input_value='What is the secret', type=str]",
    ],
)
def test_an_error_never_shows_the_key_or_the_prompt(
    said: str, caplog: pytest.LogCaptureFixture
) -> None:
    message = failed(failure(400, said)).message
    for told in (message, caplog.text):
        assert KEY not in told
        assert "secret of the" not in told


@pytest.mark.row("A9")
def test_no_level_of_logging_shows_a_prompt(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG), talking([say("A.")]) as (model, _):
        model.complete(ask("What is the secret of the harbour?"))
    assert "secret" not in caplog.text


@pytest.mark.row("A9")
def test_a_head_is_short() -> None:
    assert len(failed(failure(400, "long " * 1000)).message) <= 500


def test_the_title_of_a_page_is_told_and_nothing_else_of_it() -> None:
    error = failed(page("<html><title>Sign in</title>Dear customer</html>"))
    assert "'Sign in'" in error.message
    assert "customer" not in error.message


def test_an_error_in_an_answer_with_status_200_is_one() -> None:
    body = {"type": "error", "error": {"type": "overloaded_error", "message": "Busy"}}
    error = failed(Reply(body))
    assert error.kind is ErrorKind.OVERLOADED
    assert "Busy" in error.message


@pytest.mark.parametrize("body", [[], {}, {"content": None}, "text", 7])
def test_an_answer_that_is_no_message_is_an_error(body: object) -> None:
    client = httpx2.Client(
        transport=httpx2.MockTransport(lambda _: httpx2.Response(200, json=body))
    )
    model = AnthropicModel("claude-sonnet-5-5", api_key=KEY, http_client=client)
    with pytest.raises(ModelError, match="no message") as raised:
        model.complete(ask())
    assert raised.value.kind is ErrorKind.UNAVAILABLE


def test_json_that_is_cut_is_an_error() -> None:
    headers = {"content-type": "application/json"}
    error = failed(Reply(headers=headers, raw=b'{"type": "mess'))
    assert error.kind is ErrorKind.UNAVAILABLE


def test_a_silence_is_a_timeout() -> None:
    with (
        talking([say("late").delayed(60)]) as (model, _),
        pytest.raises(ModelError) as raised,
    ):
        model.complete(ask(timeout_s=5.0))
    assert raised.value.kind is ErrorKind.TIMEOUT


def test_a_redirect_is_not_followed() -> None:
    sent = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        sent.append(request)
        return httpx2.Response(307, headers={"location": "https://other.example/"})

    client = httpx2.Client(transport=httpx2.MockTransport(answer))
    model = AnthropicModel("claude-sonnet-5-5", api_key=KEY, http_client=client)
    with pytest.raises(ModelError, match="307"):
        model.complete(ask("x", Message.user("y")))
    assert len(sent) == 1
