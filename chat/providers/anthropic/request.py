"""The body of a request to the Messages API."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from chat.engine import ModelRequest
from chat.providers.anthropic.blocks import WireMessage, is_server_result, text_block
from chat.providers.anthropic.caching import TTL, mark_messages, marked
from chat.providers.anthropic.continuing import Still
from chat.providers.anthropic.messages import wire_messages
from chat.providers.anthropic.schema import closed_schema
from chat.providers.anthropic.text import sendable
from chat.providers.anthropic.thinking import Prompt, leads
from chat.providers.anthropic.tools import (
    NO_CALLS,
    attached_search,
    client_tools,
    code_tools,
    tool_choice,
)
from chat.providers.own_results import Readers
from chat.providers.server_search import ServerSearch

DEFAULT_OUTPUT = 16_384
LEAST_THINKING = 1_024


@dataclass(frozen=True, slots=True)
class Manner:
    """How this model is asked, whatever the request. max_output: of the model."""

    model: str
    max_output: int | None = None
    cache: TTL | None = "5m"
    thinking: Mapping[str, Any] | None = None
    effort: str | None = None
    cited_tools: Readers = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Draft:
    """A request as it is sent.

    prompt: a digest of it, which the thinking in the reply is bound to. search: as
    attached, None without. native: the API holds the answer to the schema. removed:
    names of client tools that gave way to the server's.
    """

    body: dict[str, Any]
    prompt: str
    search: ServerSearch | None
    native: bool
    removed: tuple[str, ...]


def draft(
    request: ModelRequest, manner: Manner, search: ServerSearch | None, now: datetime
) -> Draft:
    """Write the request; search: what may be attached where tools may be called."""
    attached = attached_search(request, search)
    tools, removed = client_tools(request, search, attached)
    blocks = [*code_tools(attached), *tools, *([attached.block()] if attached else [])]
    prompt = Prompt([manner.model, request.system, blocks])
    container = _container(request, now)
    filters = attached is not None and attached.dynamic_filtering
    still = Still(tools=attached is not None, programs=filters and bool(container))
    messages = wire_messages(request, prompt, still, manner.cited_tools)
    schema = None
    if attached is None and not _cited(messages):
        schema = _native_schema(request)
    body: dict[str, Any] = {
        "model": manner.model,
        "max_tokens": max_tokens(request, manner),
        **_prompt(request.system, blocks, manner.cache),
        **tool_choice(request, blocks),
        **_thinking(manner, max_tokens(request, manner), messages),
        **_output(manner.effort, schema),
        **container,
        "messages": messages,
    }
    if manner.cache and body.get("tool_choice") != NO_CALLS:
        mark_messages(messages, request.task.objective, manner.cache)
    return Draft(sendable(body), prompt.digest, attached, schema is not None, removed)


def _prompt(
    system: str, tools: Sequence[Mapping[str, Any]], cache: TTL | None
) -> dict[str, Any]:
    """Return system and tools, with the mark on what comes last."""
    prompt: dict[str, Any] = {}
    if tools:
        prompt["tools"] = list(tools)
    if system.strip():
        prompt["system"] = [text_block(system)]
    if cache and prompt:
        last = prompt["system"] if "system" in prompt else prompt["tools"]
        last[-1] = marked(last[-1], cache)
    return prompt


def max_tokens(request: ModelRequest, manner: Manner) -> int:
    asked = request.max_output_tokens or DEFAULT_OUTPUT
    return min(asked, manner.max_output or asked)


def _thinking(
    manner: Manner, max_tokens: int, messages: Sequence[WireMessage]
) -> dict[str, Any]:
    """A budget must be smaller than the reply, which the loop may have made short, and
    is refused over a turn without thinking."""
    if manner.thinking is None:
        return {}
    thinking = dict(manner.thinking)
    if "budget_tokens" in thinking:
        if max_tokens <= LEAST_THINKING or not leads(messages):
            return {}
        thinking["budget_tokens"] = min(thinking["budget_tokens"], max_tokens - 1)
    return {"thinking": thinking}


def _native_schema(request: ModelRequest) -> dict[str, Any] | None:
    if request.output_schema is None:
        return None
    return closed_schema(request.output_schema)


def _output(effort: str | None, schema: dict[str, Any] | None) -> dict[str, Any]:
    config: dict[str, Any] = {}
    if effort:
        config["effort"] = effort
    if schema is not None:
        config["format"] = {"type": "json_schema", "schema": schema}
    return {"output_config": config} if config else {}


def _cited(messages: Sequence[WireMessage]) -> bool:
    """Whether anything in the messages is cited or can be; a schema excludes that."""
    return any(
        block.get("citations")
        or is_server_result(block)
        or (block["type"] == "tool_result" and isinstance(block.get("content"), list))
        for message in messages
        for block in message["content"]
    )


def _container(request: ModelRequest, now: datetime) -> dict[str, Any]:
    """Return the container that the run's code works in, unless it has expired."""
    for message in reversed(request.messages):
        raw = message.raw if isinstance(message.raw, dict) else {}
        container = raw.get("container")
        if isinstance(container, dict) and container.get("id"):
            alive = not _expired(str(container.get("expires_at")), now)
            return {"container": container["id"]} if alive else {}
    return {}


def _expired(expires_at: str, now: datetime) -> bool:
    try:
        end = datetime.fromisoformat(expires_at)
    except ValueError:
        return False
    return (end if end.tzinfo else end.replace(tzinfo=now.tzinfo)) <= now
