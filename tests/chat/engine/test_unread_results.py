"""More results in one turn than fit: what fits is shown, the rest is counted."""

import pytest

from chat.engine.messages import Message
from tests.chat.engine.transcripts import (
    REF,
    begun,
    contents,
    page,
    rounds,
    say_all,
    settle,
    turn,
    whole,
)


@pytest.mark.row("B8")
def test_w14_sixty_results_in_one_turn_fit_a_small_window() -> None:
    # 600,000 characters in a window of 8,192 tokens, of which 2,560 are for the reply.
    limit = 8_192 - 2_560
    results = [page(n, 10_000) for n in range(60)]
    transcript = begun(*turn("a", *results))
    settle(transcript, limit)

    assert limit * 0.9 < transcript.tokens <= limit
    for shown, result in zip(contents(transcript), results, strict=True):
        head, beginning = shown.split("\n", 1)
        assert result.startswith(beginning)
        assert len(beginning) > 40
        assert whole(transcript, REF.findall(head)[0]) == result


@pytest.mark.row("B8")
def test_one_result_of_two_megabytes_is_shown_as_far_as_it_fits() -> None:
    limit, result = 16_000 - 2_560, page("long", 2_000_000)
    transcript = begun(*turn("a", result))
    [plan] = settle(transcript, limit)

    assert limit * 0.98 < transcript.tokens <= limit
    assert (plan.tier, plan.unseen) == (1, 0)
    head, beginning = contents(transcript)[0].split("\n", 1)
    assert "not seen" in head
    assert result.startswith(beginning)


@pytest.mark.row("B8")
def test_short_results_beside_a_long_one_stay_whole() -> None:
    short = [page(n, 300) for n in range(10)]
    transcript = begun(*turn("a", page("long", 100_000), *short))
    settle(transcript, 5_000)
    assert contents(transcript)[1:] == short


@pytest.mark.row("B8")
def test_what_the_model_sees_nothing_of_is_counted() -> None:
    transcript = begun(*turn("a", *[page(n, 10_000) for n in range(60)]))
    plans = settle(transcript, 1_500)

    assert transcript.tokens <= 1_500
    assert plans[-1].tier == 3
    assert sum(plan.unseen for plan in plans) == 60
    assert len({entry.text for entry in transcript.store.entries}) == 60


@pytest.mark.row("B8")
def test_what_was_counted_once_is_not_counted_again() -> None:
    transcript = begun(*turn("a", *[page(n, 10_000) for n in range(20)]))
    plans = [plan for limit in (1_900, 900, 300) for plan in settle(transcript, limit)]
    assert sum(plan.unseen for plan in plans) == 20


def test_results_that_the_model_has_read_are_not_unseen() -> None:
    transcript = rounds(20, 4_000)
    plans = settle(transcript, 300)
    assert sum(plan.unseen for plan in plans) == 0


@pytest.mark.row("B8")
def test_a_nudge_after_results_does_not_make_them_read() -> None:
    transcript = begun(*turn("a", page("long", 40_000)), Message.user("Go on."))
    settle(transcript, 3_000)
    assert page("long", 4_000) in contents(transcript)[0]


def test_a_preview_that_was_read_is_put_aside_like_any_result() -> None:
    transcript = begun(*turn("a", page("long", 40_000)))
    settle(transcript, 3_000)
    for place in range(6):
        say_all(transcript, turn(f"c{place}", page(place, 800)))
        settle(transcript, 3_000)
    assert transcript.tokens <= 3_000
    assert page("long", 40_000) in [each.text for each in transcript.store.entries]
