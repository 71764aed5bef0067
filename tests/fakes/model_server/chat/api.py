"""The chat endpoint: who may ask, what is refused, and how a reply is sent."""

import copy
import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from tests.fakes.model_server.chat.dialects import Dialect
from tests.fakes.model_server.chat.rules import Chat, fault
from tests.fakes.model_server.chat.stream import (
    completion_of_frames,
    failing,
    frames_of_completion,
)
from tests.fakes.model_server.keys import given_key
from tests.fakes.model_server.replies import Reply, mint
from tests.fakes.model_server.sse import STREAM_HEADERS, shaped
from tests.fakes.model_server.tokens import count_tokens
from tests.fakes.model_server.values import Json, Refusal, Request, Response, as_json

PATHS = ("/api/v1/chat/completions", "/v1/chat/completions", "/chat/completions")
STATS = "/api/v1/generation"
NO_KEY = {True: "No auth credentials found", False: "You didn't provide an API key."}


@dataclass
class ChatApi:
    """`generations` are the completions that were sent, by their id."""

    dialect: Dialect
    keys: tuple[str, ...]
    generations: dict[str, Json] = field(default_factory=dict)

    def key_refusal(self, request: Request) -> Refusal | None:
        """Why the caller is not let in."""
        key = given_key(request)
        if self.dialect.key_required and not key:
            return Refusal(NO_KEY[self.dialect.error_code], 401)
        if key and key not in self.keys:
            return Refusal("User not found.", 401)
        return None

    def refusal(self, request: Request) -> Refusal | None:
        """Why a request is refused, None where it is accepted."""
        wrong = fault(Chat(request.body, self.dialect))
        return Refusal(wrong) if wrong else None

    def faults(self, request: Request, reply: Reply) -> list[str]:
        """Nothing is wrong beside the rules."""
        return []

    def learn(self, expected: Json) -> None:
        """Nothing that this endpoint writes is sealed."""

    def refuse(self, refusal: Refusal, **headers: str) -> Response:
        """The endpoint's own error."""
        error: Json = {"message": refusal.text, "type": refusal.kind, "code": None}
        if self.dialect.error_code:
            error = {"code": refusal.status, "message": refusal.text}
        return as_json(refusal.status, {"error": error}, headers)

    def respond(self, request: Request, reply: Reply) -> Response:
        """Send a reply of the script, whole or in chunks as it was asked for."""
        if reply.raw is not None or reply.status >= 400:
            return _as_it_is(reply)
        completion = self._completion(request, reply)
        self.generations[completion.get("id", "")] = completion
        if not request.streamed:
            return _sent(reply, json.dumps(completion, ensure_ascii=False).encode())
        frames = reply.frames or frames_of_completion(
            completion, reply.plan, self._tells_usage(request.body)
        )
        sent = list(shaped(tuple(frames), reply.plan, failing))
        headers = {**reply.headers, **STREAM_HEADERS}
        cut = reply.cut or reply.plan.cut_after is not None
        return Response(200, headers, b"", tuple(sent), reply.delay_s, cut)

    def _completion(self, request: Request, reply: Reply) -> Json:
        if reply.body is None:
            return completion_of_frames(reply.frames or ())
        if "error" in reply.body:
            return reply.body
        words = json.dumps(reply.body["choices"])
        counts = count_tokens(request.body), len(words) // 4
        completion: dict[str, Any] = {
            "id": mint("gen-"),
            "object": "chat.completion",
            "created": 1764530000,
            "model": request.body["model"],
            "usage": self._usage(*counts),
            **reply.body,
        }
        return _mapped(completion) if self.dialect.mapping_arguments else completion

    def _usage(self, prompt: int, answer: int) -> Json:
        usage: Json = {
            "prompt_tokens": prompt,
            "completion_tokens": answer,
            "total_tokens": prompt + answer,
            "prompt_tokens_details": {"cached_tokens": 0},
        }
        return {**usage, "cost": 0.001} if self.dialect.routes else usage

    def _tells_usage(self, body: Json) -> bool:
        asked = (body.get("stream_options") or {}).get("include_usage")
        return bool(self.dialect.usage_always or asked)

    def stats(self, request: Request) -> Response:
        """What a generation cost; 404 of one that is not known."""
        wanted = parse_qs(request.query).get("id", [""])[0]
        found = self.generations.get(wanted)
        if found is None:
            return self.refuse(Refusal(f"Generation {wanted} not found", 404))
        usage = found.get("usage", {})
        data = {"id": wanted, "model": found.get("model"), "usage": usage.get("cost")}
        return as_json(200, {"data": {**data, "total_cost": usage.get("cost")}}, {})


def _mapped(completion: Json) -> Json:
    """The same with every call's arguments as an object."""
    mapped = copy.deepcopy(completion)
    for choice in mapped["choices"]:
        for call in choice["message"].get("tool_calls") or []:
            function = call["function"]
            if isinstance(function["arguments"], str):
                function["arguments"] = json.loads(function["arguments"])
    return mapped


def _as_it_is(reply: Reply) -> Response:
    if reply.raw is not None:
        return _sent(reply, reply.raw)
    return _sent(reply, json.dumps(reply.body, ensure_ascii=False).encode())


def _sent(reply: Reply, body: bytes) -> Response:
    headers = {"content-type": "application/json", **reply.headers}
    return Response(reply.status, headers, body, None, reply.delay_s, reply.cut)


def is_chat(path: str) -> bool:
    """Whether this is where chats are posted to."""
    return path in PATHS
