"""Clients for the tests of the fake model server, and a scenario's own requests."""

from typing import Any

import httpx
from anthropic import Anthropic, APIStatusError

from tests.fakes.model_server import (
    KEY,
    ROUTER_KEY,
    ModelServer,
    plain_client,
    sdk_client,
)
from tests.fakes.model_server.scenario import Exchange

HELLO = [{"role": "user", "content": "Hello"}]
VERSION = {"anthropic-version": "2026-10-21", "authorization": f"Bearer {KEY}"}


def sdk(server: ModelServer, **options: Any) -> Anthropic:
    """The SDK's client, over the server's socket if it has one."""
    settings = {"api_key": KEY, "max_retries": 0, **options}
    if server.base_url:
        return Anthropic(base_url=server.base_url, **settings)
    return Anthropic(http_client=sdk_client(server), **settings)


def ask(client: Anthropic, messages: Any = HELLO, **fields: Any) -> Any:
    """Ask for a message; stream=True asks in pieces and returns the whole."""
    body = {"model": "claude-sonnet-5-5", "max_tokens": 1000, **fields}
    timeout = body.pop("timeout", 20)
    return send(client, {**body, "messages": messages}, timeout=timeout)


def send(client: Anthropic, body: Any, headers: Any = None, timeout: float = 20) -> Any:
    """Send a request body by the SDK; what it does not know goes as extra."""
    fields = {key: value for key, value in body.items() if key != "stream"}
    extra = {key: fields.pop(key) for key in ("thread", "temperature") if key in fields}
    options = {"extra_body": extra, "extra_headers": headers or {}, "timeout": timeout}
    if not body.get("stream"):
        return client.messages.create(**fields, **options)
    with client.messages.stream(**fields, **options) as stream:
        return stream.get_final_message()


def outcome(client: Anthropic, exchange: Exchange, **changes: Any) -> Any:
    """What came of a scenario's own request: a message, or the error."""
    request = exchange.expected
    body = {**request["body"], **changes}
    beta = request["headers"].get("anthropic-beta")
    try:
        if request["path"].endswith("count_tokens"):
            return client.messages.count_tokens(**body)
        return send(client, body, {"anthropic-beta": beta} if beta else None)
    except APIStatusError as error:
        return error


def refusal(server: ModelServer, body: Any, **headers: str) -> str:
    """The text with which a request is refused, "" where it is accepted."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = server.handle("POST", "/v1/messages", {**VERSION, **named}, body)
    return answer.json["error"]["message"] if answer.status >= 400 else ""


def chat(server: ModelServer, body: Any, key: str = ROUTER_KEY) -> httpx.Response:
    """Post a chat to the server, over its socket if it has one."""
    client = httpx.Client() if server.base_url else plain_client(server)
    url = f"{server.base_url or 'http://127.0.0.1'}/api/v1/chat/completions"
    headers = {"authorization": f"Bearer {key}"} if key else {}
    with client:
        return client.post(url, json=body, headers=headers)
