"""A client that does all right is never refused, whatever the server says."""

from typing import Any

import httpx2
from anthropic import Anthropic, APIConnectionError, APIStatusError, BadRequestError
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fakes.model_client import HELLO, ask, sdk
from tests.fakes.model_server import Reply, call, failure, hang_up, say, wire
from tests.fakes.model_server.replies import (
    cited,
    found,
    hit,
    open_search,
    redacted,
    search,
    thinking,
)

TOOLS = [
    {
        "type": "web_search_20260209",
        "name": "web_search",
        "allowed_callers": ["direct"],
    },
    {"name": "read", "input_schema": {"type": "object"}},
]
WORDS = st.text(min_size=1, max_size=20).filter(str.strip)
MAKERS = {
    "text": lambda words: ["", words],
    "cited": lambda words: [cited(words, "https://a.example/p")],
    "thinking": lambda words: [thinking(words)],
    "withheld": lambda words: [thinking()],
    "redacted": lambda words: [redacted()],
    "search": lambda words: list(search(words, hit("https://a.example/p"))),
    "no hit": lambda words: list(search(words)),
    "failed": lambda words: list(search(words, error="unavailable")),
    "call": lambda words: [call("read", path=words)],
}
KINDS = st.sampled_from(sorted(MAKERS))
TURNS = st.lists(
    st.tuples(
        st.lists(st.tuples(KINDS, WORDS), min_size=1, max_size=4),
        st.sampled_from(["go on", "pause", "open", "cut", "fail", "break", "hang up"]),
    ),
    min_size=1,
    max_size=6,
)


def _script(turns: Any, piece: int) -> list[Reply]:
    """Replies that a server could give, ended by one that says all is done."""
    replies: list[Reply] = []
    left_open: Any = None
    for parts, ending in turns:
        blocks = [block for kind, words in parts for block in MAKERS[kind](words)]
        if left_open:
            blocks.insert(0, found(left_open, hit("https://b.example/p")))
            left_open = None
        calls = any(isinstance(b, dict) and b["type"] == "tool_use" for b in blocks)
        if ending == "open":
            left_open = open_search("more")
            blocks.append(left_open)
        stop = None if calls else "pause_turn" if ending in ("pause", "open") else None
        if not calls and ending in ("pause", "open") and not _searched(blocks):
            blocks += search("again")
        reply = say(*blocks, stop=stop).streamed(piece=piece)
        replies += [*_fault(ending, reply), reply]
    if left_open:
        replies.append(say(found(left_open), "All done."))
    return replies


def _searched(blocks: Any) -> bool:
    return any(isinstance(b, dict) and b["type"] == "server_tool_use" for b in blocks)


def _fault(ending: str, reply: Reply) -> list[Reply]:
    faults = {
        "fail": [failure(529)],
        "hang up": [hang_up()],
        "break": [reply.streamed(error_after=2)],
        "cut": [reply.streamed(cut_after=3)],
    }
    return faults.get(ending, [])


class Client:
    """Goes on as the API wants it; asks again where it was not answered."""

    def __init__(self, sdk_client: Anthropic, stream: bool) -> None:
        self.sdk = sdk_client
        self.stream = stream
        self.messages: list[Any] = list(HELLO)

    def step(self) -> None:
        """One answer, and what is to be said to it."""
        message = self._answered()
        said = [_sendable(block) for block in message.to_dict(mode="json")["content"]]
        content = [block for block in said if block.get("text", "x")]
        if content:
            self.messages.append({"role": "assistant", "content": content})
        calls = [block["id"] for block in content if block["type"] == "tool_use"]
        if calls:
            answers = [{"type": "tool_result", "tool_use_id": name} for name in calls]
            self.messages.append({"role": "user", "content": answers})
        elif message.stop_reason != "pause_turn":
            self.messages.append({"role": "user", "content": "And then?"})

    def _answered(self) -> Any:
        while True:
            try:
                return ask(self.sdk, self.messages, tools=TOOLS, stream=self.stream)
            except BadRequestError:
                raise
            except (httpx2.TransportError, APIConnectionError, APIStatusError):
                continue


def _sendable(block: Any) -> Any:
    """Without what the SDK puts in; null and absent are the same to the API."""
    return {key: value for key, value in block.items() if value is not None}


@settings(deadline=None)
@given(TURNS, st.booleans(), st.integers(1, 30))
def test_a_good_client_is_never_refused(turns: Any, stream: bool, piece: int) -> None:
    script = _script(turns, piece)
    if not stream:
        script = [reply for reply in script if not _breaks(reply)]
    with wire(script, socket=False) as server:
        client = Client(sdk(server), stream)
        while server.script.left:
            client.step()


def _breaks(reply: Reply) -> bool:
    return reply.plan.cut_after is not None or reply.plan.error_after is not None
