"""The dialogue with NucleusIQ in its standard mode. Variants: default, no-context.

Its synthesis is off, so that it asks as often as the others; its model counts tokens by
length, which is cheaper than any tokenizer.
"""

import asyncio
import json
import logging
import sys
from types import SimpleNamespace
from typing import Any

from nucleusiq.agents import Agent
from nucleusiq.agents.config import AgentConfig, ExecutionMode
from nucleusiq.agents.context.config import ContextConfig, ContextStrategy
from nucleusiq.agents.task import Task
from nucleusiq.llms.base_llm import BaseLLM
from nucleusiq.prompts.zero_shot import ZeroShotPrompt
from nucleusiq.tools.decorators import tool

from benchmarks.engine_workloads.measuring import (
    ANSWER,
    QUESTION,
    SYSTEM,
    TOOL,
    Run,
    Script,
    main,
)

WINDOW = 128_000


class Scripted(BaseLLM):
    """Says what the script says, in the form of an OpenAI reply."""

    PROVIDER_NAME = "openai"

    def __init__(self, script: Script) -> None:
        self.model_name = "scripted"
        self.script = script

    def get_context_window(self) -> int:
        """Return the window in tokens."""
        return WINDOW

    def estimate_tokens(self, text: str) -> int:
        """Return a quarter of the characters."""
        return max(1, len(text) // 4)

    async def call(self, **_: Any) -> Any:
        """Return the next reply."""
        page = self.script.next_page()
        if page is None:
            return _reply(ANSWER, None)
        function = {"name": TOOL, "arguments": json.dumps({"page": page})}
        return _reply(None, [{"id": page, "type": "function", "function": function}])


def _reply(content: str | None, calls: list[dict[str, Any]] | None) -> Any:
    message = SimpleNamespace(content=content, tool_calls=calls, refusal=None)
    return SimpleNamespace(choices=[SimpleNamespace(message=message)], usage=None)


def prepare(script: Script) -> Run:
    """Return one run of a new agent, since an agent keeps what its runs stored."""
    agent = _agent(script)
    runner = asyncio.Runner()
    runner.run(agent.initialize())

    def run() -> None:
        result = runner.run(agent.execute(Task(id="bench", objective=QUESTION)))
        if result.status.value != "success":
            sys.exit(f"stopped by {result.termination_reason}")

    return run


def _agent(script: Script) -> Agent:
    body = script.body()

    async def read_page(page: str) -> str:
        """Read one page."""
        return page + body

    settings: dict[str, Any] = {
        "execution_mode": ExecutionMode.STANDARD,
        "max_tool_calls": 100_000,
        "enable_synthesis": False,
    }
    if script.variant == "no-context":
        settings["context"] = ContextConfig(
            strategy=ContextStrategy.NONE, enable_observation_masking=False
        )
    return Agent(
        name="bench",
        prompt=ZeroShotPrompt().configure(system=SYSTEM),
        llm=Scripted(script),
        tools=[tool(read_page)],
        config=AgentConfig(**settings),
    )


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    main(prepare)
