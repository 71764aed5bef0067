"""Whatever a model says, a run ends, answers every call and keeps to its window.

FUZZ_DIALOGUES sets how many dialogues are played in all; `make fuzz` plays 20,000.
"""

import logging
import os
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from chat.engine import (
    Limits,
    Reply,
    event_from_json,
    event_to_json,
    is_journaled,
    model_turn,
)
from tests.properties.engine_dialogues import (
    budgets,
    limits,
    outline,
    play,
    scripts,
)

SHARDS = 10
DIALOGUES = int(os.environ.get("FUZZ_DIALOGUES", "1000"))
unhurried = settings(
    max_examples=DIALOGUES // SHARDS,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    database=None,
)


@pytest.fixture(autouse=True)
def no_waiting() -> Iterator[None]:
    logging.disable(logging.CRITICAL)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model_turn, "FIRST_BACKOFF_S", 0.0)
        yield
    logging.disable(logging.NOTSET)


@pytest.mark.row("A11", "B1", "B13")
@pytest.mark.parametrize("shard", range(SHARDS))
def test_no_dialogue_breaks_the_loop(shard: int) -> None:
    @seed(shard)
    @unhurried
    @given(scripts, limits, budgets, st.booleans())
    def check(
        script: list[Reply], limits: Limits, spending: dict[str, Any], schema: bool
    ) -> None:
        events, result, faults = play(
            script, replace(limits, **spending), schema=schema
        )
        assert faults == []
        assert events[-1].kind == "run_finished"
        assert "Traceback" not in result.detail

    check()


@pytest.mark.parametrize("shard", range(SHARDS))
def test_a_run_resumes_from_any_prefix_and_ends_the_same(shard: int) -> None:
    @seed(shard)
    @unhurried
    @given(scripts, limits, st.booleans(), st.randoms(use_true_random=False))
    def check(script: list[Reply], limits: Limits, schema: bool, dice: Any) -> None:
        events, whole, _ = play(script, limits, schema=schema)
        rows = [event_to_json(event) for event in events if is_journaled(event)]
        cut = dice.randrange(len(rows) + 1)
        past = [event_from_json(row) for row in rows[:cut]]
        _, resumed, faults = play(script, limits, schema=schema, history=past)

        assert faults == []
        assert outline(resumed) == outline(whole)

    check()
