"""Whatever is said and whatever the limit: it fits, and everything is found again."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chat.engine.codec import decode, encode
from chat.engine.context.compaction import Compaction
from chat.engine.context.tokens import message_tokens
from chat.engine.messages import Message
from tests.chat.engine.stories import letters, sizes, steps, told
from tests.chat.engine.transcripts import (
    FIXED,
    HEAD,
    begun,
    contents,
    settle,
    turn,
    whole,
)

LEAST = FIXED + message_tokens(HEAD)
unhurried = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=300
)
scripts = st.lists(steps, max_size=25)
talks = st.integers(0, 3)


@pytest.mark.row("B5", "B6", "B7", "B8")
@unhurried
@given(scripts, talks)
def test_whatever_happens_everything_can_be_found_again(
    script: list[Any], talk: int
) -> None:
    transcript = (story := told(script, talk)).transcript
    kept = {entry.text for entry in transcript.store.entries}
    kept |= set(contents(transcript)) | {each.text for each in transcript.messages}
    assert not [text for text in story.texts if text and text not in kept]

    for entry in transcript.store.entries[:5]:
        assert whole(transcript, entry.ref) == entry.text


@pytest.mark.row("B5", "B8")
@unhurried
@given(scripts, talks, st.integers(0, 12_000))
def test_it_fits_if_it_can_and_then_nothing_is_left_to_do(
    script: list[Any], talk: int, limit: int
) -> None:
    transcript = told(script, talk).transcript
    settle(transcript, limit)

    # Beside the head, the shortest catalog takes less than 100 tokens.
    if limit >= LEAST + 100:
        assert transcript.tokens <= limit


@pytest.mark.row("B5")
@unhurried
@given(scripts, talks)
def test_the_same_plans_on_the_same_messages_give_the_same_transcript(
    script: list[Any], talk: int
) -> None:
    story, again = told(script, talk), told([], talk).transcript
    for each in story.log:
        if isinstance(each, Message):
            again.say(each)
        else:
            again.compact(decode(Compaction, encode(each)))

    assert again.messages == story.transcript.messages
    assert again.tokens == story.transcript.tokens
    assert again.rewritten == story.transcript.rewritten
    assert again.store.entries == story.transcript.store.entries


@pytest.mark.row("B8")
@unhurried
@given(
    st.lists(st.tuples(letters, sizes), min_size=1, max_size=30), st.integers(0, 9_000)
)
def test_an_unread_result_is_shown_in_part_or_counted(
    results: list[tuple[str, int]], limit: int
) -> None:
    texts = [
        f"{n} {alphabet * size}"[:size] for n, (alphabet, size) in enumerate(results)
    ]
    transcript = begun(*turn("a", *texts))
    plans = settle(transcript, limit)

    shown = contents(transcript) or [""] * len(texts)
    hidden = sum(
        bool(text) and text[:40] not in now
        for text, now in zip(texts, shown, strict=True)
    )
    assert sum(plan.unseen for plan in plans) == hidden
