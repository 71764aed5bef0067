"""What a script has the server say, in the words of the Messages API.

say("Let me look.", call("read_file", path="a"))      one response, stop tool_use
say(*search("tides", hit("https://a.example/p")), cited("4 m", "https://a.example/p"))
failure(529), failure(429, retry_after=2), hang_up(), page("<html>…")
refused("Input tag 'web_search_")                     the contract refuses this one
"""

import itertools
from dataclasses import dataclass, field, replace
from typing import Any

from tests.fakes.model_server.sse import Plan
from tests.fakes.model_server.values import Block, Frame, Json

ERRORS = {
    400: ("invalid_request_error", "The request is not valid."),
    401: ("authentication_error", "invalid x-api-key"),
    402: ("billing_error", "There's an issue with your billing information."),
    403: ("permission_error", "Your API key does not have permission for this."),
    404: ("not_found_error", "Not found"),
    409: ("conflict_error", "Conflict"),
    413: ("request_too_large", "Request exceeds the maximum size"),
    429: ("rate_limit_error", "This request would exceed your rate limit."),
    500: ("api_error", "Internal server error"),
    504: ("timeout_error", "Request timed out"),
    529: ("overloaded_error", "Overloaded"),
}

_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of the script, whole or streamed as the client asks.

    body: the JSON; of a message, what is missing is filled in when it is sent. frames:
    a stream as recorded. raw: an answer that is not JSON. refusal: not an answer, but
    the text, or its beginning, with which the contract refuses the request.
    """

    body: Json = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    frames: tuple[Frame, ...] | None = None
    raw: bytes | None = None
    plan: Plan = field(default_factory=Plan)
    delay_s: float = 0.0
    cut: bool = False
    refusal: str | None = None

    def streamed(self, **plan: Any) -> "Reply":
        """The same, streamed in another way: the fields of `Plan`."""
        return replace(self, plan=replace(self.plan, **plan))

    def delayed(self, seconds: float) -> "Reply":
        """The same, after a silence."""
        return replace(self, delay_s=seconds)


def say(*blocks: str | Block, stop: str | None = None, **fields: Any) -> Reply:
    """A message of these blocks; a bare text is a text block.

    fields: any of the response, such as usage, container, model or stop_details.
    """
    content = [text(block) if isinstance(block, str) else block for block in blocks]
    called = any(block["type"] == "tool_use" for block in content)
    reason = stop or ("tool_use" if called else "end_turn")
    return Reply({"content": content, "stop_reason": reason, **fields})


def failure(
    status: int,
    message: str | None = None,
    *,
    kind: str | None = None,
    retry_after: float | str | None = None,
    error_code: str | None = None,
    **headers: str,
) -> Reply:
    """An error; kind and message are the usual ones of the status."""
    usual_kind, usual_text = ERRORS.get(status, ("api_error", "Error"))
    error: Json = {"type": kind or usual_kind, "message": message or usual_text}
    if error_code:
        error["details"] = {"error_code": error_code}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if retry_after is not None:
        named["retry-after"] = str(retry_after)
    return Reply({"type": "error", "error": error}, status, named)


def refused(beginning: str) -> Reply:
    """The contract refuses this request, with a text that holds these words."""
    return Reply(refusal=beginning)


def hang_up() -> Reply:
    """The connection is closed without a word."""
    return Reply(status=0, raw=b"", cut=True)


def page(text: str, status: int = 200) -> Reply:
    """What a proxy says in place of the API."""
    return Reply(None, status, {"content-type": "text/html"}, raw=text.encode())


def text(words: str, *citations: Block) -> Block:
    """A text block; without citations it has no such key."""
    block: Block = {"type": "text", "text": words}
    return {"citations": list(citations), **block} if citations else block


def cited(words: str, url: str, quote: str = "", title: str | None = None) -> Block:
    """A text block with one web citation."""
    return text(words, citation(url, quote or words, title))


def citation(url: str, quote: str, title: str | None = None) -> Block:
    """A citation of a web search result."""
    return {
        "type": "web_search_result_location",
        "cited_text": quote,
        "url": url,
        "title": title,
        "encrypted_index": mint("Ei"),
    }


def call(name: str, *, id: str | None = None, **arguments: Any) -> Block:  # noqa: A002
    """A call of a client tool."""
    return {
        "type": "tool_use",
        "id": id or mint("toolu_01"),
        "name": name,
        "input": arguments,
    }


def thinking(words: str = "") -> Block:
    """A signed thinking block; without words, one whose text is withheld."""
    return {"type": "thinking", "thinking": words, "signature": mint("Eq")}


def redacted() -> Block:
    """A thinking block that is hidden altogether."""
    return {"type": "redacted_thinking", "data": mint("Er")}


def hit(url: str, title: str = "A page", age: str | None = None) -> Block:
    """One result of a web search."""
    return {
        "type": "web_search_result",
        "title": title,
        "url": url,
        "encrypted_content": mint("Ec"),
        "page_age": age,
    }


def search(query: str, *hits: Block, error: str | None = None) -> tuple[Block, Block]:
    """A search by the server and its result: hits, none, or an error code."""
    asked = open_search(query)
    return asked, found(asked, *hits, error=error)


def open_search(query: str) -> Block:
    """A search by the server whose result comes in a later response."""
    return {
        "type": "server_tool_use",
        "id": mint("srvtoolu_01"),
        "name": "web_search",
        "input": {"query": query},
    }


def found(asked: Block, *hits: Block, error: str | None = None) -> Block:
    """The result of a search that was left open."""
    wrong = {"type": "web_search_tool_result_error", "error_code": error}
    return {
        "type": "web_search_tool_result",
        "tool_use_id": asked["id"],
        "content": wrong if error else list(hits),
    }


def mint(prefix: str) -> str:
    """An opaque text that was not issued before."""
    return f"{prefix}{next(_numbers):022d}"
