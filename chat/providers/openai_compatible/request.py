"""The body of a request: what the loop asks, as this endpoint wants to hear it."""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from chat.engine import ConfigurationError, ModelRequest, Tool
from chat.providers.openai_compatible.messages import (
    Form,
    has_broken_arguments,
    wire_messages,
)
from chat.providers.openai_compatible.presets import Preset
from chat.providers.openai_compatible.routing import Routing
from chat.providers.openai_compatible.search import (
    SERVER_TOOL_NAME,
    WebPlugin,
    WebSearchTool,
)

logger = logging.getLogger(__name__)

REASONING_OFF: Mapping[str, Any] = {"enabled": False}
# A name with this suffix is the model beside a web plugin.
ONLINE = ":online"
# Written by us alone, so that no addition can say something else, or search the web
# where nobody knows of it.
OWN = frozenset(
    (
        "model",
        "models",
        "messages",
        "tools",
        "tool_choice",
        "stream",
        "plugins",
        "provider",
        "web_search_options",
    )
)


@dataclass(frozen=True, slots=True)
class Body:
    """Everything about requests that stays the same from one to the next."""

    model: str
    preset: Preset
    search: WebPlugin | WebSearchTool | None = None
    routing: Routing | None = None
    reasoning: Mapping[str, Any] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        taken = OWN.intersection(self.extra)
        if taken:
            msg = f"extra must not set {', '.join(sorted(taken))}."
            raise ConfigurationError(msg)
        if (self.search or self.routing) and not self.preset.web:
            msg = f"{self.preset.name} knows no web search and no routing of its own."
            raise ConfigurationError(msg)
        if self.routing:
            self.routing.check(self.model)

    def build(
        self, request: ModelRequest, *, stream: bool, without: frozenset[str]
    ) -> dict[str, Any]:
        """Return the body; `without` names what the endpoint has refused before."""
        body = {
            "model": self.model,
            "messages": self._messages(request, without),
            **self._tools(request),
            **self._plugins(request),
            **self._schema(request),
            **(self.routing.to_json() if self.routing else {}),
            **self.extra,
        }
        reasoning = self._reasoning()
        if reasoning and "reasoning" not in without:
            body["reasoning"] = dict(reasoning)
        if request.max_output_tokens is not None:
            body[self.preset.max_tokens] = request.max_output_tokens
        if stream:
            body["stream"] = True
        if stream and self.preset.stream_usage:
            body["stream_options"] = {"include_usage": True}
        return body

    @property
    def may_search(self) -> bool:
        """Whether the web may be searched by the provider at all."""
        return self.search is not None or self._online

    def searches(self, request: ModelRequest) -> bool:
        """Whether the web may be searched by the provider in this request.

        A model that is online by its name searches in the closing turn too.
        """
        asked = self.search is not None and not _is_closing(request)
        return asked or self._online

    def searches_first(self, request: ModelRequest) -> bool:
        """Whether the provider searches once before the model begins."""
        plugin = isinstance(self.search, WebPlugin) and not _is_closing(request)
        return plugin or self._is_online(self.model)

    @property
    def models(self) -> tuple[str, ...]:
        """Every model that may answer: the one asked, and those asked after it."""
        fallbacks = self.routing.models if self.routing else ()
        return (self.model, *fallbacks)

    @property
    def _online(self) -> bool:
        return any(map(self._is_online, self.models))

    def _is_online(self, model: str) -> bool:
        return self.preset.web and model.endswith(ONLINE)

    def holds_schema(self, request: ModelRequest) -> bool:
        """Whether the endpoint itself holds the answer to the schema."""
        rule = self.preset.json_schema
        if request.output_schema is None or rule == "never":
            return False
        return rule == "always" or not request.tools

    def refusable(self, request: ModelRequest) -> set[str]:
        """Name what of this request the endpoint may refuse and can do without."""
        parts = set()
        if self._reasoning():
            parts.add("reasoning")
        if self.preset.mapping_arguments and any(m.calls for m in request.messages):
            parts.add("mapping")
        if self.preset.broken_arguments and has_broken_arguments(request.messages):
            parts.add("broken")
        return parts

    def _reasoning(self) -> Mapping[str, Any] | None:
        """Beside the plugin the text is of no use, so that nothing is thought first."""
        if self.reasoning is None and isinstance(self.search, WebPlugin):
            return REASONING_OFF
        return self.reasoning

    def _messages(
        self, request: ModelRequest, without: frozenset[str]
    ) -> list[dict[str, Any]]:
        form = Form(
            mapping=self.preset.mapping_arguments and "mapping" not in without,
            broken=self.preset.broken_arguments and "broken" not in without,
            reasoning=self.preset.reasoning_details,
        )
        rewritten = request.rewritten
        return wire_messages(request.system, request.messages, rewritten, form)

    def _tools(self, request: ModelRequest) -> dict[str, Any]:
        closing = _is_closing(request)
        if closing and not self.preset.tool_choice:
            return {}
        searching = isinstance(self.search, WebSearchTool) and not closing
        tools = [_function(tool) for tool in self._offered(request, searching)]
        if isinstance(self.search, WebSearchTool) and searching:
            tools.append(self.search.to_json())
        if not tools:
            return {}
        body: dict[str, Any] = {"tools": tools}
        if closing:
            body["tool_choice"] = "none"
        elif request.disable_parallel_tool_use:
            body["parallel_tool_calls"] = False
        return body

    def _offered(self, request: ModelRequest, searching: bool) -> Iterable[Tool]:
        for tool in request.tools or request.declared:
            if searching and tool.name == SERVER_TOOL_NAME:
                logger.info(
                    "The provider's own search takes the place of %s.", tool.name
                )
            else:
                yield tool

    def _plugins(self, request: ModelRequest) -> dict[str, Any]:
        if not isinstance(self.search, WebPlugin) or _is_closing(request):
            return {}
        return {"plugins": [self.search.to_json()]}

    def _schema(self, request: ModelRequest) -> dict[str, Any]:
        if not self.holds_schema(request):
            return {}
        schema = {"name": "answer", "schema": dict(request.output_schema or {})}
        return {"response_format": {"type": "json_schema", "json_schema": schema}}


def _is_closing(request: ModelRequest) -> bool:
    """The last turn: nothing may be called in it."""
    return request.closing or (bool(request.declared) and not request.tools)


def _function(tool: Tool) -> dict[str, Any]:
    function = {
        "name": tool.name,
        "description": tool.description,
        "parameters": dict(tool.input_schema),
    }
    return {"type": "function", "function": function}
