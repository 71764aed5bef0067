"""The dialogue with pydantic-ai.

VARIANT `default`: nothing is set. `instructions`: the system prompt is marked. `cache`:
its own setting for caching, of tools, system prompt and messages.
"""

from typing import Any

from pydantic_ai import Agent, Tool
from pydantic_ai.capabilities import WebSearch
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.usage import UsageLimits

from benchmarks.wire_peers.dialogue import Dialogue, main

SETTINGS: dict[str, dict[str, Any]] = {
    "default": {},
    "instructions": {"anthropic_cache_instructions": True},
    "cache": {"cache": True},
}


def play(dialogue: Dialogue, variant: str) -> str:
    """Run one agent to its answer."""
    provider = AnthropicProvider(api_key=dialogue.key, base_url=dialogue.base_url)
    tools = [
        Tool.from_schema(
            dialogue.read, each["name"], each["description"], each["input_schema"]
        )
        for each in dialogue.tools
    ]
    agent = Agent(
        AnthropicModel(dialogue.model, provider=provider),
        instructions=dialogue.system,
        tools=tools,
        capabilities=[WebSearch(max_uses=5)],
        model_settings=SETTINGS[variant],
    )
    limits = UsageLimits(request_limit=None)
    return str(agent.run_sync(dialogue.question, usage_limits=limits).output)


if __name__ == "__main__":
    main(play)
