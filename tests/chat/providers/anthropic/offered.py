"""What a scenario's client offers: tools that answer as the file says, and a search."""

import json
from collections.abc import Iterator
from typing import Any

from chat.engine import Tool, ToolResult
from chat.providers.own_results import OwnResult, Readers
from chat.providers.server_search import BASIC, ServerSearch, UserLocation
from tests.chat.providers.anthropic.earlier import answers_in, text_of
from tests.fakes.model_server import Scenario
from tests.fakes.model_server.values import Json


class Offered:
    """Read off the first request, and off the results in all of them."""

    def __init__(self, scenario: Scenario) -> None:
        self._bodies = [each.expected["body"] for each in scenario.exchanges]
        self._said = [each.reply.body for each in scenario.exchanges]
        self._listed: list[Json] = self._bodies[0].get("tools", [])
        self._answers = dict(self._results())

    @property
    def tools(self) -> list[Tool]:
        """The client's own tools."""
        return [self._tool(each) for each in self._listed if "type" not in each]

    @property
    def readers(self) -> Readers:
        """All of them may have results that can be cited."""
        return {each.name: _passages for each in self.tools}

    @property
    def search(self) -> ServerSearch | None:
        """The server's search, None without one."""
        named = {each["name"]: each for each in self._listed if "type" in each}
        block = named.get("web_search")
        if block is None:
            return None
        code = named.get("code_execution", {}).get("type")
        place = block.get("user_location")
        if place is not None:
            place = UserLocation(**{k: v for k, v in place.items() if k != "type"})
        return ServerSearch(
            version=block["type"],
            max_uses=block.get("max_uses"),
            allowed_domains=block.get("allowed_domains", ()),
            blocked_domains=block.get("blocked_domains", ()),
            user_location=place,
            dynamic_filtering=not _direct(block),
            code_execution=code,
            code_tools=[each.name for each in self.tools] if code else [],
        )

    @property
    def own_words(self) -> frozenset[str]:
        """Texts that the loop has words of its own for.

        The answers to calls that it does not run, of an unknown tool or with an input
        that is no object, and what it says to a reply that was empty.
        """
        return frozenset(self._refusals()) | frozenset(self._nudges())

    def _refusals(self) -> Iterator[str]:
        names = {tool.name for tool in self.tools}
        for body in self._bodies:
            for call, result in answers_in(body["messages"]):
                if call["name"] not in names or not call["input"]:
                    yield text_of(result.get("content", ""))

    def _nudges(self) -> Iterator[str]:
        following = zip(self._said, self._bodies[1:], strict=False)
        for said, body in following:
            if said is not None and said.get("content") == []:
                last = body["messages"][-1]["content"]
                yield last if isinstance(last, str) else last[-1]["text"]

    def _tool(self, block: Json) -> Tool:
        def call(arguments: dict[str, Any]) -> ToolResult:
            known = self._answers.get((block["name"], json.dumps(arguments)))
            return known or ToolResult("Nothing is known of that.")

        return Tool(block["name"], block["description"], block["input_schema"], call)

    def _results(self) -> Iterator[tuple[tuple[str, str], ToolResult]]:
        for body in self._bodies:
            for call, result in answers_in(body["messages"]):
                key = call["name"], json.dumps(call["input"])
                text = text_of(result.get("content", ""))
                yield key, ToolResult(text, is_error=result.get("is_error", False))


def _direct(block: Json) -> bool:
    return block["type"] == BASIC or "direct" in block.get("allowed_callers", ())


def _passages(text: str) -> list[OwnResult]:
    if not text.startswith("["):
        return []
    return [
        OwnResult(each["source"], each["title"], each["content"][0]["text"])
        for each in json.loads(text)
    ]
