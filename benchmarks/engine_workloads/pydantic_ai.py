"""The dialogue with pydantic-ai and a bare Model.

Its FunctionModel counts the words of the whole history in every request, which is a
cost of that stand-in and not of the loop.
"""

import asyncio
import sys
from typing import Any

from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models import Model
from pydantic_ai.usage import UsageLimits

from benchmarks.engine_workloads.measuring import (
    ANSWER,
    QUESTION,
    SYSTEM,
    TOOL,
    Run,
    Script,
    main,
)


class Scripted(Model):
    """Says what the script says."""

    def __init__(self, script: Script) -> None:
        super().__init__()
        self.script = script

    @property
    def model_name(self) -> str:
        """Return a name."""
        return "scripted"

    @property
    def system(self) -> str:
        """Return the provider's name."""
        return "scripted"

    @property
    def base_url(self) -> str | None:
        """Return nothing: there is no server."""
        return None

    async def request(self, *_: Any) -> ModelResponse:
        """Return the next reply."""
        page = self.script.next_page()
        if page is None:
            return ModelResponse(parts=[TextPart(ANSWER)])
        call = ToolCallPart(TOOL, {"page": page}, tool_call_id=page)
        return ModelResponse(parts=[call])


def prepare(script: Script) -> Run:
    """Return one run of an agent that is built already."""
    body = script.body()
    agent = Agent(Scripted(script), system_prompt=SYSTEM)

    @agent.tool_plain
    async def read_page(page: str) -> str:
        """Read one page."""
        return page + body

    limits = UsageLimits(request_limit=None)
    runner = asyncio.Runner()
    runner.get_loop()

    def run() -> None:
        result = runner.run(agent.run(QUESTION, usage_limits=limits))
        if result.output != ANSWER:
            sys.exit("another answer")

    return run


if __name__ == "__main__":
    main(prepare)
