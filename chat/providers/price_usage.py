"""A provider's usage report as chat.engine.Usage: two ways of counting cached tokens.

additive    the Messages API: `input_tokens` are those that no cache served or took;
            reads and writes are counted beside them
subset      OpenAI's shape: `prompt_tokens` are all, and the cached are a part of them

Both end in the same value. A report that is missing, or whose figures contradict each
other, is None: unknown usage, of which nobody can say that it cost nothing.
"""

from collections.abc import Mapping
from typing import Any

from chat.engine.model import Usage

_Counts = Mapping[str, Any]


class _Nonsense(Exception):
    """A figure is not a count."""


def additive_usage(report: object) -> Usage | None:
    """Read a Messages API `usage` object; prompt = input + cache reads + writes."""
    try:
        counts = _object(report)
        kept = _object(counts.get("cache_creation") or {})
        for_an_hour = _count(kept, "ephemeral_1h_input_tokens")
        by_time = _count(kept, "ephemeral_5m_input_tokens") + for_an_hour
        return Usage(
            input_tokens=_count(counts, "input_tokens", needed=True),
            output_tokens=_count(counts, "output_tokens", needed=True),
            cache_read_tokens=_count(counts, "cache_read_input_tokens"),
            # Some relays send only the sum, some only its parts.
            cache_write_tokens=max(
                _count(counts, "cache_creation_input_tokens"), by_time
            ),
            cache_write_1h_tokens=for_an_hour,
            searches=_searches(counts),
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
            searches=_searches(counts),
        )
    except _Nonsense:
        return None


def _searches(counts: _Counts) -> int:
    tools = _object(counts.get("server_tool_use") or {})
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
