"""What a scenario file expects, held against the run that played it.

Every key of `expect` has its check here; a key that has none fails, so that no file is
checked by half.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from itertools import groupby
from typing import Any

from chat.engine import Citation, ModelReply, ReplyStop, StopReason
from chat.engine.events import ModelFailed, RetryScheduled
from chat.providers.anthropic.reply import read_reply
from tests.chat.providers.anthropic.playing import Played
from tests.fakes.model_server import load
from tests.fakes.model_server.scenario import Exchange

# The API's word, how a reply has it, and what a run without more to do ends as.
STOPS: Mapping[str, tuple[ReplyStop, StopReason]] = {
    "end_turn": (ReplyStop.END_TURN, StopReason.COMPLETED),
    "stop_sequence": (ReplyStop.END_TURN, StopReason.COMPLETED),
    "tool_use": (ReplyStop.TOOL_USE, StopReason.COMPLETED),
    "pause_turn": (ReplyStop.PAUSE, StopReason.COMPLETED),
    "max_tokens": (ReplyStop.MAX_TOKENS, StopReason.TRUNCATED),
    "model_context_window_exceeded": (ReplyStop.WINDOW, StopReason.TRUNCATED),
    "refusal": (ReplyStop.REFUSAL, StopReason.REFUSAL),
}
USAGE = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_creation_input_tokens": "cache_write_tokens",
    "cache_read_input_tokens": "cache_read_tokens",
    "web_search_requests": "searches",
}


def check_expected(played: Played, expect: Mapping[str, Any] | None = None) -> None:
    """Hold each key against the run; KeyError for one that nothing here reads."""
    for key, value in (played.scenario.expect if expect is None else expect).items():
        CHECKS[key](played, value)


def _stop(played: Played, word: str | None) -> None:
    """None: the only reply was never finished, and so is none."""
    if word is None:
        assert not played.replies
        assert played.result.stop is StopReason.PROVIDER_UNAVAILABLE
        return
    reply, run = STOPS[word]
    assert played.replies[-1].stop is reply
    assert played.result.stop is (StopReason.COMPLETED if played.closed else run)


def _final_text(played: Played, text: str) -> None:
    assert played.replies[-1].text == text
    assert played.closed or played.result.output.endswith(text)


def _turn_text(played: Played, text: str) -> None:
    assert played.result.output == text
    assert text.endswith(played.replies[-1].text)


def _citations(played: Played, sources: list[Any]) -> None:
    reply = played.replies[-1]
    assert _sources(reply.citations) == sources
    # In the answer they stand where the same words stand.
    before = len(played.result.output) - len(reply.text)
    moved = [(each.start + before, each.end + before) for each in reply.citations]
    places = [(each.start, each.end) for each in played.result.citations]
    assert places[len(places) - len(moved) :] == moved


def _turn_citations(played: Played, sources: list[Any]) -> None:
    """By block, or all in a row."""
    citations = played.result.citations
    by_block = bool(sources) and isinstance(sources[0], list)
    found = _sources(citations) if by_block else [each.source for each in citations]
    assert found == sources


def _sources(citations: Iterable[Citation]) -> list[list[str]]:
    """Sources by the text block that they are of."""
    blocks = groupby(citations, key=lambda each: (each.start, each.end))
    return [[each.source for each in block] for _, block in blocks]


def _calls(played: Played, number: int) -> None:
    assert len(played.requests) == number


def _tools_run(played: Played, number: int) -> None:
    assert len(played.ran) == number
    used = {each.name: each.calls for each in played.result.report.tools}
    for name in played.ran:
        assert used[name] >= played.ran.count(name)


def _tool_inputs(played: Played, inputs: list[Any]) -> None:
    """Of a call that was cut the SDK makes half an object; the loop keeps the text."""
    for call, wanted in zip(played.replies[-1].calls, inputs, strict=True):
        if isinstance(call.arguments, str):
            assert call.arguments.startswith(json.dumps(wanted)[:-1])
        else:
            assert call.arguments == wanted


def _web_searches(played: Played, number: int) -> None:
    _sum_usage(played, {"web_search_requests": number})


def _sum_usage(played: Played, sums: Mapping[str, int]) -> None:
    usages = [reply.usage for reply in played.replies]
    for key, value in sums.items():
        assert sum(getattr(each, USAGE[key]) for each in usages) == value
    if played.lead or played.closed:
        return
    known = [each for each in usages if each is not None]
    counters = played.result.report.counters
    assert counters.input_tokens == sum(each.prompt_tokens for each in known)
    assert counters.output_tokens == sum(each.output_tokens for each in known)
    assert counters.searches == sum(each.searches for each in known)


def _cost(played: Played, cost: float) -> None:
    assert played.result.report.cost == Decimal(str(cost))


def _min_wait_s(played: Played, seconds: float) -> None:
    waits = [event.delay_s for event in played.of(RetryScheduled)]
    assert sum(waits) >= seconds


def _container(played: Played, name: str) -> None:
    sent = [request.body.get("container") for request in played.requests]
    assert sent == [None, *[name] * (len(sent) - 1)]


def _tool_errors(played: Played, codes: list[str]) -> None:
    told = [word for reply in played.replies for word in reply.notices]
    assert [re.sub("^web_(search|fetch)_", "", word) for word in told] == codes
    assert played.result.report.counters.fallbacks >= len(codes)


def _category(played: Played, word: str) -> None:
    """The API may explain it."""
    assert played.result.detail.partition(": ")[0] == word


def _stream_error(played: Played, kind: str) -> None:
    (failed,) = played.of(ModelFailed)
    assert kind in failed.message
    assert kind.removesuffix("_error") == failed.error_kind


def _error(played: Played, name: str) -> None:
    """The SDK's class; the loop has one kind for several of them."""
    kinds = {
        "RateLimitError": "rate_limit_error",
        "OverloadedError": "overloaded_error",
    }
    failed = played.of(ModelFailed)
    assert failed
    assert all(kinds[name] in each.message for each in failed)
    assert played.result.stop is StopReason.PROVIDER_UNAVAILABLE


def _error_code(played: Played, code: str) -> None:
    assert all(code in each.message for each in played.of(ModelFailed))
    assert code in played.result.detail


def _same_as(played: Played, name: str) -> None:
    """The other file's expectations, and its very replies."""
    other = load(name)
    check_expected(played, other.expect)
    for ours, exchange in zip(played.replies, other.exchanges, strict=True):
        _assert_same(ours, exchange)


def _same_as_exchange(played: Played, which: tuple[str, int]) -> None:
    name, number = which
    _assert_same(played.replies[-1], load(name).exchanges[number])


def _assert_same(ours: ModelReply, exchange: Exchange) -> None:
    theirs = read_reply(exchange.reply.body, "")
    for field in ("text", "calls", "stop", "citations", "server_calls", "notices"):
        assert getattr(ours, field) == getattr(theirs, field)
    assert {**ours.raw, "prompt": ""} == theirs.raw


CHECKS: Mapping[str, Callable[[Played, Any], None]] = {
    "stop": _stop,
    "final_text": _final_text,
    "turn_text": _turn_text,
    "citations": _citations,
    "turn_citations": _turn_citations,
    "calls": _calls,
    "tools_run": _tools_run,
    "tool_inputs": _tool_inputs,
    "web_searches": _web_searches,
    "sum_usage": _sum_usage,
    "cost": _cost,
    "min_wait_s": _min_wait_s,
    "container": _container,
    "tool_errors": _tool_errors,
    "category": _category,
    "stream_error": _stream_error,
    "error": _error,
    "error_code": _error_code,
    "same_as": _same_as,
    "same_as_exchange": _same_as_exchange,
}
