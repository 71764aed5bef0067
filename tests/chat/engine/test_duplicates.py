"""The same call with the same result: said in a line while the first still stands."""

import pytest

from chat.engine.context.plan import Compaction
from chat.engine.context.transcript import Transcript
from tests.chat.engine.transcripts import (
    HEAD,
    REF,
    begun,
    contents,
    page,
    say_all,
    turn,
    whole,
)

LONG = page("long", 1_000)
FOLD = Compaction(tier=2, folded=1, catalog_tokens=500)


@pytest.mark.row("B5")
def test_the_same_call_with_the_same_result_is_said_in_a_line() -> None:
    transcript = begun(*turn("a", LONG, arguments={"b": 1, "a": [2]}))
    banner = transcript.duplicate_of("read", '{ "a": [2],"b":1}', LONG)

    assert banner is not None
    assert len(banner) < 250
    assert "1000" in banner


@pytest.mark.parametrize(
    ("tool", "arguments", "content"),
    [
        ("look", {"page": "a.0"}, LONG),
        ("read", {"page": "a.1"}, LONG),
        ("read", {"page": "a.0"}, LONG + "!"),
    ],
)
def test_another_tool_call_or_result_is_no_duplicate(
    tool: str, arguments: dict[str, str], content: str
) -> None:
    transcript = begun(*turn("a", LONG))
    assert transcript.duplicate_of(tool, arguments, content) is None


def test_a_short_result_may_be_said_twice() -> None:
    short = page("short", 399)
    transcript = begun(*turn("a", short))
    assert transcript.duplicate_of("read", {"page": "a.0"}, short) is None


@pytest.mark.row("B5")
@pytest.mark.parametrize(
    "plan", [FOLD, Compaction(tier=1, masked=("a.0",), preview_chars=50)]
)
def test_what_was_put_aside_is_no_longer_above(plan: Compaction) -> None:
    transcript = begun(*turn("a", LONG), *turn("b", LONG))
    transcript.compact(plan)
    assert transcript.duplicate_of("read", {"page": "a.0"}, LONG) is None
    assert transcript.duplicate_of("read", {"page": "b.0"}, LONG) is not None


@pytest.mark.row("B5")
def test_w2_a_result_of_another_run_is_no_duplicate() -> None:
    begun(*turn("a", LONG))
    assert begun().duplicate_of("read", {"page": "a.0"}, LONG) is None


def test_a_repeat_is_known_by_its_banner_after_the_first_was_put_aside() -> None:
    transcript = begun(*turn("a", LONG))
    banner = transcript.duplicate_of("read", {"page": "a.0"}, LONG)
    assert banner is not None
    say_all(transcript, turn("b", banner, arguments={"page": "a.0"}))
    transcript.compact(FOLD)

    [ref] = REF.findall(contents(transcript)[0])
    assert whole(transcript, ref) == LONG


def test_two_transcripts_share_nothing() -> None:
    one, other = Transcript([], [HEAD], 0), Transcript([], [HEAD], 0)
    say_all(one, turn("a", LONG))
    one.compact(FOLD)
    assert other.messages == [HEAD]
    assert not other.store.entries
