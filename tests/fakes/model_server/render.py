"""Turns a reply of the script into the response to one request."""

from typing import Any

from tests.fakes.model_server.ledger import billed_searches
from tests.fakes.model_server.replies import Reply, mint
from tests.fakes.model_server.sse import (
    STREAM_HEADERS,
    error_event,
    frames_of_message,
    message_of_frames,
    shaped,
)
from tests.fakes.model_server.tokens import count_tokens
from tests.fakes.model_server.values import Json, Refusal, Request, Response, as_json

ORGANIZATION = "00000000-0000-4000-8000-000000000000"


def response_to(request: Request, reply: Reply, read: Json) -> tuple[Response, Json]:
    """The response, and the message that it issues (None of a failure).

    read: the input side of the usage, for a reply that does not say it itself.
    """
    if reply.raw is not None:
        cut = reply.cut
        return Response(
            reply.status, reply.headers, reply.raw, None, reply.delay_s, cut
        ), None
    if reply.status >= 400:
        return _whole(reply, _error_body(reply.body)), None
    message = _message(request, reply, read)
    if "error" in message:
        return _failed(request, reply, message["error"])
    if not request.streamed:
        return _whole(reply, message), message
    frames = (
        shaped(reply.frames, reply.plan, error_event)
        if reply.frames
        else frames_of_message(message, reply.plan)
    )
    headers = {**_headers(reply), **STREAM_HEADERS}
    cut = reply.cut or reply.plan.cut_after is not None
    return Response(200, headers, b"", frames, reply.delay_s, cut), message


def _failed(request: Request, reply: Reply, error: Json) -> tuple[Response, Json]:
    """A stream that breaks off with an error; asked whole, it is that error."""
    if request.streamed and reply.frames:
        headers = {**_headers(reply), **STREAM_HEADERS}
        frames = shaped(reply.frames, reply.plan, error_event)
        return Response(200, headers, b"", frames, reply.delay_s, reply.cut), None
    refusal = Refusal(error["message"], 529, error["type"])
    return refuse(refusal), None


def _message(request: Request, reply: Reply, read: Json) -> Json:
    if reply.body is None:
        return message_of_frames(reply.frames or ())
    message: dict[str, Any] = {
        "id": mint("msg_01"),
        "type": "message",
        "role": "assistant",
        "model": request.body["model"],
        "stop_sequence": None,
        **reply.body,
    }
    if "content" in message and not ("id" in reply.body and "usage" in reply.body):
        # What is recorded has a usage of its own, which is whole.
        message["usage"] = {**_usage(read, message), **message.get("usage", {})}
    return message if "content" in message else reply.body


def _usage(read: Json, message: Json) -> Json:
    searches = billed_searches(message["content"])
    served = {"web_search_requests": searches, "web_fetch_requests": 0}
    return {
        **read,
        "output_tokens": count_tokens({"messages": message["content"]}),
        "service_tier": "standard",
        "inference_geo": "global",
        **({"server_tool_use": served} if searches else {}),
    }


def _whole(reply: Reply, body: Json) -> Response:
    named = {k: v for k, v in _headers(reply).items() if k != "content-type"}
    if "request_id" in body:
        named["request-id"] = body["request_id"]
    made = as_json(reply.status, body, named)
    return Response(
        made.status, made.headers, made.body, None, reply.delay_s, reply.cut
    )


def _headers(reply: Reply) -> dict[str, str]:
    usual = {"request-id": mint("req_01"), "anthropic-organization-id": ORGANIZATION}
    return {**usual, **{name.lower(): value for name, value in reply.headers.items()}}


def _error_body(body: Json) -> Json:
    if isinstance(body, dict) and body.get("type") == "error":
        return {"request_id": mint("req_01"), **body}
    return body


def refuse(refusal: Refusal, **headers: str) -> Response:
    """The API's own error for a request that it does not accept."""
    error: Json = {"type": refusal.kind, "message": refusal.text}
    if refusal.code:
        error["details"] = {"error_code": refusal.code}
    body = {"type": "error", "error": error}
    return _whole(Reply(body, refusal.status, headers), _error_body(body))
