"""The tools of a request: the run's own, and the search that the provider runs."""

import logging
from collections.abc import Sequence
from typing import Any

from chat.engine import ModelRequest, Role, Tool
from chat.providers.server_search import CodeBlock, ServerSearch

NO_CALLS = {"type": "none"}

_log = logging.getLogger(__name__)


def first(request: ModelRequest) -> bool:
    """Whether the run asks for the first time: nothing follows the task."""
    last = request.messages[-1]
    return last.role is Role.USER and last.text == request.task.objective


def closing(request: ModelRequest) -> bool:
    """Whether this is a last turn, in which nothing may be called."""
    return request.closing or (bool(request.declared) and not request.tools)


def attached_search(
    request: ModelRequest, search: ServerSearch | None
) -> ServerSearch | None:
    """Return the search of this request; in a last turn there is none."""
    return None if closing(request) else search


def code_tools(attached: ServerSearch | None) -> list[CodeBlock]:
    block = attached.code_block() if attached else None
    return [] if block is None else [block]


def client_tools(
    request: ModelRequest, search: ServerSearch | None, attached: ServerSearch | None
) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """Return the tools of the run without those whose name the server's tools have."""
    tools = request.declared or request.tools
    taken = search.tool_names if search else frozenset()
    removed = tuple(each.name for each in tools if each.name in taken)
    if removed and first(request):
        _log.warning("Tools give way to the provider's own: %s.", ", ".join(removed))
    kept = [_tool(each, attached) for each in tools if each.name not in taken]
    return kept, removed


def _tool(tool: Tool, attached: ServerSearch | None) -> dict[str, Any]:
    callers = attached.callers(tool.name) if attached else []
    return {
        "name": tool.name,
        "description": tool.description,
        "input_schema": dict(tool.input_schema),
        **({"allowed_callers": callers} if callers else {}),
    }


def tool_choice(request: ModelRequest, tools: Sequence[object]) -> dict[str, Any]:
    if not tools:
        return {}
    if closing(request):
        return {"tool_choice": {**NO_CALLS}}
    if request.disable_parallel_tool_use:
        return {"tool_choice": {"type": "auto", "disable_parallel_tool_use": True}}
    return {}
