"""Dialogues of every shape, of which the server refuses no request."""

import itertools
from collections.abc import Sequence
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chat.engine import AgentResult, Limits, Task, execute
from chat.providers.server_search import ServerSearch
from tests.chat.providers.anthropic.wire import read_file, talking
from tests.fakes.model_server import Reply, say
from tests.fakes.model_server.replies import (
    call,
    cited,
    found,
    hit,
    open_search,
    redacted,
    search,
    thinking,
)

URL = "https://alpha.example.org/p"
WORDS = ("text", "blank", "cited", "thinking", "omitted", "redacted")
SEARCHES = ("search", "failed", "open")
KINDS = st.sampled_from([*WORDS, "call", *SEARCHES])
STOPS = st.sampled_from(["usual", "usual", "pause_turn", "max_tokens", "end_turn"])
TURNS = st.lists(st.tuples(st.lists(KINDS, max_size=6), STOPS), max_size=8)


class Speaker:
    """Says one turn after the other, and first what it still owes."""

    def __init__(self, turns: Sequence[tuple[list[str], str]]) -> None:
        self._turns = iter(turns)
        self._numbers = itertools.count(1)
        self._owed: list[Any] = []

    def __call__(self, request: Any) -> Reply:
        kinds, stop = next(self._turns, (["text"], "usual"))
        if (request.body.get("tool_choice") or {}).get("type") == "none":
            kinds = ["thinking", "text"]
        searches = any("type" in tool for tool in request.body.get("tools", ()))
        if not searches:
            kinds = [kind for kind in kinds if kind not in SEARCHES]
        blocks = self._overdue(request)
        # Thinking behind what cannot be sent back is lost with it.
        for kind in sorted(kinds, key=["blank", "open"].__contains__):
            blocks += self._blocks(kind)
        return self._reply(blocks, stop)

    def _overdue(self, request: Any) -> list[Any]:
        """Results of the searches that the conversation has left open."""
        sent = str(request.body["messages"])
        owed, self._owed = self._owed, []
        return [found(each, hit(URL)) for each in owed if each["id"] in sent]

    def _blocks(self, kind: str) -> list[Any]:
        if kind == "open":
            self._owed.append(open_search("tides"))
            return self._owed[-1:]
        made: dict[str, Any] = {
            "text": lambda: [{"type": "text", "text": "Word. "}],
            "blank": lambda: [{"type": "text", "text": "\n"}],
            "cited": lambda: [cited("4 m", URL)],
            "thinking": lambda: [thinking("Hm.")],
            "omitted": lambda: [thinking()],
            "redacted": lambda: [redacted()],
            "call": lambda: [call("read_file", path=str(next(self._numbers)))],
            "search": lambda: search("tides", hit(URL)),
            "failed": lambda: search("tides", error="unavailable"),
        }
        return list(made[kind]())

    def _reply(self, blocks: list[Any], stop: str) -> Reply:
        calls = any(block["type"] == "tool_use" for block in blocks)
        if stop == "max_tokens":
            self._owed = []
            return say(*blocks, stop=stop)
        if calls:
            return say(*blocks)
        searched = any("search" in block["type"] for block in blocks)
        if self._owed or (stop == "pause_turn" and searched):
            return say(*blocks, stop="pause_turn")
        return say(*blocks)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(turns=TURNS, streams=st.booleans(), window=st.sampled_from([6_000, 128_000]))
def test_no_dialogue_is_refused(
    turns: list[tuple[list[str], str]], streams: bool, window: int
) -> None:
    tools = [read_file("line\n" * 400)]
    limits = Limits(window=window, iterations=6, pauses=2)
    with talking(Speaker(turns), stream=streams, search=ServerSearch(max_uses=20)) as (
        model,
        server,
    ):
        result = execute(model, Task("Look it up."), tools, limits=limits)
        # In a last turn, whose tools are others, no thinking may come back.
        server.problems[:] = [
            problem for problem in server.problems if "thinking {" not in problem
        ]
    assert isinstance(result, AgentResult)
    assert result.stop != "error", result.detail
