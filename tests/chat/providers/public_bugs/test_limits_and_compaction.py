"""Rows 13, 29, 30, 35 and 36: what is too long, and what is cut."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from chat.engine import Limits, Message, Role, Status, StopReason, Task
from tests.chat.providers.public_bugs.playing import SEARCH, URL, play, reader, texts
from tests.fakes.model_server import Reply, call, refused, say
from tests.fakes.model_server.replies import hit, search, text

OLD = "claude-opus-4-5"
BOTH = pytest.mark.parametrize("streams", [False, True])


@BOTH
@pytest.mark.parametrize("why", ["max_tokens", "model_context_window_exceeded"])
def test_bug_13_a_cut_answer_says_that_it_was_cut(why: str, streams: bool) -> None:
    """dust#28390: what ended at max_tokens was shown as complete."""
    result = play([say("The tide is", stop=why)], stream=streams).result
    assert result.output == "The tide is"
    assert (result.stop, result.status) == (StopReason.TRUNCATED, Status.PARTIAL)
    assert "cut" in result.detail


def test_bug_29_no_request_wants_a_longer_reply_than_the_model_has() -> None:
    """pi#4390, claude-code#24451: max_tokens 128001 > 64000 when it compacted."""
    turns = [say(call("read_file", path=str(n))) for n in range(6)]
    limits = Limits(max_output_tokens=128_001, iterations=6)
    tool = reader("line\n" * 40_000)
    played = play([*turns, say("So.")], tool, model=OLD, limits=limits)
    assert played.result.output == "So."
    assert played.result.report.counters.masks > 0
    assert all(1 <= body["max_tokens"] <= 64_000 for body in played.bodies)


def test_bug_30_a_prompt_that_was_estimated_too_short_is_made_shorter() -> None:
    """cloudflare/agents#1538: prompt is too long: 1013811 > 1000000, and compaction
    never began."""
    # Each stands for far more tokens than its letters are.
    page = "<<PAD 300000 tokens>> " + "line " * 900
    script = [
        *(say(call("read_file", path=name)) for name in "abcd"),
        refused("prompt is too long: 1200000 tokens > 1000000 maximum"),
        say("4 m"),
    ]
    played = play(script, reader(page))
    assert played.result.output == "4 m"
    counters = played.result.report.counters
    assert (counters.overflows, counters.retries) == (1, 1)
    assert counters.masks + counters.folds > 0
    assert str(played.sent(5)).count("PAD") < str(played.sent(4)).count("PAD")


def test_bug_30_of_a_prompt_that_stays_too_long_the_run_says_so() -> None:
    """cloudflare/agents#1538: the same 400, again and again, and nobody told."""
    objective = "<<PAD 1013811 tokens>>"
    played = play(
        [refused("prompt is too long")],
        task=Task(objective),
        limits=Limits(mode="direct"),
    )
    assert played.result.stop is StopReason.CONTEXT_OVERFLOW
    assert "1013811 tokens > 1000000" in played.result.detail


BLANK = [text("Well, ")]


@pytest.mark.parametrize("raw", [None, {"content": BLANK}], ids=["plain", "raw"])
def test_bug_35_no_conversation_ends_in_an_assistants_text_with_a_blank(
    raw: Any,
) -> None:
    """forgecode#1872, langchain PR#35072: final assistant content cannot end with
    trailing whitespace."""
    cut = Message(Role.ASSISTANT, "Well, ", raw=raw)
    task = Task("Go on.", messages=(Message.user("How high?"), cut))
    turns = [say("Next. ", call("read_file", path=str(n))) for n in range(6)]
    limits = Limits(window=6_000, iterations=6)
    tool = reader("line\n" * 600)
    played = play([*turns, say("4 m")], tool, task=task, limits=limits, model=OLD)
    assert played.result.output == "4 m"
    assert played.result.report.counters.masks > 0
    ends = {played.roles(number)[-1] for number in range(len(played.bodies))}
    assert ends == {"user"}
    assert texts(played.sent(0)[-1]) == ["Go on."]


def test_bug_35_a_paused_text_that_ends_in_a_blank_goes_on_as_it_stands() -> None:
    """langchain PR#35072: stripping it would change what is to be continued."""
    paused = say(*search("tides", hit(URL)), "The tide is ", stop="pause_turn")
    played = play([paused, say("4 m")], search=SEARCH, model=OLD)
    assert played.result.output == "The tide is 4 m"
    assert texts(played.sent(1)[-1]) == ["The tide is "]


def _marks(part: Any) -> Iterator[Any]:
    if isinstance(part, dict):
        yield from [part["cache_control"]] if "cache_control" in part else []
        part = list(part.values())
    for inner in part if isinstance(part, list) else ():
        yield from _marks(inner)


@pytest.mark.parametrize("cache", ["5m", "1h"])
def test_bug_36_ten_results_a_turn_are_not_ten_breakpoints(cache: str) -> None:
    """continue#6937, Anthropic.SDK#50: a fifth cache_control is refused."""
    numbers = count()

    def answer(request: Any) -> Reply:
        turn = next(numbers)
        if turn == 5:
            return say("4 m")
        calls = [call("read_file", path=f"{turn}.{n}") for n in range(10)]
        return say(*search("tides", hit(URL)), *calls)

    task = Task("How high?", system="Be exact. " * 500)
    played = play(answer, reader(), task=task, search=SEARCH, cache=cache)
    assert played.result.output == "4 m"
    found = [len(list(_marks(body))) for body in played.bodies]
    assert 2 <= min(found) <= max(found) == 4
