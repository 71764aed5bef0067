"""Whether the API could have given the script's answer to this very request."""

from collections.abc import Iterator

from tests.fakes.model_server.contract.of_turns import is_provided
from tests.fakes.model_server.ledger import billed_searches
from tests.fakes.model_server.values import Json


def doubts(request: Json, message: Json) -> Iterator[str]:
    """Server tools that were not offered, and more searches than were allowed."""
    tools = request.get("tools") or []
    content = message["content"]
    for block in content:
        if block["type"] == "server_tool_use" and not is_provided(block["name"], tools):
            yield f"the reply uses {block['name']}, which the request does not offer"
    found = billed_searches(content)
    for tool in tools:
        allowed = tool.get("max_uses")
        if tool.get("name") == "web_search" and allowed and found > allowed:
            yield f"the reply searches {found} times where {allowed} are allowed"
