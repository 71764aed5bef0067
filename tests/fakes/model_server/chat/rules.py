"""What a chat endpoint refuses; the texts are those of OpenAI and OpenRouter."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.fakes.model_server.chat.dialects import Dialect
from tests.fakes.model_server.contract.of_request import fault_of_schema
from tests.fakes.model_server.values import Json

NAME = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")
ROLES = ("system", "developer", "user", "assistant", "tool")
SEARCH = "openrouter:web_search"
UNANSWERED = (
    "An assistant message with 'tool_calls' must be followed by tool messages"
    " responding to each 'tool_call_id'. The following tool_call_ids did not have"
    " response messages: "
)
UNASKED = (
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding"
    " message with 'tool_calls'."
)


@dataclass(frozen=True, slots=True)
class Chat:
    """A request to the endpoint of one dialect."""

    body: dict[str, Any]
    dialect: Dialect

    @property
    def messages(self) -> list[Json]:
        """The messages as sent."""
        messages: list[Json] = self.body["messages"]
        return messages

    @property
    def calls(self) -> Iterator[tuple[str, Json]]:
        """Every call that the conversation holds, with its place."""
        for n, message in enumerate(self.messages):
            for m, call in enumerate(message.get("tool_calls") or []):
                yield f"messages.{n}.tool_calls.{m}", call


ChatRule = Callable[[Chat], str | None]


def fault(chat: Chat) -> str | None:
    """Why the endpoint refuses this request; None where it accepts it."""
    found = (rule(chat) for rule in RULES)
    return next(filter(None, found), None)


def _form(chat: Chat) -> str | None:
    if not isinstance(chat.body, dict):
        return "We could not parse the JSON body of your request."
    if not chat.body.get("model"):
        return "you must provide a model parameter"
    messages = chat.body.get("messages")
    if not isinstance(messages, list) or not messages:
        return (
            "Invalid 'messages': empty array. Expected an array with minimum length 1."
        )
    for n, message in enumerate(messages):
        role = message.get("role") if isinstance(message, dict) else None
        if role not in ROLES:
            return (
                f"Invalid value: '{role}'. Supported values are: {ROLES}. messages.{n}"
            )
        if message.get("content") is None and not message.get("tool_calls"):
            return f"Invalid value for 'content' of messages.{n}: got null."
    return None


def _calls(chat: Chat) -> str | None:
    for place, call in chat.calls:
        function = call.get("function") or {}
        if not call.get("id") or call.get("type") != "function":
            return f"Missing required parameter: '{place}.id' or '{place}.type'."
        if not NAME.match(str(function.get("name"))):
            return (
                f"Invalid '{place}.function.name': expected pattern '{NAME.pattern}'."
            )
        wrong = _fault_of_arguments(function.get("arguments"), chat.dialect)
        if wrong:
            return f"{wrong} ({place}.function.arguments)"
    return None


def _fault_of_arguments(arguments: Json, dialect: Dialect) -> str | None:
    if dialect.mapping_arguments:
        wrong = not isinstance(arguments, dict)
        return (
            "Value looks like a string, but an object was expected" if wrong else None
        )
    if not isinstance(arguments, str):
        return "Invalid type: expected a string, but got an object instead"
    if not dialect.broken_arguments and not _is_object(arguments):
        return "Failed to parse tool call arguments as JSON"
    return None


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def _order(chat: Chat) -> str | None:
    waiting: list[str] = []
    for message in chat.messages:
        if message["role"] == "tool":
            if message.get("tool_call_id") not in waiting:
                return UNASKED
            waiting.remove(message["tool_call_id"])
            continue
        if waiting:
            break
        waiting = [call["id"] for call in message.get("tool_calls") or []]
    return UNANSWERED + ", ".join(waiting) if waiting else None


def _tools(chat: Chat) -> str | None:
    tools = chat.body.get("tools") or []
    if chat.body.get("tool_choice") is not None and not tools:
        return "'tool_choice' is only allowed when 'tools' are specified."
    for n, tool in enumerate(tools):
        kind, name = tool.get("type"), (tool.get("function") or {}).get("name")
        if kind == SEARCH and chat.dialect.searches:
            wrong = _fault_of_search(tool.get("parameters") or {}, "excluded_domains")
            if wrong:
                return f"tools.{n}.parameters.{wrong}"
        elif kind != "function":
            return (
                f"Invalid value: '{kind}'. Supported values are: 'function'. tools.{n}"
            )
        elif not NAME.match(str(name)):
            return f"Invalid 'tools[{n}].function.name': pattern '{NAME.pattern}'."
    return _fault_of_choice(chat.body.get("tool_choice"), tools)


def _fault_of_choice(choice: Json, tools: list[Json]) -> str | None:
    if not isinstance(choice, dict):
        known = choice in (None, "auto", "none", "required")
        return None if known else f"Invalid value for 'tool_choice': {choice!r}"
    name = (choice.get("function") or {}).get("name")
    offered = [(tool.get("function") or {}).get("name") for tool in tools]
    if name not in offered:
        return f"Invalid value for 'tool_choice': no tool named {name!r} was specified."
    return None


def _fault_of_search(parameters: Json, other: str) -> str | None:
    engines = ("auto", "native", "exa", "firecrawl", "parallel", "perplexity")
    if not 1 <= parameters.get("max_results", 5) <= 25:
        return "max_results: must be between 1 and 25"
    if parameters.get("engine", "native") not in engines:
        return f"engine: must be one of {engines}"
    allowed = "allowed_domains" if other == "excluded_domains" else "include_domains"
    if parameters.get(allowed) and parameters.get(other):
        return f"{allowed}: cannot be combined with {other}"
    return None


def _plugins(chat: Chat) -> str | None:
    for n, plugin in enumerate(chat.body.get("plugins") or []):
        if not chat.dialect.searches:
            return "Unrecognized request argument supplied: plugins"
        if plugin.get("id") == "web":
            wrong = _fault_of_search(plugin, "exclude_domains")
            if wrong or plugin.get("engine") == "auto":
                return f"plugins.{n}.{wrong or 'engine: auto is not an engine here'}"
    return None


def _routing(chat: Chat) -> str | None:
    for name in ("provider", "models", "reasoning"):
        if name in chat.body and not chat.dialect.routes:
            return f"Unrecognized request argument supplied: {name}"
    reasoning = chat.body.get("reasoning") or {}
    off = reasoning.get("enabled") is False or reasoning.get("effort") == "none"
    if off and chat.body["model"] in chat.dialect.must_reason:
        return "Reasoning is mandatory for this endpoint and cannot be disabled."
    return None


def _limits(chat: Chat) -> str | None:
    for name in ("max_tokens", "max_completion_tokens"):
        if name in chat.body and name not in chat.dialect.max_tokens:
            wanted = chat.dialect.max_tokens[0]
            return (
                f"Unsupported parameter: '{name}' is not supported with this model. Use"
                f" '{wanted}' instead."
            )
    if "stream_options" in chat.body and not chat.body.get("stream"):
        return (
            "The 'stream_options' parameter is only allowed when 'stream' is enabled."
        )
    return None


def _schema(chat: Chat) -> str | None:
    form = chat.body.get("response_format") or {}
    described = form.get("json_schema") or {}
    if form.get("type") != "json_schema" or not described.get("strict"):
        return None
    wrong = fault_of_schema(described.get("schema"))
    name = described.get("name")
    return f"Invalid schema for response_format '{name}': {wrong}" if wrong else None


RULES: tuple[ChatRule, ...] = (
    _form,
    _calls,
    _order,
    _tools,
    _plugins,
    _routing,
    _limits,
    _schema,
)
