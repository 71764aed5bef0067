"""When older messages are put aside, how far, and what must hold after it."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from chat.engine.codec import decode, encode
from chat.engine.context.compaction import Compaction, plan_compaction
from chat.engine.context.tokens import message_tokens
from chat.engine.messages import Message
from tests.chat.engine.transcripts import (
    FIXED,
    HEAD,
    REF,
    begun,
    catalogs,
    compacted,
    contents,
    faults,
    page,
    recall,
    rounds,
    say_all,
    settle,
    turn,
    whole,
)

LEAST = FIXED + message_tokens(HEAD)
MODES = ("direct", "standard", "autonomous")


def test_nothing_happens_while_there_is_room() -> None:
    transcript = rounds(10, 1_000)
    assert plan_compaction(transcript, limit=transcript.tokens * 2) is None


@pytest.mark.row("B5")
@pytest.mark.parametrize("mode", MODES)
def test_it_begins_before_the_limit_and_goes_far_below(mode: str) -> None:
    transcript = rounds(30, 1_000)
    limit = transcript.tokens + 10
    compacted(transcript, limit, mode=mode)

    assert transcript.tokens < limit * 0.65
    assert plan_compaction(transcript, limit=limit, mode=mode) is None
    assert faults(transcript) == []


def test_a_longer_running_mode_begins_earlier() -> None:
    transcript = rounds(30, 1_000)
    limits = [
        max(
            limit
            for limit in range(transcript.tokens, transcript.tokens * 2, 50)
            if plan_compaction(transcript, limit=limit, mode=mode)
        )
        for mode in MODES
    ]
    assert limits == sorted(limits)
    assert len(set(limits)) == 3


@pytest.mark.row("B5")
def test_it_comes_seldom() -> None:
    transcript, compactions = begun(), 0
    for place in range(200):
        say_all(transcript, turn(f"c{place}", page(place, 1_000)))
        compactions += len(settle(transcript, 12_000))
    assert compactions < 20


def test_what_is_added_to_the_request_counts() -> None:
    transcript = rounds(10, 1_000)
    limit = transcript.tokens * 2
    plan = plan_compaction(transcript, limit=limit, extra=limit // 2)
    assert plan is not None
    transcript.compact(plan)
    assert transcript.tokens + limit // 2 <= limit


@pytest.mark.row("B5")
def test_results_of_older_steps_go_first_and_the_last_steps_stay() -> None:
    transcript = rounds(10, 4_000)
    plan = compacted(transcript, transcript.tokens)

    assert plan.tier == 1
    assert plan.masked[0] == "c0.0"
    assert contents(transcript)[-3:] == [page(n, 4_000) for n in (7, 8, 9)]
    assert catalogs(transcript) == []


def test_short_results_stay_and_failed_calls_follow_the_same_rules() -> None:
    error = page("error", 4_000)
    transcript = begun(*turn("a", error, error=True), *turn("b", "short"))
    for place in range(10):
        say_all(transcript, turn(f"c{place}", page(place, 4_000)))
    compacted(transcript, transcript.tokens)

    failed, short = contents(transcript)[:2]
    assert whole(transcript, REF.findall(failed)[0]) == error
    assert short == "short"
    results = [each for m in transcript.messages for each in m.results]
    assert results[0].is_error


@pytest.mark.row("B6")
def test_where_receipts_are_not_enough_the_oldest_steps_are_folded() -> None:
    transcript = begun()
    for place in range(60):
        words = page(f"word {place}", 400)
        say_all(transcript, turn(f"c{place}", "short", said=words))
    plan = compacted(transcript, transcript.tokens)

    assert plan.tier == 2
    assert plan.masked == ()
    assert len(catalogs(transcript)) == 1
    assert faults(transcript) == []


@pytest.mark.row("B7")
def test_the_head_stays_whatever_happens() -> None:
    for limit in (LEAST * 8, LEAST * 2, LEAST, 10, 0, -50):
        transcript = rounds(10, 4_000)
        settle(transcript, limit)
        assert transcript.messages[0] == HEAD


@pytest.mark.row("B12")
@pytest.mark.parametrize("unread", [True, False])
def test_a_forced_one_halves_what_is_there(unread: bool) -> None:
    transcript = rounds(20, 4_000, answered=not unread)
    before = transcript.tokens
    plan = compacted(transcript, before * 3, force=True)
    assert plan.tier >= 1
    assert transcript.tokens <= before * 0.55


def test_a_forced_one_shows_of_a_single_long_result_what_fits_into_half() -> None:
    transcript = begun(*turn("a", page("long", 40_000)))
    before = transcript.tokens
    compacted(transcript, before + 10, force=True)

    assert before * 0.4 < transcript.tokens <= before * 0.55
    assert page("long", 2_000) in contents(transcript)[0]


def test_a_forced_one_can_follow_another() -> None:
    transcript = begun(*turn("a", page("long", 40_000)))
    sizes = [transcript.tokens]
    while (plan := plan_compaction(transcript, limit=20_000, force=True)) is not None:
        transcript.compact(plan)
        assert transcript.tokens < sizes[-1]
        sizes.append(transcript.tokens)
    assert len(sizes) > 3
    assert faults(transcript) == []


@pytest.mark.row("B6")
def test_w16_a_thousand_rounds_leave_one_catalog_of_bounded_size() -> None:
    limit, transcript, sizes = 16_000 - 2_560, begun(), []
    for place in range(1_000):
        say_all(transcript, turn(f"c{place}", page(place, 1_500), said="So."))
        plans = settle(transcript, limit)
        assert all(plan.tier < 3 for plan in plans)
        assert transcript.tokens <= limit
        sizes += [len(each.text) for each in catalogs(transcript)]

    assert len(catalogs(transcript)) == 1
    assert max(sizes) < 8_000
    assert max(sizes[-100:]) <= max(sizes[:500]) + 20
    assert len(transcript.messages) < 300
    for ref in ("c0", "c500"):
        assert f'"page": "{ref}.0"' in recall(transcript, 10**9).content


@pytest.mark.row("B5")
def test_a_round_costs_the_same_however_long_the_run() -> None:
    transcript, work = begun(), []
    for place in range(600):
        say_all(transcript, turn(f"c{place}", page(place, 1_500)))
        work.append(lines_run(lambda: settle(transcript, 13_000)))
    assert sum(work[-60:]) <= sum(work[60:120]) * 1.3


def lines_run(what: Callable[[], object]) -> int:
    """Count the lines of Python that are run, which no load of the machine changes."""
    count = 0

    def trace(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        what()
    finally:
        sys.settrace(before)
    return count


def test_a_thing_of_the_past_that_cannot_be_shortened_is_left_alone() -> None:
    transcript = begun(conversation=[Message.user("Hello.")])
    assert plan_compaction(transcript, limit=LEAST) is None


def test_a_catalog_shrinks_when_the_limit_does() -> None:
    transcript = rounds(60, 4_000)
    settle(transcript, 8_000)
    settle(transcript, LEAST + 100)
    assert transcript.tokens <= LEAST + 100
    assert len(catalogs(transcript)) == 1


def test_a_plan_survives_the_journal() -> None:
    transcript = rounds(20, 4_000)
    plan = plan_compaction(transcript, limit=2_000)
    assert decode(Compaction, encode(plan)) == plan
    old = {"tier": 1, "masked": ["a.0"], "preview_chars": 0, "folded": 0, "unseen": 0}
    assert decode(Compaction, old).masked == ("a.0",)
