"""Runs of one script over a socket: our model's, and other libraries' in processes."""

import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.engine_libraries import ROOT, Library, NotAvailable
from benchmarks.wire_peers.dialogue import ANSWER, Dialogue, page
from benchmarks.wire_server import Meter, Turn
from chat.engine import Limits, Task, Tool, ToolResult, execute
from chat.providers.anthropic import AnthropicModel
from chat.providers.anthropic.caching import TTL
from chat.providers.prices import cost
from chat.providers.server_search import ServerSearch
from chat.toolset import document_tools
from chat.web.search import Document, DocumentIndex
from research.agent.briefing import brief
from research.agent.toolset import record_tools
from research.subjects.identity import parse_subject
from research.subjects.questions import questions_for
from tests.fakes.model_server import KEY, WireProblem, serving

MODEL = "claude-sonnet-5-5"
ROUNDS = 30
ROUND_CHARS = 4_000
CASE_S = 180

Client = Callable[[Meter, "Research"], None]


@dataclass(frozen=True, slots=True)
class Research:
    """What every run is given: a real briefing, and tools as the product declares them,
    of which each answers with the page that it is called for."""

    task: Task
    tools: Sequence[Tool]
    rounds: Sequence[Sequence[str]]
    page_chars: int


@dataclass(frozen=True, slots=True)
class Run:
    """What one run sent and used. remarks: what the server found wrong with it."""

    turns: Sequence[Turn]
    remarks: Sequence[str]

    def total(self, name: str) -> int:
        """Return the tokens of one kind in all requests."""
        return sum(getattr(turn.usage, name) for turn in self.turns)

    @property
    def size(self) -> int:
        """Bytes of all requests."""
        return sum(turn.size for turn in self.turns)

    @property
    def unread(self) -> int:
        """Prompt tokens that no cache had: new ones, and those that are sent again."""
        return self.total("prompt_tokens") - self.total("cache_read_tokens")

    @property
    def cost(self) -> Decimal:
        """US dollars for all that was read, written and searched."""
        return sum((_bill(turn) for turn in self.turns), Decimal(0))

    @property
    def prompt_cost(self) -> Decimal:
        """US dollars for the prompts alone."""
        prompts = (
            replace(turn, usage=replace(turn.usage, output_tokens=0, searches=0))
            for turn in self.turns
        )
        return sum(map(_bill, prompts), Decimal(0))


def take(client: Client, width: int) -> Run:
    """Let the client play the script, with `width` calls in each round.

    NotAvailable where it does not get to the end.
    """
    given = research(width)
    meter = Meter(given.rounds)
    with serving(meter):
        client(meter, given)
    if len(meter.turns) != ROUNDS + 1:
        msg = f"{len(meter.turns)} requests instead of {ROUNDS + 1}"
        raise NotAvailable(msg)
    return Run(meter.turns, meter.problems)


def ours(lifetime: TTL | None) -> Client:
    """Return our own model and loop, whose every request must be without fault."""

    def play(meter: Meter, given: Research) -> None:
        model = AnthropicModel(
            MODEL,
            api_key=KEY,
            base_url=meter.base_url,
            search=ServerSearch(),
            cache=lifetime,
        )
        limits = Limits(mode="autonomous", tool_calls=1_000)
        result = execute(model, given.task, given.tools, limits=limits)
        model.close()
        meter.check()
        if not result.output.endswith(ANSWER):
            msg = f"the run ended with {result.stop}: {result.detail}"
            raise WireProblem(msg)

    return play


def peer(library: Library, python: Path) -> Client:
    """Return another library in its own interpreter; NotAvailable where it fails."""
    module = f"benchmarks.wire_peers.{library.workload}"
    command = [str(python), "-E", "-s", "-W", "ignore", "-m", module, library.variant]

    def play(meter: Meter, given: Research) -> None:
        try:
            done = subprocess.run(
                command,
                input=_dialogue(meter, given).as_json(),
                cwd=ROOT,
                env={"PATH": os.environ.get("PATH", "")},
                capture_output=True,
                text=True,
                timeout=CASE_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            msg = f"not done in {CASE_S} s"
            raise NotAvailable(msg) from None
        if done.returncode:
            said = done.stderr.strip().splitlines() or ["no word"]
            raise NotAvailable("; ".join([*meter.problems[:1], said[-1]]))

    return play


@cache
def research(width: int) -> Research:
    """Return the briefing of a package with as many documents as will be read."""
    subject, chars = parse_subject("pkg:pypi/example@1.0"), ROUND_CHARS // width
    rounds = [
        [f"doc:example/{number:02}-{part:02}.txt" for part in range(width)]
        for number in range(ROUNDS)
    ]
    documents = [
        Document(uri, f"Part {uri}", page(uri, chars))
        for uris in rounds
        for uri in uris
    ]
    index, questions = DocumentIndex(documents), questions_for(subject)
    declared = [*document_tools(index), *record_tools(questions, index)]

    def read(arguments: dict[str, Any]) -> ToolResult:
        return ToolResult(page(arguments["uri"], chars))

    tools = [replace(tool, call=read) for tool in declared]
    return Research(brief(subject, questions, documents), tools, rounds, chars)


def _dialogue(meter: Meter, given: Research) -> Dialogue:
    tools = [
        {
            "name": tool.name,
            "description": tool.description,
            "input_schema": dict(tool.input_schema),
        }
        for tool in given.tools
    ]
    return Dialogue(
        base_url=meter.base_url,
        key=KEY,
        model=MODEL,
        system=given.task.system,
        question=given.task.objective,
        tools=tools,
        page_chars=given.page_chars,
    )


def _bill(turn: Turn) -> Decimal:
    price = cost(MODEL, turn.usage)
    if price is None:
        msg = f"There is no price of {MODEL}."
        raise LookupError(msg)
    return price
