"""Counts every call to a paid service, refuses those beyond the limit, keeps the rest.

What is kept is written in the layout of the files in tests/data/wire, without a key, so
that it can become one of them.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx2

from tests.fakes.model_server.sse import frames_of_file, message_of_frames

LIMIT = 10
REQUEST_HEADERS = ("content-type", "anthropic-version", "anthropic-beta")
RESPONSE_HEADERS = ("content-type", "request-id", "retry-after", "x-should-retry")
RATES = "anthropic-ratelimit-"
# Of a body that is decoded already.
CODED = ("content-encoding", "content-length", "transfer-encoding")
STREAM = "text/event-stream"


class CallRefused(httpx2.TransportError):
    """One call more than the limit; it was not sent."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answer, whole."""

    request: httpx2.Request
    response: httpx2.Response

    @property
    def streamed(self) -> bool:
        """Whether the answer came in events."""
        return self.response.headers.get("content-type", "").startswith(STREAM)


class Recorder(httpx2.BaseTransport):
    """A transport in front of another. calls: sent so far. refused: not sent."""

    def __init__(self, inner: httpx2.BaseTransport, limit: int = LIMIT) -> None:
        self.calls = self.refused = 0
        self._inner = inner
        self._limit = limit
        self._kept: list[Exchange] = []

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request and wait for all of its answer, streamed or not."""
        if self.calls >= self._limit:
            self.refused += 1
            msg = f"Call {self.calls + self.refused} is one more than {self._limit}."
            raise CallRefused(msg, request=request)
        self.calls += 1
        request.read()
        answer = self._inner.handle_request(request)
        body = answer.read()
        # The body is decoded already.
        coded = ("content-encoding", "content-length", "transfer-encoding")
        headers = [
            each for each in answer.headers.multi_items() if each[0] not in coded
        ]
        response = httpx2.Response(
            answer.status_code, headers=headers, content=body, request=request
        )
        self._kept.append(Exchange(request, response))
        return response

    def close(self) -> None:
        """Close the connections."""
        self._inner.close()

    def take(self) -> list[Exchange]:
        """Return what was kept since the last call of this, and forget it."""
        kept, self._kept = self._kept, []
        return kept


def write_scenario(
    folder: Path, name: str, title: str, exchanges: Sequence[Exchange], at: datetime
) -> Path:
    """Write a scenario and its streams, and return its path.

    Raises ValueError, before anything is written, where a key would be in it.
    """
    files = {
        f"{name}.{number}.sse": each.response.text
        for number, each in enumerate(exchanges, start=1)
        if each.streamed
    }
    scenario = {
        "id": name,
        "title": title,
        "provider": "anthropic",
        "why": "As the API really answered.",
        "source": [f"recorded {at.isoformat(timespec='seconds')}"],
        "exchanges": [
            {"request": _request(each), "response": _response(each, f"{name}.{number}")}
            for number, each in enumerate(exchanges, start=1)
        ],
        "expect": _expect(exchanges),
    }
    files[f"{name}.json"] = json.dumps(scenario, ensure_ascii=False, indent=1)
    _check_secrets(files.values(), exchanges)
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in files.items():
        (folder / file).write_text(text, encoding="utf-8", newline="")
    return folder / f"{name}.json"


def _request(exchange: Exchange) -> dict[str, Any]:
    request = exchange.request
    return {
        "method": request.method,
        "path": request.url.path,
        "headers": _named(request.headers, REQUEST_HEADERS),
        "body": json.loads(request.content),
    }


def _response(exchange: Exchange, name: str) -> dict[str, Any]:
    response = exchange.response
    rates = [each for each in response.headers if each.startswith(RATES)]
    headers = _named(response.headers, (*RESPONSE_HEADERS, *rates))
    said = {"sse": f"{name}.sse"} if exchange.streamed else {"body": _json(response)}
    return {"status": response.status_code, "headers": headers, **said}


def _named(headers: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    return {name: headers[name] for name in names if name in headers}


def _expect(exchanges: Sequence[Exchange]) -> dict[str, Any]:
    """What a loop that plays this must come to, as far as it is a message."""
    expect: dict[str, Any] = {"calls": len(exchanges)}
    message = _message(exchanges[-1]) if exchanges else {}
    if isinstance(message, dict) and "content" in message:
        expect["stop"] = message["stop_reason"]
        texts = (each["text"] for each in message["content"] if each["type"] == "text")
        expect["final_text"] = "".join(texts)
    return expect


def _message(exchange: Exchange) -> Any:
    if exchange.streamed:
        return message_of_frames(frames_of_file(exchange.response.text))
    return _json(exchange.response)


def _json(response: httpx2.Response) -> Any:
    """Return the body, as text where it is no JSON, such as a proxy's page."""
    try:
        return response.json()
    except ValueError:
        return response.text


def _check_secrets(files: Iterable[str], exchanges: Sequence[Exchange]) -> None:
    keys = {
        value.removeprefix("Bearer ")
        for each in exchanges
        for name, value in each.request.headers.items()
        if name in {"authorization", "x-api-key"}
    }
    if any(key in text for text in files for key in keys):
        msg = "What was recorded holds the key; nothing is written."
        raise ValueError(msg)
