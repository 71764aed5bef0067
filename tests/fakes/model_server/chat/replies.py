"""What a script has a chat endpoint say.

chat("It is 4 m.", annotations=[url_citation("https://a.example/p", 0, 10)])
chat(None, tool("read_file", path="a"), tool("read_file", arguments='{"path":'))
chat_failure(429, retry_after=2), inside_200(502, "Provider returned error")
"""

import json
from typing import Any

from tests.fakes.model_server.replies import Reply, mint
from tests.fakes.model_server.values import Json

MEANINGS = {
    400: "Bad request",
    401: "No auth credentials found",
    402: "Insufficient credits",
    403: "The input was flagged by moderation",
    408: "Request timed out",
    429: "Rate limit exceeded",
    502: "Provider returned error",
    503: "No available model provider meets your routing requirements",
}


def chat(
    words: str | None,
    *calls: Json,
    stop: str | None = None,
    annotations: list[Json] | None = None,
    usage: Json = None,
    **message: Any,
) -> Reply:
    """One choice; stop is tool_calls where there are calls, else "stop".

    message: more fields of the message, such as reasoning_details.
    """
    said: Json = {"role": "assistant", "content": words, **message}
    if annotations is not None:
        said["annotations"] = annotations
    if calls:
        said["tool_calls"] = [{"index": n, **each} for n, each in enumerate(calls)]
    reason = stop or ("tool_calls" if calls else "stop")
    choice = {"index": 0, "finish_reason": reason, "message": said}
    return Reply({"choices": [choice], **({"usage": usage} if usage else {})})


def tool(
    name: str,
    *,
    arguments: str | Json = None,
    id: str | None = None,  # noqa: A002
    **named: Any,
) -> Json:
    """A call; `arguments` as the endpoint writes them, or made of the named ones."""
    written = json.dumps(named) if arguments is None else arguments
    return {
        "id": id or mint("call_"),
        "type": "function",
        "function": {"name": name, "arguments": written},
    }


def url_citation(url: str, start: int, end: int, **more: str) -> Json:
    """One annotation; title and content may be added."""
    place = {"url": url, "start_index": start, "end_index": end, **more}
    return {"type": "url_citation", "url_citation": place}


def chat_failure(
    status: int,
    message: str | None = None,
    *,
    retry_after: float | str | None = None,
    **metadata: Any,
) -> Reply:
    """An error as OpenRouter writes it; metadata such as raw and provider_name."""
    headers = {} if retry_after is None else {"retry-after": str(retry_after)}
    return Reply(_error(status, message, metadata), status, headers)


def inside_200(status: int, message: str | None = None, **metadata: Any) -> Reply:
    """An error in the body of a 200, for what failed after it had begun."""
    return Reply(_error(status, message, metadata))


def _error(status: int, message: str | None, metadata: dict[str, Any]) -> Json:
    text = message or MEANINGS.get(status, "Internal Server Error")
    error = {"code": status, "message": text}
    return {"error": {**error, "metadata": metadata} if metadata else error}
