"""The prompt cache: what is read, written and paid in full."""

from typing import Any

from tests.fakes.model_server.caching import Cache
from tests.fakes.model_server.clock import START, Clock

MARK = {"cache_control": {"type": "ephemeral"}}
HOUR = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}


def _text(tokens: int, **mark: Any) -> dict[str, Any]:
    return {"type": "text", "text": f"<<PAD {tokens} tokens>>", **mark}


def _body(*blocks: Any, **fields: Any) -> dict[str, Any]:
    message = {"role": "user", "content": list(blocks)}
    return {"model": "m", "messages": [message], **fields}


def _counts(usage: dict[str, Any]) -> tuple[int, int, int]:
    """Fresh, written, read."""
    written = usage["cache_creation_input_tokens"]
    return usage["input_tokens"], written, usage["cache_read_input_tokens"]


def _account(cache: Cache, body: Any, now: Any = START) -> tuple[int, int, int]:
    return _counts(cache.account(body, 1024, now))


def test_without_a_breakpoint_all_is_fresh() -> None:
    assert _account(Cache(), _body(_text(2000))) == (2000, 0, 0)


def test_what_was_written_is_read_and_the_rest_is_fresh() -> None:
    cache = Cache()
    first = _body(_text(2000, **MARK), _text(30))
    assert _account(cache, first) == (30, 2000, 0)
    assert _account(cache, first) == (30, 0, 2000)
    longer = _body(_text(2000), _text(500, **MARK), _text(30))
    assert _account(cache, longer) == (30, 500, 2000)


def test_a_short_prompt_is_not_cached() -> None:
    assert _account(Cache(), _body(_text(1000, **MARK))) == (1000, 0, 0)


def test_an_entry_dies_unless_it_is_read() -> None:
    cache, clock, body = Cache(), Clock(), _body(_text(2000, **MARK))
    assert _account(cache, body, clock()) == (0, 2000, 0)
    for _ in range(3):
        clock.advance(200)
        assert _account(cache, body, clock()) == (0, 0, 2000)
    clock.advance(301)
    assert _account(cache, body, clock()) == (0, 2000, 0)


def test_an_hour_is_counted_apart() -> None:
    usage = Cache().account(_body(_text(2000, **HOUR), _text(300, **MARK)), 1024, START)
    assert usage["cache_creation"] == {
        "ephemeral_5m_input_tokens": 300,
        "ephemeral_1h_input_tokens": 2000,
    }


def test_a_change_undoes_all_that_comes_after_it() -> None:
    cache = Cache()
    tools = [{"name": "a", "description": "<<PAD 3000 tokens>>", **MARK}]
    system = [_text(2000, **MARK)]
    body = _body(_text(100, **MARK), tools=tools, system=system)
    assert _account(cache, body) == (0, 5100, 0)
    other_system = {**body, "system": [_text(2001, **MARK)]}
    assert _account(cache, other_system) == (0, 2101, 3000)
    chosen = {**body, "tool_choice": {"type": "none"}}
    assert _account(cache, chosen) == (0, 100, 5000)


def test_a_breakpoint_looks_back_twenty_blocks() -> None:
    cache = Cache()
    _account(cache, _body(_text(2000, **MARK)))
    near = [_text(n) for n in range(1, 20)]
    assert _account(cache, _body(_text(2000), *near, _text(5, **MARK)))[2] == 2000
    far = [_text(n) for n in range(2, 22)]
    assert _account(cache, _body(_text(2000), *far, _text(5, **MARK)))[2] == 0


def test_the_automatic_breakpoint_stands_at_the_end() -> None:
    cache = Cache()
    body = _body(_text(2000), cache_control={"type": "ephemeral"})
    assert _account(cache, body) == (0, 2000, 0)
    assert _account(cache, body) == (0, 0, 2000)


def test_a_breakpoint_inside_a_result_counts() -> None:
    result = {
        "type": "tool_result",
        "tool_use_id": "x",
        "content": [_text(2000, **MARK)],
    }
    assert _account(Cache(), _body(result)) == (0, 2000, 0)
