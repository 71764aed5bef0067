"""The way to the API: the SDK's client, of which nothing else is used.

No retries, no threads of messages, no credentials but the one that is given.
"""

import logging
from collections.abc import Mapping
from typing import Any, NamedTuple

import anthropic
import httpx2

from chat.engine import ConfigurationError
from chat.providers.anthropic.errors import no_message

BASE_URL = "https://api.anthropic.com"
PATH = "/v1/messages"
TIMEOUT_S = 600.0
CONNECT_S = 5.0

# At the level DEBUG, which ANTHROPIC_LOG can set too, the SDK logs whole prompts.
logging.getLogger("anthropic").setLevel(logging.WARNING)


class Whole(NamedTuple):
    """An answer in one piece. said: its JSON, or its text if it is none."""

    said: Any
    request_id: str


class Transport:
    """One endpoint and one key. What the SDK and its client raise comes through."""

    def __init__(
        self, key: str, base_url: str | None, http_client: httpx2.Client | None
    ) -> None:
        self.key = _checked(key)
        self._own = None if http_client else _connections()
        self._client = _client(key, base_url or BASE_URL, http_client or self._own)

    def whole(self, body: Mapping[str, Any], timeout_s: float | None) -> Whole:
        """Send a request and return the answer.

        timeout_s: how long the caller waits, None as long as the API takes.
        """
        options = _options(timeout_s)
        response = self._client.post(
            PATH, cast_to=httpx2.Response, body=body, options=options
        )
        return Whole(_said(response), request_id(response))

    def events(
        self, body: Mapping[str, Any], timeout_s: float | None
    ) -> anthropic.Stream[object]:
        """Send a request and return the JSON of its events; to be closed."""
        events = self._client.post(
            PATH,
            cast_to=object,
            body={**body, "stream": True},
            options=_options(timeout_s),
            stream=True,
            stream_cls=anthropic.Stream[object],
        )
        kind = events.response.headers.get("content-type", "")
        if kind.startswith("text/event-stream"):
            return events
        with events:
            # Such as a proxy's page.
            events.response.read()
        raise no_message(_said(events.response), request_id(events.response))

    def close(self) -> None:
        """Close the connections, if they are its own."""
        if self._own is not None:
            self._own.close()


def request_id(response: httpx2.Response) -> str:
    """Return the API's id of the request that this answers, "" without one."""
    return str(response.headers.get("request-id", ""))


def _said(response: httpx2.Response) -> Any:
    kind = response.headers.get("content-type", "").partition(";")[0]
    return response.json() if kind.lower().endswith("json") else response.text


def _checked(key: object) -> str:
    if not isinstance(key, str) or not key.strip():
        msg = "AnthropicModel needs an api_key; none is read from the environment."
        raise ConfigurationError(msg)
    if not key.isascii() or not key.isprintable() or key != key.strip():
        msg = "The api_key of AnthropicModel has characters that no key has."
        raise ConfigurationError(msg)
    return key


def _connections() -> httpx2.Client:
    """Return a client that asks neither the environment nor .netrc for anything."""
    return httpx2.Client(trust_env=False, limits=anthropic.DEFAULT_CONNECTION_LIMITS)


def _client(
    key: str, base_url: str, http_client: httpx2.Client | None
) -> anthropic.Anthropic:
    client = anthropic.Anthropic(
        api_key=key,
        base_url=base_url,
        http_client=http_client,
        max_retries=0,
        open_telemetry=False,
    )
    # The SDK has put ANTHROPIC_CUSTOM_HEADERS here, and no argument keeps it from that.
    client._custom_headers = {}
    return client


def _options(timeout_s: float | None) -> anthropic.RequestOptions:
    """Give up a little before the caller does, so that it hears the reason."""
    seconds = TIMEOUT_S
    if timeout_s is not None:
        seconds = max(0.001, timeout_s - min(1.0, timeout_s / 20))
    return {"timeout": httpx2.Timeout(seconds, connect=min(CONNECT_S, seconds))}
