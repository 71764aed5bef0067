"""The scenario files, each run through the loop and the SDK over a real socket.

Not here: 12b, 25 and 26 (asserted with the errors), 21 and 27 (no runs), 09 and 16 (the
loop answers a cut call and compacts in its own way, tested with it), 28 to 30 (of
OpenRouter).
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from chat.engine import AgentResult, Limits, ModelReply, Task, Tool, ToolResult, execute
from chat.providers.anthropic import AnthropicModel
from chat.providers.own_results import OwnResult
from chat.providers.server_search import ServerSearch
from tests.chat.providers.anthropic.wire import ask, streamed
from tests.fakes.model_server import KEY, Clock, ModelServer, Tolerance, load, wire

RUNS = [
    "01_citation_first_text",
    "01s_citation_first_text_stream",
    "02_citations_many_blocks",
    "03_three_parallel_tool_use",
    "04_unknown_tool",
    "05_pause_turn_twice",
    "06_container_carry",
    "07_web_search_error",
    "08_max_uses_exceeded",
    "10_refusal",
    "11_empty_content",
    "12_rate_limit_then_ok",
    "13_overloaded_529",
    "14_ptc_conflict_fallback",
    "15_unknown_tool_version_fallback",
    "17_tool_input_is_a_string",
    "18_thinking_blocks",
    "22_overloaded_mid_stream",
]
STREAMS = [
    "03s_three_parallel_tool_use_stream",
    "06s_container_in_stream",
    "09s_max_tokens_mid_tool_use_stream",
    "18s_thinking_blocks_stream",
]
# What the loop says in its own words: to an empty reply, and of calls it does not run.
OWN_WORDS = Tolerance(user_texts=True, result_texts=True)


class Play:
    """What a scenario says of the run: its task, tools, search, and their results."""

    def __init__(self, name: str) -> None:
        self.scenario = load(name)
        bodies = [each.expected["body"] for each in self.scenario.exchanges]
        self.first = bodies[0]
        self._answers = dict(self._answered(bodies[-1]["messages"]))

    @property
    def task(self) -> str:
        return str(self.first["messages"][0]["content"])

    @property
    def tools(self) -> list[Tool]:
        return [self._tool(each) for each in self._listed() if "type" not in each]

    @property
    def search(self) -> ServerSearch | None:
        named = {each["name"]: each for each in self._listed() if "type" in each}
        block = named.get("web_search")
        if block is None:
            return None
        code = named.get("code_execution", {}).get("type")
        return ServerSearch(
            version=block["type"],
            max_uses=block.get("max_uses"),
            dynamic_filtering="allowed_callers" not in block,
            code_execution=code,
            code_tools=[each.name for each in self.tools] if code else [],
        )

    @property
    def limits(self) -> Limits:
        choice = self.first.get("tool_choice", {})
        alone = choice.get("disable_parallel_tool_use", False)
        return Limits(disable_parallel_tool_use=alone)

    def model(self, server: ModelServer) -> AnthropicModel:
        return AnthropicModel(
            self.first["model"],
            api_key=KEY,
            base_url=server.base_url,
            search=self.search,
            stream=bool(self.first.get("stream")),
            thinking=self.first.get("thinking"),
            cited_tools={each.name: _passages for each in self.tools},
            clock=Clock(),
        )

    def _listed(self) -> list[Any]:
        listed: list[Any] = self.first.get("tools", [])
        return listed

    def _tool(self, block: Mapping[str, Any]) -> Tool:
        def call(arguments: dict[str, Any]) -> ToolResult:
            return self._answers[block["name"], json.dumps(arguments)]

        return Tool(block["name"], block["description"], block["input_schema"], call)

    def _answered(self, messages: Any) -> Iterator[tuple[tuple[str, str], ToolResult]]:
        blocks = [
            block
            for message in messages
            if isinstance(message["content"], list)
            for block in message["content"]
        ]
        calls = {each["id"]: each for each in blocks if each["type"] == "tool_use"}
        for block in blocks:
            if block["type"] == "tool_result":
                call = calls[block["tool_use_id"]]
                content, failed = block.get("content", ""), block.get("is_error", False)
                text = content if isinstance(content, str) else _text(content)
                key = call["name"], json.dumps(call["input"])
                yield key, ToolResult(text, is_error=failed)


def _text(content: list[Any]) -> str:
    if content[0]["type"] == "text":
        return str(content[0]["text"])
    return json.dumps(content)


def _passages(text: str) -> list[OwnResult]:
    if not text.startswith("["):
        return []
    found = json.loads(text)
    return [
        OwnResult(each["source"], each["title"], each["content"][0]["text"])
        for each in found
    ]


def played(name: str) -> tuple[AgentResult, dict[str, Any], ModelServer]:
    play = Play(name)
    own = name[:2] in ("04", "11", "17")
    tolerance = OWN_WORDS if own else Tolerance()
    with wire(name, tolerance=tolerance, clock=Clock()) as server:
        model = play.model(server)
        result = execute(model, Task(play.task), play.tools, limits=play.limits)
        model.close()
        # The loop's own tool, which comes with every other.
        server.problems[:] = [each for each in server.problems if "recall" not in each]
    return result, play.scenario.expect, server


@pytest.mark.parametrize("name", RUNS)
def test_a_scenario_is_played_as_it_is_written(name: str) -> None:
    result, expect, server = played(name)
    final = expect.get("final_text", result.output)
    assert result.output.endswith(final)
    assert len(server.seen) == expect.get("calls", len(server.seen))
    usage = expect.get("sum_usage", {})
    counters = result.report.counters
    assert counters.output_tokens == usage.get("output_tokens", counters.output_tokens)
    if "citations" in expect:
        sources = [each.source for each in result.citations]
        assert sources == [url for urls in expect["citations"] for url in urls]


@pytest.mark.parametrize("name", STREAMS)
def test_a_recorded_stream_is_read_to_its_end(name: str) -> None:
    play = Play(name)
    with wire(name, clock=Clock()) as server:
        model = play.model(server)
        _, reply = streamed(model, ask(play.task, tools=tuple(play.tools)))
        model.close()
        server.problems.clear()
    assert isinstance(reply, ModelReply)
    inputs = [call.arguments for call in reply.calls]
    cut = play.scenario.expect.get("stop") == "max_tokens"
    assert cut or inputs == play.scenario.expect.get("tool_inputs", inputs)
