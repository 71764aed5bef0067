"""The dialogue with langchain's agent and ChatAnthropic.

VARIANT `default`: nothing is set. `cache`: its own middleware for caching.
"""

from collections.abc import Callable
from typing import Any

from langchain.agents import create_agent
from langchain_anthropic import ChatAnthropic
from langchain_anthropic.middleware import AnthropicPromptCachingMiddleware
from langchain_core.tools import StructuredTool

from benchmarks.wire_peers.dialogue import Dialogue, main

SEARCH = {"type": "web_search_20250305", "name": "web_search", "max_uses": 5}


def play(dialogue: Dialogue, variant: str) -> str:
    """Run one agent to its answer."""
    model = ChatAnthropic(
        model=dialogue.model,
        api_key=dialogue.key,
        base_url=dialogue.base_url,
        max_retries=0,
    )
    agent = create_agent(
        model,
        [SEARCH, *(_tool(dialogue.read, each) for each in dialogue.tools)],
        system_prompt=dialogue.system,
        middleware=[AnthropicPromptCachingMiddleware()] if variant == "cache" else [],
    )
    question = {"messages": [("user", dialogue.question)]}
    done = agent.invoke(question, {"recursion_limit": 1_000})
    return str(done["messages"][-1].text)


def _tool(read: Callable[..., str], declared: dict[str, Any]) -> StructuredTool:
    return StructuredTool.from_function(
        read,
        name=declared["name"],
        description=declared["description"],
        args_schema=declared["input_schema"],
    )


if __name__ == "__main__":
    main(play)
