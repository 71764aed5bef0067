"""What goes in and out of the fake model server: requests, responses, refusals."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Json = Any
Block = dict[str, Any]

KEY = "sk-ant-test-REDACTED"
ROUTER_KEY = "sk-or-test-REDACTED"


class WireProblem(AssertionError):
    """What went over the wire is not what the script and the contract allow."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A piece of a stream: its bytes, and the seconds of silence before them."""

    data: bytes
    delay_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Response:
    """What the server answers; `frames` in place of `body` is a stream.

    status 0: the connection is closed without a word. delay_s: silence before the
    first byte. cut: the connection breaks where the body or the frames end.
    """

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    frames: tuple[Frame, ...] | None = None
    delay_s: float = 0.0
    cut: bool = False

    @property
    def json(self) -> Json:
        """The body as JSON."""
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it arrived; headers in lower case, body None where not JSON."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Json
    size: int = 0
    query: str = ""

    @property
    def version(self) -> str:
        """The API version that the client named."""
        return self.headers.get("anthropic-version", "")

    @property
    def streamed(self) -> bool:
        """Whether the client asked for a stream."""
        return isinstance(self.body, dict) and self.body.get("stream") is True


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the API does not accept a request."""

    text: str
    status: int = 400
    kind: str = "invalid_request_error"
    code: str | None = None


def read_request(
    method: str, path: str, headers: Mapping[str, str], body: bytes | Json
) -> Request:
    """Parse what a transport delivers; `body` is bytes, or JSON already."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    bare, _, query = path.partition("?")
    lowered = {name.lower(): value for name, value in headers.items()}
    return Request(method.upper(), bare, lowered, _parsed(raw), len(raw), query)


def _parsed(raw: bytes) -> Json:
    try:
        return json.loads(raw)
    except ValueError:
        return None


def as_json(status: int, body: Json, headers: Mapping[str, str]) -> Response:
    """A whole JSON response."""
    content = {"content-type": "application/json", **headers}
    return Response(status, content, json.dumps(body, ensure_ascii=False).encode())
