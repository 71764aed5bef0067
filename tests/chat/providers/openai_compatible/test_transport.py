"""One POST: bounded in time and size, followed nowhere, untouched by surroundings."""

import gzip
import json
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest

from chat.engine import ErrorKind
from chat.providers.openai_compatible import OpenAICompatibleModel
from chat.providers.openai_compatible import transport as openai_transport
from tests.chat.providers.openai_compatible.endpoint import (
    KEY,
    ask,
    completion,
    delta,
    events,
    failing,
    failure_of,
    model_at,
    said,
    streaming,
    whole_of,
)


@contextmanager
def serving(body: bytes, media_type: str) -> Iterator[str]:
    """Answer every POST with the body on a socket of this machine."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(200)
            self.send_header("content-type", media_type)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_a_model_makes_a_client_of_its_own_and_closes_it() -> None:
    body = json.dumps(completion("Hello.")).encode()
    with serving(body, "application/json") as base_url:
        model = OpenAICompatibleModel("m", api_key=KEY, base_url=base_url)
        replies = [model.complete(ask()).text for _ in range(2)]
        model.close()
    assert replies == ["Hello.", "Hello."]


def test_a_stream_is_read_from_a_socket() -> None:
    body = events(delta(content="Hel"), delta("stop", content="lo."))
    with serving(body, "text/event-stream") as base_url:
        model = OpenAICompatibleModel("m", api_key=KEY, base_url=base_url)
        assert whole_of(model.stream(ask())).text == "Hello."
        model.close()


def test_nothing_is_taken_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-from-the-environment")
    with serving(json.dumps(completion()).encode(), "application/json") as base_url:
        model = OpenAICompatibleModel("m", api_key="", base_url=base_url)
        assert model.complete(ask()).text == "Hello."
        model.close()


def test_a_server_that_is_not_there_is_unavailable() -> None:
    model = OpenAICompatibleModel("m", api_key="", base_url="http://127.0.0.1:1/v1")
    assert failure_of(model).kind is ErrorKind.UNAVAILABLE
    model.close()


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (httpx.ReadTimeout("slow"), ErrorKind.TIMEOUT),
        (httpx.WriteTimeout("slow"), ErrorKind.TIMEOUT),
        (httpx.PoolTimeout("slow"), ErrorKind.TIMEOUT),
        (httpx.ConnectTimeout("slow"), ErrorKind.UNAVAILABLE),
        (httpx.ConnectError("refused"), ErrorKind.UNAVAILABLE),
        (httpx.ReadError("reset"), ErrorKind.UNAVAILABLE),
        (httpx.RemoteProtocolError("gone"), ErrorKind.UNAVAILABLE),
    ],
)
@pytest.mark.parametrize("stream", [False, True])
def test_what_goes_wrong_on_the_way_is_a_failure_to_try_again(
    error: Exception, kind: ErrorKind, stream: bool
) -> None:
    model, _ = model_at(error)
    assert failure_of(model, stream=stream).kind is kind


def test_the_client_gives_up_a_little_before_the_loop_does() -> None:
    model, endpoint = model_at(said(), said())
    model.complete(ask(timeout_s=100.0))
    model.complete(ask())
    limits = [request.extensions["timeout"] for request in endpoint.requests]
    assert [limit["read"] for limit in limits] == [99.0, 600.0]
    assert [limit["connect"] for limit in limits] == [10.0, 10.0]


def test_a_stream_that_drips_past_its_time_is_a_timeout() -> None:
    def drips() -> Iterator[bytes]:
        while True:
            yield b": still here\n\n"

    answer = httpx.Response(200, stream=httpx.ByteStream(b""))
    answer.stream = Dripping(drips())
    model, _ = model_at(answer)
    failure = failure_of(model, ask(timeout_s=0.05), stream=True)
    assert failure.kind is ErrorKind.TIMEOUT


class Dripping(httpx.SyncByteStream):
    """A body without an end."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces

    def __iter__(self) -> Iterator[bytes]:
        return self._pieces


@pytest.mark.parametrize("stream", [False, True])
def test_an_answer_without_an_end_is_cut_off(
    stream: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openai_transport, "MOST_BYTES", 100)
    model, _ = model_at(streaming(pieces=[b": comment\n"] * 99))
    failure = failure_of(model, stream=stream)
    assert failure.kind is ErrorKind.UNAVAILABLE
    assert "more than 100 bytes" in failure.message


def test_of_an_error_only_the_beginning_is_read() -> None:
    def endless() -> Iterator[bytes]:
        while True:
            yield b"x" * 1024

    answer = httpx.Response(500, stream=httpx.ByteStream(b""))
    answer.stream = Dripping(endless())
    model, _ = model_at(answer)
    assert failure_of(model).message.startswith("HTTP 500: xxx")


def test_a_compressed_answer_is_read_though_none_was_asked_for() -> None:
    body = gzip.compress(json.dumps(completion()).encode())
    headers = {"content-encoding": "gzip", "content-type": "application/json"}
    model, endpoint = model_at(httpx.Response(200, headers=headers, content=body))
    assert model.complete(ask()).text == "Hello."
    assert endpoint.requests[0].headers["accept-encoding"] == "identity"


def test_a_body_that_cannot_be_unpacked_is_a_failure() -> None:
    headers = {"content-encoding": "gzip"}
    answer = httpx.Response(200, headers=headers, stream=httpx.ByteStream(b"junk"))
    model, _ = model_at(answer)
    assert failure_of(model).kind is ErrorKind.UNAVAILABLE


def test_a_redirect_is_not_followed() -> None:
    headers = {"location": "https://elsewhere.test/v1/chat/completions"}
    model, endpoint = model_at(httpx.Response(307, headers=headers), said())
    failure = failure_of(model)
    assert failure.kind is ErrorKind.INVALID_REQUEST
    assert failure.message == "HTTP 307: a redirect, which is not followed"
    assert len(endpoint.requests) == 1


def test_one_failure_is_one_request() -> None:
    model, endpoint = model_at(failing(500, {"message": "m"}), said())
    failure_of(model)
    assert len(endpoint.requests) == 1


def test_a_stream_that_is_left_gives_its_connection_back() -> None:
    model, endpoint = model_at(streaming(delta(content="a"), delta(content="b")))
    pieces = model.stream(ask())
    next(pieces)
    pieces.close()  # type: ignore[attr-defined]
    assert endpoint.client.is_closed is False


def test_the_key_is_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    model, _ = model_at(said())
    with caplog.at_level(logging.DEBUG):
        model.complete(ask())
    assert KEY not in caplog.text + repr(vars(model).get("profile"))
