"""A scenario file as a run: the task, the tools and the search that it presupposes.

The run goes through the loop and the SDK over a real socket. Of a file that begins in
the middle of a run, what came before is played first, from its first request's own
messages; of a file that ends in the middle of one, a last word is added.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from chat.engine import AgentResult, Limits, ModelReply, RunFinished, Task
from chat.engine.events import (
    JournaledEvent,
    ModelReplied,
    ToolCalled,
)
from chat.engine.model_turn import MAX_ATTEMPTS
from chat.providers.anthropic import AnthropicModel
from tests.chat.providers.anthropic.earlier import Earlier, text_of
from tests.chat.providers.anthropic.offered import Offered
from tests.chat.providers.following import followed
from tests.fakes.model_server import KEY, Clock, ModelServer, Tolerance, say, wire
from tests.fakes.model_server.scenario import Exchange, Scenario
from tests.fakes.model_server.sse import message_of_frames
from tests.fakes.model_server.values import Json, Request

# All is compared but two tools: the loop's own comes along with others, and the
# fetching of pages by the server is none that the product offers.
EXACT = Tolerance(
    details=frozenset(),
    tool_schemas=True,
    extra_tools=frozenset({"recall", "web_fetch"}),
)
AGAIN = (429, 500, 504, 529)
OPEN = ("tool_use", "pause_turn")


@dataclass(frozen=True, slots=True)
class Played:
    """A scenario and what came of it.

    lead: requests before its first one. more: requests after its last one. closed: the
    last of these is answered with a last word.
    """

    scenario: Scenario
    events: list[JournaledEvent]
    server: ModelServer
    lead: int
    more: int = 0
    closed: bool = False

    @property
    def result(self) -> AgentResult:
        """What the run ended in."""
        finished = self.events[-1]
        assert isinstance(finished, RunFinished)
        return finished.result

    @property
    def requests(self) -> list[Request]:
        """Those of the scenario."""
        return self.server.seen[self.lead : len(self.server.seen) - self.more]

    @property
    def replies(self) -> list[ModelReply]:
        """Those of the scenario."""
        replied = [e.reply for e in self.events if isinstance(e, ModelReplied)]
        return replied[self.lead : len(replied) - self.closed]

    @property
    def ran(self) -> list[str]:
        """Names of the tools that the scenario's own calls ran."""
        asked = {call.id for reply in self.replies for call in reply.calls}
        called = [e.call for e in self.events if isinstance(e, ToolCalled)]
        return [call.name for call in called if call.id in asked]

    def of(self, kind: type[Any]) -> list[Any]:
        """Events of a kind."""
        return [event for event in self.events if isinstance(event, kind)]


@dataclass
class Play:
    """How a scenario is played.

    streams: in pieces; None as the file says. script: exchanges in place of its own.
    """

    scenario: Scenario
    streams: bool | None = None
    script: Sequence[Exchange] | None = None
    limits: dict[str, Any] = field(default_factory=dict)
    tolerance: Tolerance = EXACT
    schema: Json = None

    def __post_init__(self) -> None:
        self.first = self.scenario.exchanges[0].expected["body"]
        if self.streams is None:
            self.streams = bool(self.first.get("stream"))
        self.earlier = Earlier(self.first)
        self.offered = Offered(self.scenario)

    def play(self) -> Played:
        """Run it; what was wrong on the wire fails."""
        own = self.scenario.exchanges if self.script is None else self.script
        more = _more(own) if self.script is None else []
        lead = self.earlier.exchanges
        script = [self._in_mode(each) for each in (*lead, *own, *more)]
        tolerance = replace(self.tolerance, own_words=self.offered.own_words)
        with wire(script, tolerance=tolerance, clock=Clock()) as server:
            model = self.model(server)
            events = followed(model, self._task(), self.offered.tools, self._limits())
            model.close()
        closed = bool(more) and not _fails(more[-1])
        return Played(self.scenario, events, server, len(lead), len(more), closed)

    def model(self, server: ModelServer) -> AnthropicModel:
        """The model that the scenario talks to."""
        return AnthropicModel(
            self.first["model"],
            api_key=KEY,
            base_url=server.base_url,
            search=self.offered.search,
            stream=bool(self.streams),
            thinking=self.first.get("thinking"),
            effort=self.first.get("output_config", {}).get("effort"),
            cited_tools=self.offered.readers,
            clock=Clock(),
        )

    def _task(self) -> Task:
        wanted = self.first.get("output_config", {}).get("format", {}).get("schema")
        system = self.first.get("system", "")
        return Task(
            self.earlier.objective,
            system=text_of(system) if system else "",
            messages=self.earlier.messages,
            output_schema=self.schema or wanted,
        )

    def _limits(self) -> Limits:
        choice = self.first.get("tool_choice", {})
        alone = choice.get("disable_parallel_tool_use", False)
        longest = self.first["max_tokens"]
        settings = {"max_output_tokens": longest, "disable_parallel_tool_use": alone}
        return Limits(**{**settings, **self.limits})

    def _in_mode(self, exchange: Exchange) -> Exchange:
        """The same, asked for in pieces or whole."""
        if exchange.expected is None:
            return exchange
        body = {k: v for k, v in exchange.expected["body"].items() if k != "stream"}
        if self.streams:
            body["stream"] = True
        return replace(exchange, expected={**exchange.expected, "body": body})


def _more(own: Sequence[Exchange]) -> list[Exchange]:
    """A last word where the last reply is to be answered; failures up to the last try.

    The loop tries as often as the SDK does.
    """
    if _fails(own[-1]):
        return [own[-1]] * (MAX_ATTEMPTS - sum(map(_fails, own)))
    return [Exchange(say("Done."))] if _open(own[-1]) else []


def breaks_off(exchange: Exchange) -> bool:
    """Whether it is a stream that just ends: no error, and no end of the message."""
    frames = exchange.reply.frames
    if not frames or "error" in message_of_frames(frames):
        return False
    return not any(b"message_stop" in frame.data for frame in frames)


def _fails(exchange: Exchange) -> bool:
    return exchange.reply.status in AGAIN or breaks_off(exchange)


def _open(last: Exchange) -> bool:
    reply = last.reply
    message = message_of_frames(reply.frames) if reply.frames else reply.body
    content = message.get("content") or ()
    called = any(block["type"] == "tool_use" for block in content)
    return called or message.get("stop_reason") in OPEN
