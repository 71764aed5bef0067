"""What is masked of a result, and what never is."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.engine.progress import stable_text
from chat.engine.volatile import MASK

pytestmark = pytest.mark.row("B3")

UUID = "550e8400-e29b-41d4-a716-446655440000"


@pytest.mark.parametrize(
    "volatile",
    [
        "2026-11-30T12:30:05.123Z",
        "2026-11-30 12:30:05+01:00",
        "20261130T120005Z",
        "12:30",
        "9:05 pm",
        "23:59:59.999",
        UUID,
        UUID.upper(),
        "0123456789abcdef",
        "4bf92f3577b34da6a3ce929d0e0e4736",
        "took 12.5 ms",
        "Took: 3s",
        "TOOK 1m 30s",
        "elapsed=0:00:05.1",
        '"elapsed_ms": 12',
        "'duration_s': 0.25",
        "duration: PT5.3S",
        '"durationMs":7',
        "latency 1,204 µs",
        '"timestamp": 1700000000.5',
        "timestamp: 2026-11-30T12:30:05",
        '"request_id": "req_abC12"',
        "Request-Id: 5f/77+a=",
        '"traceId": "x-1"',
        "trace id 77",
    ],
)
def test_moments_durations_and_ids_are_masked(volatile: str) -> None:
    masked = stable_text(f"3 rows, {volatile}, done")
    assert re.sub("[\"']?\0[\"']?", "", masked) == "3 rows, , done"


@pytest.mark.parametrize("key", ["fetched_at", "created_at", "updated_at"])
def test_the_value_of_a_key_that_ends_in_at_is_masked(key: str) -> None:
    first, second = (f'{{"{key}": {at}, "rows": 3}}' for at in (1700000000, 1700000009))
    assert stable_text(first) == stable_text(second)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3 of 400 files done",
        "released on 2026-11-30",
        "main.c:10:20: error",
        "took the train 5 times",
        "mistook 5",
        "version 1.2.3 at 127.0.0.1:8000",
        "ratio 3:2",
        "commit 5f3ab1c",
        "0123456789abcdefg",
        "a" * 200 + " 1",
        "request 5 has id 7",
        "timeout_ms: 500",
        "the 25:61",
    ],
)
def test_what_may_be_news_is_left(text: str) -> None:
    assert stable_text(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "12:30:05",
        "2026-11-30T12:30:05Z",
        UUID,
        f"- {UUID};",
        '{"timestamp": 1700000000}',
        '{"time": "12:30:05", "date": "2026-11-30 12:30:05"}',
        "The time is 12:30:05 UTC.",
        "took 12 ms",
    ],
)
def test_what_says_nothing_else_counts_as_it_is(text: str) -> None:
    assert stable_text(text) == text


@given(st.text())
def test_any_text_has_a_stable_one(text: str) -> None:
    assert stable_text(text) == text or MASK in stable_text(text)


PIECES = ["took ", "1", " ", "ms", "12:30", "-", "a", "f", "T", "_at", ":", '"', "é"]


@given(st.lists(st.sampled_from([*PIECES, UUID, "request_id", "0" * 8]), max_size=40))
def test_masking_shortens_a_text_and_keeps_the_rest(pieces: list[str]) -> None:
    once = stable_text("rows " + "".join(pieces))
    assert once.startswith("rows")
    assert len(once) <= 5 + sum(map(len, pieces))
