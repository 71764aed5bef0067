"""A server that says what a dialogue asks for, as far as the API could say it there."""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from tests.fakes.model_server import Clock, Reply, failure, hang_up, say
from tests.fakes.model_server.replies import (
    call,
    cited,
    found,
    hit,
    mint,
    open_search,
    redacted,
    search,
    text,
    thinking,
)
from tests.fakes.model_server.values import Block, Json, Request

URL = "https://alpha.example.org/p"
PROGRAM = "code_execution_20260120"
# Blocks, and then how the reply ends or what becomes of it on the way.
BLOCKS = (
    *("text", "blank", "cited", "thinking", "omitted", "redacted", "call"),
    *("search", "failed search", "open search", "code", "program", "unknown"),
)
ENDS = ("usual", "pause_turn", "max_tokens", "window", "refusal", "busy", "hang up")
BREAKS = ("error in the stream", "cut socket", "stream that just ends")
# What must have been seen in a dialogue, to be sure that the test says something.
RARE = (
    *("search open beside a call", "search open in a pause", "call that was cut"),
    *("container sent", "container expired", "several calls", "thinking before a call"),
)


@dataclass(frozen=True, slots=True)
class Said:
    """One turn: kinds of blocks, how it ends, and whether time passes before it."""

    kinds: tuple[str, ...]
    end: str = "usual"
    later: bool = False


class Speaker:
    """Says one turn after the other, and first what it still owes.

    seen: what it has said. written: the text of the turn that is being written.
    """

    def __init__(self, turns: Sequence[Said], clock: Clock, *, streams: bool) -> None:
        self.seen: Counter[str] = Counter()
        self.written = ""
        self._turns = iter(turns)
        self._clock = clock
        self._streams = streams
        self._numbers = itertools.count(1)
        self._owed: list[Block] = []
        self._container: Json = None
        self._paused = False

    def __call__(self, request: Request) -> Reply:
        """The reply to a request that the contract accepts."""
        turn = next(self._turns, Said(("text",)))
        body = request.body
        self.seen["container sent"] += "container" in body
        if turn.later and self._container:
            self._clock.advance(3600)
            self.seen["container expired"] += 1
        if turn.end in ("busy", "hang up", *BREAKS):
            self.seen[turn.end] += 1
            return self._broken(turn.end)
        # Nothing but a full window is no reply; it would be asked for again.
        kinds = ("text", *turn.kinds) if turn.end == "window" else turn.kinds
        blocks = [*self._overdue(body), *self._blocks(body, kinds)]
        return self._reply(blocks, turn.end, _closing(body))

    def _broken(self, end: str) -> Reply:
        if end == "busy" or (end in BREAKS and not self._streams):
            return failure(529)
        if end == "hang up":
            return hang_up()
        how = {"error in the stream": "error_after", "cut socket": "cut_after"}
        half = say(thinking("Hm."), text("Lost words."), call("read_file", path="lost"))
        return half.streamed(**{how.get(end, "end_after"): 9})

    def _overdue(self, body: Json) -> Iterator[Block]:
        """Results of the server's calls that the conversation has left open."""
        sent = str(body["messages"])
        owed, self._owed = self._owed, []
        for each in owed:
            if each["id"] in sent:
                yield found(each, hit(URL)) if _searches(each) else _output(each)

    def _blocks(self, body: Json, kinds: Sequence[str]) -> Iterator[Block]:
        offered = [tool.get("name") for tool in body.get("tools", ())]
        for kind in sorted(kinds, key=["blank", "open search"].__contains__):
            needs = {"code": "code_execution", "program": "code_execution"}
            needs |= dict.fromkeys(
                ("search", "open search", "failed search"), "web_search"
            )
            if _closing(body) and kind in ("call", "unknown", *needs):
                continue
            if needs.get(kind, offered[:1]) in (*offered, offered[:1]):
                self.seen[kind] += 1
                yield from self._made(kind)

    def _made(self, kind: str) -> Sequence[Block]:
        number = str(next(self._numbers))
        if kind == "open search":
            self._owed.append(open_search("tides"))
            return self._owed[-1:]
        if kind == "program":
            asked = self._code()
            self._owed.append(asked)
            caller = {"type": PROGRAM, "tool_id": asked["id"]}
            return [asked, {**call("read_file", path=number), "caller": caller}]
        if kind == "code":
            asked = self._code()
            return [asked, _output(asked)]
        if kind in ("search", "failed search"):
            error = "unavailable" if kind == "failed search" else None
            return search("tides", *([] if error else [hit(URL)]), error=error)
        made: dict[str, Block] = {
            "text": text(f"Word {number}. "),
            "blank": text("\n"),
            "cited": cited(f"{number} m", URL),
            "thinking": thinking("Hm."),
            "omitted": thinking(),
            "redacted": redacted(),
            "call": call("read_file", path=number),
            "unknown": call("no_such_tool", path=number),
        }
        return [made[kind]]

    def _code(self) -> Block:
        until = self._clock() + timedelta(minutes=30)
        name = self._container["id"] if self._container else mint("container_01")
        self._container = {"id": name, "expires_at": until.isoformat()}
        code = {"name": "code_execution", "input": {"code": "..."}}
        return {"type": "server_tool_use", "id": mint("srvtoolu_01"), **code}

    def _reply(self, blocks: list[Block], end: str, closing: bool) -> Reply:
        stop = self._stop(blocks, end)
        self._note(blocks, stop)
        said = "".join(block["text"] for block in blocks if block["type"] == "text")
        self.written = (self.written if self._paused else "") + said
        self._paused = stop == "pause_turn"
        if stop in ("max_tokens", "model_context_window_exceeded"):
            self._owed = []
        if stop == "refusal":
            self._owed, self.written = [], ""
            return say(*blocks, stop=stop, stop_details={"category": "cyber"})
        fields = {"container": self._container} if self._container else {}
        return say(*blocks, stop=stop, **fields)

    def _stop(self, blocks: list[Block], end: str) -> str:
        calls = any(block["type"] == "tool_use" for block in blocks)
        if any("caller" in block for block in blocks) and end != "refusal":
            # A program that has called a tool was whole, and waits.
            return "tool_use"
        if end in ("max_tokens", "refusal"):
            return end
        if end == "window":
            return "model_context_window_exceeded"
        if calls:
            return "tool_use"
        searched = any(block["type"] == "server_tool_use" for block in blocks)
        paused = self._owed or (end == "pause_turn" and searched)
        return "pause_turn" if paused else "end_turn"

    def _note(self, blocks: list[Block], stop: str) -> None:
        kinds = [block["type"] for block in blocks]
        calls = kinds.count("tool_use")
        self.seen[stop] += 1
        self.seen["several calls"] += calls > 1
        self.seen["thinking before a call"] += bool(calls) and "thinking" in kinds
        self.seen["call that was cut"] += bool(calls) and stop == "max_tokens"
        open_ones = any(_searches(each) for each in self._owed)
        self.seen["search open beside a call"] += open_ones and stop == "tool_use"
        self.seen["search open in a pause"] += open_ones and stop == "pause_turn"


def _closing(body: Json) -> bool:
    return (body.get("tool_choice") or {}).get("type") == "none"


def _searches(block: Block) -> bool:
    return bool(block["name"] == "web_search")


def _output(asked: Block) -> Block:
    result = {"type": "code_execution_result", "stdout": "4\n", "stderr": ""}
    return {
        "type": "code_execution_tool_result",
        "tool_use_id": asked["id"],
        "content": {**result, "return_code": 0, "content": []},
    }
