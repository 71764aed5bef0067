"""A provider's usage report as chat.engine.Usage: two ways of counting cached tokens.

additive    the Messages API: `input_tokens` are those that no cache served or took;
            reads and writes are counted beside them
subset      OpenAI's shape: `prompt_tokens` are all, and the cached are a part of them

Nothing else reads either. Both end in the same value. A report that is missing, or
whose figures contradict each other, is None: unknown usage, of which nobody can say
that it cost nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from decimal import Decimal
from typing import Any

from chat.engine.model import Usage

_Counts = Mapping[str, Any]
MINUTES, HOUR = "ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens"


class _Nonsense(Exception):
    """A figure is not a count."""


@dataclass(frozen=True, slots=True)
class BilledUsage(Usage):
    """Usage with the price that the provider itself has put on it, in US dollars.

    It goes before any price list. It is not journaled: the loop notes the price of a
    reply beside its usage.
    """

    cost: Decimal | None = field(default=None, metadata={"journaled": False})


def billed(usage: Usage, cost: Decimal | None) -> BilledUsage:
    """Return the same counts with the provider's own price, None where it says none."""
    counts = {part.name: getattr(usage, part.name) for part in fields(Usage)}
    return BilledUsage(**counts, cost=cost)


def own_price(usage: Usage) -> Decimal | None:
    """The price that the provider itself has put on a usage, None where it has none."""
    return usage.cost if isinstance(usage, BilledUsage) else None


def additive_usage(report: object) -> Usage | None:
    """Read a Messages API `usage` object; prompt = input + cache reads + writes."""
    try:
        counts = _object(report)
        written, for_an_hour = _written(counts)
        return Usage(
            input_tokens=_count(counts, "input_tokens", needed=True),
            output_tokens=_count(counts, "output_tokens", needed=True),
            cache_read_tokens=_count(counts, "cache_read_input_tokens"),
            cache_write_tokens=written,
            cache_write_1h_tokens=for_an_hour,
            searches=_searches(counts) or 0,
        )
    except _Nonsense:
        return None


def subset_usage(report: object) -> Usage | None:
    """Read a chat completion's `usage` object; cached tokens are part of the prompt."""
    try:
        counts = _object(report)
        details = _object(counts.get("prompt_tokens_details") or {})
        read = _count(details, "cached_tokens")
        written = _count(details, "cache_write_tokens")
        uncached = _count(counts, "prompt_tokens", needed=True) - read - written
        if uncached < 0:
            raise _Nonsense
        return Usage(
            input_tokens=uncached,
            output_tokens=_count(counts, "completion_tokens", needed=True),
            cache_read_tokens=read,
            cache_write_tokens=written,
            searches=_searches(counts) or 0,
        )
    except _Nonsense:
        return None


def reported_searches(report: object) -> int | None:
    """The web searches that a `usage` object of either shape names, None if it does
    not."""
    try:
        return _searches(_object(report))
    except _Nonsense:
        return None


def _written(counts: _Counts) -> tuple[int, int]:
    """Tokens written to a cache, and those of them that are kept for an hour.

    Some relays send only the sum, which is then of five minutes, some only its parts.
    """
    kept = _object(counts.get("cache_creation") or {})
    if all(kept.get(part) is None for part in (MINUTES, HOUR)):
        return _count(counts, "cache_creation_input_tokens"), 0
    for_an_hour = _count(kept, HOUR)
    by_time = _count(kept, MINUTES) + for_an_hour
    if counts.get("cache_creation_input_tokens") not in (None, by_time):
        raise _Nonsense
    return by_time, for_an_hour


def _searches(counts: _Counts) -> int | None:
    tools = _object(counts.get("server_tool_use") or {})
    if tools.get("web_search_requests") is None:
        return None
    return _count(tools, "web_search_requests")


def _count(counts: _Counts, name: str, *, needed: bool = False) -> int:
    value = counts.get(name)
    if value is None and not needed:
        return 0
    if type(value) is not int or value < 0:
        raise _Nonsense
    return value


def _object(value: object) -> _Counts:
    if not isinstance(value, Mapping):
        raise _Nonsense
    return value
