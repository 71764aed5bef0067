"""Failures of a chat endpoint that were paid for, and what they say of themselves."""

import json
from decimal import Decimal
from typing import Any

import httpx
import pytest

from chat.engine import (
    ErrorHead,
    ErrorKind,
    ModelError,
    ModelFailed,
    ModelRequest,
    Task,
    Usage,
    run,
)
from chat.providers.openai_compatible.search import WebPlugin
from tests.chat.engine.toolbox import result_of
from tests.chat.providers.openai_compatible.endpoint import (
    KEY,
    Answer,
    ask,
    completion,
    delta,
    failing,
    failure_of,
    model_at,
    said,
    streaming,
)

pytestmark = pytest.mark.row("A9")

COUNTS = {
    "prompt_tokens": 900,
    "completion_tokens": 40,
    "total_tokens": 940,
    "prompt_tokens_details": {"cached_tokens": 500},
    "cost": 0.0125,
}
USED = Usage(400, 40, 500)
BUSY = {"code": 502, "message": "Upstream is gone", "type": "overloaded_error"}
COUNTED = {"choices": [], "usage": COUNTS}
HEADERS = {"request-id": "req_7"}


def plain(error: ModelError) -> Usage | None:
    """The counts, without the price that the server has put on them."""
    usage = error.usage
    if usage is None:
        return None
    names = ("input_tokens", "output_tokens", "cache_read_tokens", "searches")
    return Usage(**{name: getattr(usage, name) for name in names})


def failed(
    answer: Answer, request: ModelRequest | None = None, *, stream: bool = False
) -> ModelError:
    model, _ = model_at(answer)
    return failure_of(model, request, stream=stream)


def broken(*frames: Any, error: Exception | None = None, **headers: str) -> Answer:
    answer = streaming(*frames, done=False, error=error)
    answer.headers.update(headers)
    return answer


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("error", "head"),
    [
        ({"message": "m", "type": "t", "code": "c"}, ErrorHead(500, "t", "c", "req_7")),
        ({"message": "m", "code": 529}, ErrorHead(529, "", "", "req_7")),
        ({"message": "m", "code": "429"}, ErrorHead(429, "", "429", "req_7")),
        ({"message": "m", "status": "UNAVAILABLE"}, None),
        ("only words", ErrorHead(500, "", "", "req_7")),
    ],
)
def test_an_error_says_status_type_code_and_request(
    error: Any, head: ErrorHead | None, stream: bool
) -> None:
    told = failed(failing(500, error, HEADERS), stream=stream)
    assert told.head == (head or ErrorHead(500, "", "UNAVAILABLE", "req_7"))
    assert told.usage is None


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(500, json={"error": {"message": "m", "request_id": "req_b"}}),
        httpx.Response(500, json={"error": {"message": "m"}, "request_id": "req_b"}),
        httpx.Response(500, json={"error": "m", "request_id": "req_b"}),
        httpx.Response(200, json={"error": {"message": "m"}, "request_id": "req_b"}),
        failing(500, {"message": "m"}, {"x-request-id": "req_b"}),
        failing(500, {"message": "m", "request_id": "no"}, {"X-Request-ID": "req_b"}),
    ],
)
def test_the_id_of_the_request_stands_in_a_header_or_in_the_body(
    answer: httpx.Response,
) -> None:
    told = failed(answer)
    assert told.head is not None
    assert told.head.request_id == "req_b"
    assert "request req_b" in told.message or answer.status_code == 200


def test_the_head_of_an_upstream_error_is_that_of_the_error_within() -> None:
    raw = json.dumps({"error": {"type": "overloaded_error", "code": "busy"}})
    error = {"code": 529, "message": "Provider returned error", "metadata": {}}
    told = failed(failing(200, {**error, "metadata": {"raw": raw}}, HEADERS))
    assert told.head == ErrorHead(529, "overloaded_error", "busy", "req_7")


def test_a_request_that_nobody_answered_has_no_head() -> None:
    told = failed(httpx.ConnectError("refused"))
    assert (told.head, told.usage) == (None, None)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (broken(COUNTED, **HEADERS), ErrorKind.UNAVAILABLE),
        (broken(COUNTED, "data: nonsense", **HEADERS), ErrorKind.UNAVAILABLE),
        (
            broken(COUNTED, error=httpx.ReadError("reset"), **HEADERS),
            ErrorKind.UNAVAILABLE,
        ),
        (broken(COUNTED, error=httpx.ReadTimeout(""), **HEADERS), ErrorKind.TIMEOUT),
    ],
)
def test_a_stream_that_breaks_off_tells_what_it_had_counted(
    answer: Answer, kind: ErrorKind
) -> None:
    told = failed(answer, stream=True)
    assert (told.kind, plain(told)) == (kind, USED)
    assert told.head == ErrorHead(200, "", "", "req_7")


def test_a_stream_that_breaks_off_before_it_counted_tells_nothing() -> None:
    assert failed(broken(delta(content="Half")), stream=True).usage is None


@pytest.mark.parametrize(
    "frames",
    [
        [COUNTED, {"error": BUSY}],
        [{"error": BUSY, "usage": COUNTS}],
        [{"choices": [{"error": BUSY}], "usage": COUNTS}],
    ],
)
def test_an_error_within_a_stream_says_what_it_is_and_what_was_counted(
    frames: list[Any],
) -> None:
    told = failed(broken(delta(content="Half"), *frames, **HEADERS), stream=True)
    assert told.head == ErrorHead(502, "overloaded_error", "", "req_7")
    assert plain(told) == USED


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    "body",
    [
        {"error": BUSY, "usage": COUNTS},
        {"choices": [{"error": BUSY}], "usage": COUNTS},
        {"choices": [], "usage": COUNTS},
        {"usage": COUNTS},
    ],
)
def test_an_error_in_a_200_tells_what_it_counted(body: Any, stream: bool) -> None:
    told = failed(httpx.Response(200, json=body, headers=HEADERS), stream=stream)
    assert plain(told) == USED
    assert told.head is not None
    assert told.head.request_id == "req_7"


def test_a_search_before_the_error_is_counted_where_the_plugin_made_one() -> None:
    body = {"error": BUSY, "usage": COUNTS}
    options: Any = {"preset": "openrouter", "base_url": None, "search": WebPlugin()}
    model, _ = model_at(httpx.Response(200, json=body), **options)
    usage = failure_of(model).usage
    assert usage is not None
    assert usage.searches == 1


def test_counts_without_sense_are_unknown() -> None:
    counts = {**COUNTS, "prompt_tokens": 499}
    body = {"error": BUSY, "usage": counts}
    assert failed(httpx.Response(200, json=body)).usage is None


@pytest.mark.parametrize("odd", [{"a": 1}, ["x"], 7, None, "\ud800"])
def test_words_of_an_error_that_are_no_words_change_nothing(odd: Any) -> None:
    error = {"type": odd, "message": odd, "code": odd, "status": odd}
    for body in ({"error": error}, {"error": error, "request_id": odd}):
        answer = httpx.Response(200, content=json.dumps(body).encode())
        told = failed(answer)
        assert told.kind is ErrorKind.UNAVAILABLE
        assert told.head is not None
        assert told.head.status == 200


SECRET = "What is the secret of the harbour?"


@pytest.mark.parametrize("name", ["type", "code", "status", "request_id"])
@pytest.mark.parametrize("words", [f"k_{KEY}", KEY[:12], SECRET, SECRET[3:25]])
def test_no_part_of_a_head_shows_the_key_or_the_prompt(
    name: str, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    told = failed(failing(400, {"message": "No.", name: words}), ask(SECRET))
    shown = f"{told.head}{told.message}{caplog.text}"
    assert "[key]" in shown or "[prompt]" in shown
    assert not any(KEY[n : n + 9] in shown for n in range(len(KEY) - 8))
    assert "secret of the" not in shown


def test_a_header_shows_neither_and_a_head_is_short() -> None:
    headers = {"x-request-id": f"{KEY} {'x' * 500}"}
    head = failed(failing(400, {"message": "No."}, headers)).head
    assert head is not None
    assert head.request_id.startswith("[key] x")
    assert len(head.request_id) <= 100


def test_a_run_pays_what_the_server_says_for_the_streams_that_broke() -> None:
    script = [broken(delta(content="Half"), COUNTED), said(usage={**COUNTS, "cost": 1})]
    model, _ = model_at(*script)
    events = list(run(model, Task("x")))
    (lost,) = [event for event in events if isinstance(event, ModelFailed)]
    assert lost.cost == Decimal("0.0125")
    assert result_of(events).report.cost == Decimal("1.0125")


def test_an_answer_without_a_choice_was_paid_for() -> None:
    body = {**completion(usage=COUNTS), "choices": []}
    assert plain(failed(httpx.Response(200, json=body))) == USED
