"""Rules about the request as a whole: its parameters, model and output settings."""

from collections.abc import Iterator

from tests.fakes.model_server.contract.asked import Asked
from tests.fakes.model_server.contract.shapes import (
    BETA_PARAMETERS,
    PARAMETERS,
    SAMPLING,
)
from tests.fakes.model_server.models import MODELS
from tests.fakes.model_server.values import Json, Refusal

UNEXPECTED = "Extra inputs are not permitted"
BUDGET = (
    "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our"
    " documentation at https://docs.claude.com/en/docs/build-with-claude/"
    "extended-thinking#max-tokens-and-context-window-size"
)
ADAPTIVE = (
    '"thinking.type.enabled" is not supported for this model. Use'
    ' "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.'
)
UNSUPPORTED_BY_TYPE = {
    "integer": ("minimum", "maximum", "multipleOf"),
    "number": ("minimum", "maximum", "multipleOf"),
    "string": ("minLength", "maxLength"),
    "array": ("maxItems",),
}


def is_an_object(asked: Asked) -> str | None:
    """The body is a JSON object."""
    if not isinstance(asked.body, dict):
        return "The request body is not valid JSON"
    return None


def has_what_it_needs(asked: Asked) -> str | None:
    """model, messages and max_tokens; a token count takes no max_tokens."""
    needed = ("model", "messages") if asked.counting else ("model", "max_tokens")
    for name in dict.fromkeys([*needed, "messages"]):
        if name not in asked.body:
            return f"{name}: Field required"
    return None


def no_sampling(asked: Asked) -> str | None:
    """Row 21: since October 2026, and of newer models, no sampling parameters."""
    traits = MODELS.get(asked.body["model"])
    allowed = not asked.recent and (traits is None or traits.sampling)
    for name in SAMPLING:
        if name in asked.body and not allowed:
            return f"{name}: {UNEXPECTED}"
    return None


def no_unknown_parameter(asked: Asked) -> str | None:
    """Row 20, of the request itself."""
    known = PARAMETERS | set(SAMPLING)
    if asked.request.headers.get("anthropic-beta"):
        known |= BETA_PARAMETERS
    if asked.counting:
        known -= {"max_tokens", "stream", "metadata", "stop_sequences"}
    for name in asked.body:
        if name not in known:
            return f"{name}: {UNEXPECTED}"
    return None


def model_exists(asked: Asked) -> Refusal | None:
    """Row 38: 404 for a model that nobody has heard of."""
    if asked.body["model"] not in MODELS:
        return Refusal(f"model: {asked.body['model']}", 404, "not_found_error")
    return None


def max_tokens_fit(asked: Asked) -> str | None:
    """Row 23."""
    asked_for, limit = asked.body.get("max_tokens", 1), asked.traits.max_output
    if not isinstance(asked_for, int) or isinstance(asked_for, bool):
        return "max_tokens: Input should be a valid integer"
    if asked_for < 0:
        return "max_tokens: Input should be greater than or equal to 0"
    if asked_for > limit:
        return (
            f"max_tokens: {asked_for} > {limit}, which is the maximum allowed number of"
            f" output tokens for {asked.body['model']}"
        )
    return None


def thinking_fits(asked: Asked) -> str | None:
    """Rows 24 and 25."""
    thinking = asked.body.get("thinking") or {}
    kind, budget = thinking.get("type"), thinking.get("budget_tokens", 1024)
    if kind == "enabled" and not asked.traits.budget:
        return ADAPTIVE
    if kind == "enabled" and budget < 1024:
        return (
            "thinking.enabled.budget_tokens: Input should be greater than or equal to"
            " 1024"
        )
    if kind == "enabled" and budget >= asked.body.get("max_tokens", budget + 1):
        return BUDGET
    if kind == "disabled" and not asked.traits.thinking_off:
        return '"thinking.type.disabled" is not supported for this model.'
    return None


def at_most_four_breakpoints(asked: Asked) -> str | None:
    """Row 22: wherever they are, the automatic one included."""
    found = len(list(breakpoints(asked.body)))
    if found > 4:
        return (
            f"A maximum of 4 blocks with cache_control may be provided. Found {found}."
        )
    return None


def longer_breakpoints_first(asked: Asked) -> str | None:
    """A one-hour breakpoint may not follow a five-minute one (text not verified)."""
    order = [b.get("ttl", "5m") for b in breakpoints(asked.body)]
    if "5m" in order and "1h" in order[order.index("5m") :]:
        return (
            "a ttl='1h' cache_control block must not come after a ttl='5m'"
            " cache_control block"
        )
    return None


def breakpoints(body: Json) -> Iterator[Json]:
    """Every cache_control, in the order in which the prompt is read."""
    for part in ("tools", "system", "messages"):
        yield from _breakpoints_in(body.get(part))
    if body.get("cache_control"):
        yield body["cache_control"]


def _breakpoints_in(part: Json) -> Iterator[Json]:
    if isinstance(part, list):
        for item in part:
            yield from _breakpoints_in(item)
    elif isinstance(part, dict):
        yield from _breakpoints_in(part.get("content"))
        if part.get("cache_control"):
            yield part["cache_control"]


def schemas_are_closed(asked: Asked) -> str | None:
    """Row 33, of the answer's format and of strict tools."""
    form = (asked.body.get("output_config") or {}).get("format")
    if form is not None:
        fault = fault_of_schema(form.get("schema"))
        if fault:
            return f"output_config.format.schema: {fault}"
    for n, tool in enumerate(asked.tools):
        fault = (
            fault_of_schema(tool.get("input_schema")) if tool.get("strict") else None
        )
        if fault:
            return f"tools.{n}.custom.input_schema: {fault}"
    return None


def fault_of_schema(schema: Json) -> str | None:
    """Why a schema cannot be enforced; None where it can."""
    if isinstance(schema, list):
        return next(filter(None, map(fault_of_schema, schema)), None)
    if not isinstance(schema, dict):
        return None
    return _own_fault(schema) or next(
        filter(None, map(fault_of_schema, _inside(schema))), None
    )


def _inside(schema: Json) -> list[Json]:
    named = ("properties", "$defs", "definitions")
    inner = [value for key in named for value in (schema.get(key) or {}).values()]
    return [*inner, *(schema.get(k) for k in ("items", "anyOf", "allOf", "oneOf"))]


def _own_fault(schema: Json) -> str | None:
    if schema.get("type") == "object" or "properties" in schema:
        if "additionalProperties" not in schema:
            return (
                "For 'object' type, 'additionalProperties' must be explicitly set to"
                " false"
            )
        if schema["additionalProperties"] is not False:
            return (
                "For 'object' type, 'additionalProperties: true' is not supported."
                " Please set 'additionalProperties' to false"
            )
    kind = schema.get("type")
    for keyword in UNSUPPORTED_BY_TYPE.get(kind if isinstance(kind, str) else "", ()):
        if keyword in schema:
            return f"For '{kind}' type, property '{keyword}' is not supported"
    return None


def no_citations_with_a_format(asked: Asked) -> str | None:
    """Cited search results and a JSON format exclude each other (text not verified)."""
    form = (asked.body.get("output_config") or {}).get("format")
    cited = any(
        (inner.get("citations") or {}).get("enabled")
        for spot in asked.spots
        for inner in [spot.block, *_listed(spot.block.get("content"))]
        if isinstance(inner.get("citations"), dict)
    )
    if form is not None and cited:
        return "output_config.format: cannot be used with citations enabled"
    return None


def _listed(content: Json) -> list[Json]:
    return [c for c in content if isinstance(c, dict)] if _is_list(content) else []


def _is_list(content: Json) -> bool:
    return isinstance(content, list)


def nothing_hinders_warming(asked: Asked) -> str | None:
    """max_tokens 0 warms the cache and excludes much else (text not verified)."""
    body = asked.body
    hindered = (
        body.get("stream")
        or (body.get("thinking") or {}).get("type") == "enabled"
        or (body.get("output_config") or {}).get("format")
        or (body.get("tool_choice") or {}).get("type") in ("any", "tool")
    )
    if body.get("max_tokens") == 0 and hindered:
        return (
            "max_tokens: 0 cannot be combined with stream, thinking, format or choice"
        )
    return None
