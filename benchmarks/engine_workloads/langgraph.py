"""The dialogue with langgraph's create_react_agent."""

import asyncio
import sys
from typing import Any

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langgraph.prebuilt import create_react_agent

from benchmarks.engine_workloads.measuring import (
    ANSWER,
    QUESTION,
    SYSTEM,
    TOOL,
    Run,
    Script,
    main,
)


class Scripted(BaseChatModel):
    """Says what the script says."""

    script: Any

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, *_: Any, **__: Any) -> "Scripted":
        """Return itself: the script knows its tool."""
        return self

    def _generate(self, *_: Any, **__: Any) -> ChatResult:
        msg = "The base class wants both halves; the benchmark asks the other one."
        raise RuntimeError(msg)

    async def _agenerate(self, *_: Any, **__: Any) -> ChatResult:
        page = self.script.next_page()
        if page is None:
            message = AIMessage(content=ANSWER)
        else:
            call = {"name": TOOL, "args": {"page": page}, "id": page}
            message = AIMessage(content="", tool_calls=[call])
        return ChatResult(generations=[ChatGeneration(message=message)])


def prepare(script: Script) -> Run:
    """Return one run of a graph that is compiled already."""
    body = script.body()

    @tool
    async def read_page(page: str) -> str:
        """Read one page."""
        return page + body

    graph = create_react_agent(Scripted(script=script), [read_page], prompt=SYSTEM)
    settings = {"recursion_limit": 3 * script.rounds + 20}
    runner = asyncio.Runner()
    runner.get_loop()

    def run() -> None:
        state = runner.run(graph.ainvoke({"messages": [("user", QUESTION)]}, settings))
        if state["messages"][-1].content != ANSWER:
            sys.exit("another answer")

    return run


if __name__ == "__main__":
    main(prepare)
