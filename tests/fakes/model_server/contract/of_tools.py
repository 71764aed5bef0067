"""Rules about tools, the choice among them, and who may call them."""

import re

from tests.fakes.model_server.contract.asked import Asked
from tests.fakes.model_server.contract.shapes import PROGRAMMATIC, TOOLS
from tests.fakes.model_server.values import Json, Refusal

NAME = re.compile(r"^[a-zA-Z0-9_-]{1,128}$")
SAME_NAME = "tools: Tool names must be unique."
CONFLICT = "cannot be used with programmatic tool calling"


def types_are_known(asked: Asked) -> str | None:
    """Row 29."""
    for n, tool in enumerate(asked.tools):
        kind = tool.get("type") or "custom"
        if kind not in asked.known_tools:
            tags = ", ".join(f"'{name}'" for name in sorted(asked.known_tools))
            return (
                f"tools.{n}: Input tag '{kind}' found using 'type' does not match any"
                f" of the expected tags: {tags}"
            )
    return None


def keys_are_known(asked: Asked) -> str | None:
    """Row 20, of tools."""
    for n, tool in enumerate(asked.tools):
        kind = tool.get("type") or "custom"
        for key in tool:
            if key not in TOOLS[kind]:
                return f"tools.{n}.{kind}.{key}: Extra inputs are not permitted"
        if kind == "custom" and "input_schema" not in tool:
            return f"tools.{n}.custom.input_schema: Field required"
    return None


def names_are_well_formed(asked: Asked) -> str | None:
    """Row 28."""
    for n, tool in enumerate(asked.tools):
        name, kind = tool.get("name"), tool.get("type") or "custom"
        path = f"tools.{n}.{kind}.name"
        if not isinstance(name, str):
            return f"{path}: Field required"
        if len(name) > 128:
            return f"{path}: String should have at most 128 characters"
        if not NAME.match(name):
            return f"{path}: String should match pattern '{NAME.pattern}'"
        if kind.startswith("web_") and name != kind[:-9]:
            return f"{path}: Input should be '{kind[:-9]}'"
    return None


def names_are_unique(asked: Asked) -> Refusal | None:
    """Row 27: own tools and the server's share one set of names."""
    names = [tool.get("name") for tool in asked.tools]
    if len(set(names)) < len(names):
        return Refusal(SAME_NAME)
    return None


def names_keep_their_meaning(asked: Asked) -> Refusal | None:
    """Row 27, over a conversation: an own tool named as a server's that was used."""
    own = {tool.get("name") for tool in asked.tools if not is_servers(tool)}
    for spot in asked.spots:
        if spot.type == "server_tool_use" and spot.block["name"] in own:
            return Refusal(SAME_NAME, code="tool_name_conflict")
    return None


def is_servers(tool: Json) -> bool:
    """Whether the server runs this tool."""
    return tool.get("type") not in (None, "custom")


def domains_are_clear(asked: Asked) -> str | None:
    """Row 30: no empty list, no scheme, not both lists."""
    for n, tool in enumerate(asked.tools):
        path = f"tools.{n}.{tool.get('type')}"
        lists = [key for key in ("allowed_domains", "blocked_domains") if key in tool]
        for key in lists:
            if tool[key] == []:
                return (
                    f"{path}.{key}: Empty list of domains is ambiguous. Provide at"
                    " least one domain or null."
                )
            if any("://" in domain for domain in tool[key] or []):
                return f"{path}.{key}: Domains must not have a scheme"
        if all(tool.get(key) for key in lists) and len(lists) == 2:
            return f"{path}: allowed_domains and blocked_domains cannot both be given"
    return None


def place_is_given(asked: Asked) -> str | None:
    """user_location names at least one thing beside its type (text not verified)."""
    for n, tool in enumerate(asked.tools):
        place = tool.get("user_location")
        if place is not None and not any(
            place.get(key) for key in ("city", "region", "country", "timezone")
        ):
            return (
                f"tools.{n}.{tool.get('type')}.user_location: name at least one place"
            )
    return None


def choice_is_possible(asked: Asked) -> str | None:
    """Row 35."""
    choice = asked.body.get("tool_choice")
    if not choice:
        return None
    kind = choice.get("type")
    if kind == "none" and "disable_parallel_tool_use" in choice:
        return (
            "tool_choice.none.disable_parallel_tool_use: Extra inputs are not permitted"
        )
    if not asked.tools:
        return "tool_choice: may only be specified while providing tools"
    if kind == "tool" and choice.get("name") not in _names(asked.tools):
        return f"tool_choice: Tool '{choice.get('name')}' not found in provided tools"
    if kind in ("any", "tool") and not asked.traits.forced_choice:
        return f"tool_choice: type '{kind}' is not supported for this model"
    return None


def _names(tools: list[Json]) -> list[str]:
    return [tool.get("name") for tool in tools]


def programs_are_not_hindered(asked: Asked) -> str | None:
    """Row 31: programmatic calling and a parallel switch, a forced or a strict tool."""
    called = [tool for tool in asked.tools if is_programmatic(tool)]
    choice = asked.body.get("tool_choice") or {}
    if not called:
        return None
    if choice.get("disable_parallel_tool_use") is True:
        return f"tool_choice.disable_parallel_tool_use: true {CONFLICT}"
    if choice.get("type") == "tool" and choice.get("name") in _names(called):
        return f"tool_choice: a forced tool {CONFLICT}"
    if any(tool.get("strict") for tool in called):
        return f"tools: strict: true {CONFLICT}"
    if not asked.traits.programmatic:
        return f"'{asked.body['model']}' does not support programmatic tool calling."
    return None


def is_programmatic(tool: Json) -> bool:
    """Whether a program that the model writes may call this tool."""
    default = ["code_execution"] if tool.get("type") in PROGRAMMATIC else ["direct"]
    callers = tool.get("allowed_callers") or default
    return any(caller.startswith("code_execution") for caller in callers)
