"""Rounds that bring nothing new are seen, pointed out once, and then ended."""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.engine.progress import Answer, Move, Progress

pytestmark = pytest.mark.row("B3")

GO_ON, NUDGE, STOP = Move.GO_ON, Move.NUDGE, Move.STOP


def moves(
    rounds: Iterable[Sequence[Answer]], progress: Progress | None = None
) -> list[Move]:
    """Observe until told to stop."""
    progress, seen = progress or Progress(), []
    for answers in rounds:
        seen.append(progress.observe(answers))
        if seen[-1] is STOP:
            break
    return seen


def read(page: str, content: str | None = None, *, stale: bool = False) -> Answer:
    """Return the answer to a call that reads a page."""
    text = f"The text of {page}." if content is None else content
    return Answer("read", {"page": page}, text, stale)


def pages(letters: str) -> list[list[Answer]]:
    """Return one round for each letter, which reads that page."""
    return [[read(letter)] for letter in letters]


def drawn(letters: str) -> str:
    """Return the moves as one letter each."""
    return "".join(move.value[0] for move in moves(pages(letters)))


@pytest.mark.parametrize(
    ("letters", "expected"),
    [
        ("AAAA", "gns"),
        ("ABABABAB", "gggngs"),
        ("ABCABCABCABC", "gggggnggs"),
        ("ABCDABCDABCDABCD", "gggggggngggs"),
    ],
)
def test_a_cycle_is_pointed_out_at_twice_and_ended_at_three_times(
    letters: str, expected: str
) -> None:
    assert drawn(letters) == expected


@pytest.mark.parametrize(
    ("letters", "expected"),
    [
        ("ABCDEF" + "FDBECA", "gggggg" + "nggggs"),
        ("ABCDEF" + "BDFACE", "gggggg" + "ggnggs"),
        ("ABCDE" * 3, "ggggg" + "ggnggs"),
    ],
)
def test_repeats_without_a_short_period_are_ended_too(
    letters: str, expected: str
) -> None:
    assert drawn(letters) == expected


@pytest.mark.parametrize(
    ("letters", "expected"),
    [("ABAB" + "BB", "gggngs"), ("BAA" + "BA", "ggngs"), ("BAA" + "BC", "ggngg")],
)
def test_going_back_to_a_cycle_after_the_nudge_ends_it(
    letters: str, expected: str
) -> None:
    assert drawn(letters) == expected


def test_something_new_forgets_the_row_and_allows_another_nudge() -> None:
    assert drawn("AAB" + "BB") == "gng" + "ns"
    assert drawn("ABAB" + "C" + "ABAB") == "gggn" + "g" + "ggng"


def test_polling_a_result_that_changes_goes_on() -> None:
    rounds = [[read("status", f"{done} of 400 files done")] for done in range(400)]
    assert set(moves(rounds)) == {GO_ON}


def test_reading_one_page_again_between_new_ones_goes_on() -> None:
    rounds = [[read("plan" if n % 2 else str(n))] for n in range(400)]
    assert set(moves(rounds)) == {GO_ON}


def test_a_round_with_one_new_answer_among_old_ones_is_new() -> None:
    rounds = [[read("A"), read("B"), read(str(n))] for n in range(50)]
    assert set(moves(rounds)) == {GO_ON}


def test_rounds_of_nothing_but_notices_are_ended() -> None:
    rounds = [[read(str(n), f"Call {n} was made.", stale=True)] for n in range(9)]
    assert moves(rounds) == [GO_ON, GO_ON, NUDGE, GO_ON, GO_ON, STOP]


def test_the_same_notice_again_counts_as_the_same_round() -> None:
    assert moves([[read("A", "No such ref.", stale=True)]] * 4) == [GO_ON, NUDGE, STOP]


def test_a_notice_beside_something_new_does_not_count() -> None:
    rounds = [[read("A", stale=True), read(str(n))] for n in range(20)]
    assert set(moves(rounds)) == {GO_ON}


def test_other_arguments_with_the_same_result_are_new() -> None:
    rounds = [[read(str(n), "Nothing found.")] for n in range(20)]
    assert set(moves(rounds)) == {GO_ON}


def test_other_tools_with_the_same_arguments_are_new() -> None:
    rounds = [[Answer(f"tool_{n}", {}, "ok")] for n in range(20)]
    assert set(moves(rounds)) == {GO_ON}


def test_the_same_call_twice_in_one_round_is_no_repeat() -> None:
    assert moves([[read("A"), read("A")], [read("A")]]) == [GO_ON, GO_ON]


def test_a_round_without_calls_changes_nothing() -> None:
    assert moves([*pages("A"), [], [], *pages("AA")]) == [GO_ON] * 3 + [NUDGE, STOP]


@pytest.mark.parametrize(
    "content",
    ["3 rows, took {n} ms", '{{"request_id": "r{n}", "rows": 3}}', "At 12:00:{n}: 3."],
)
def test_a_time_or_an_id_in_a_result_does_not_make_it_new(content: str) -> None:
    rounds = [[read("A", content.format(n=n))] for n in range(10, 20)]
    assert moves(rounds) == [GO_ON, NUDGE, STOP]


def test_a_tool_may_say_what_of_its_results_counts() -> None:
    progress = Progress({"read": lambda content: content.split("|")[0]})
    rounds = [[read("A", f"same|{n}")] for n in range(9)]
    assert moves(rounds, progress) == [GO_ON, NUDGE, STOP]


def _raise(content: str) -> str:
    raise RuntimeError(content)


@pytest.mark.parametrize("fingerprint", [_raise, lambda content: None])
def test_a_fingerprint_that_fails_leaves_the_content_as_it_is(
    fingerprint: Callable[[str], Any],
) -> None:
    progress = Progress({"read": fingerprint})
    assert (
        moves([[read("A", f"took {n} ms")] for n in range(9)], progress) == [GO_ON] * 9
    )
    assert moves([[read("B")]] * 9, progress) == [GO_ON, NUDGE, STOP]


def test_stale_rounds_are_counted_over_the_whole_run() -> None:
    progress = Progress()
    moves(pages("AABBCC"), progress)
    assert progress.stale_rounds == 3


@pytest.mark.parametrize(
    "arguments",
    [
        '{"q": "a", "n": [1, 2]}',
        '{"n":[1,2],"q":"a"}',
        ' { "n" : [ 1, 2 ],\n "q" : "a" } ',
        {"q": "a", "n": [1, 2]},
        {"n": [1, 2], "q": "a"},
        {"n": (1, 2), "q": "a"},
    ],
)
def test_key_order_and_whitespace_of_arguments_do_not_matter(arguments: Any) -> None:
    first = [Answer("find", {"q": "a", "n": [1, 2]}, "Found.")]
    assert moves([first, [Answer("find", arguments, "Found.")]]) == [GO_ON, NUDGE]


def _deep() -> Any:
    value: Any = []
    for _ in range(100_000):
        value = [value]
    return value


class _Shy:
    def __repr__(self) -> str:
        raise RuntimeError


def _circular() -> Any:
    value: dict[str, Any] = {}
    value["self"] = value
    return value


ODD: dict[str, Callable[[], Any]] = {
    "none": lambda: None,
    "no JSON": lambda: "not JSON {",
    "deep text": lambda: "[" * 100_000,
    "deep list": _deep,
    "long text of digits": lambda: "9" * 10_000,
    "long number": lambda: 10**10_000,
    "half a character": lambda: "\ud800",
    "not a number": lambda: float("nan"),
    "keys of two types": lambda: {1: "a", "b": 2},
    "keys that are tuples": lambda: {("a",): 1},
    "a set": lambda: {"a": {1, 2}},
    "itself": _circular,
    "nothing to show": _Shy,
}


@pytest.mark.parametrize("odd", ODD)
def test_odd_arguments_are_compared_all_the_same(odd: str) -> None:
    answer = Answer("find", ODD[odd](), "")
    assert moves([[answer]] * 4) == [GO_ON, NUDGE, STOP]


@pytest.mark.parametrize("content", ["", "\ud800 x", "\0", "took \ud800 12 ms"])
def test_odd_contents_are_compared_all_the_same(content: str) -> None:
    assert moves([[read("A", content)]] * 4) == [GO_ON, NUDGE, STOP]


CALLS = st.tuples(st.sampled_from(["find", "read"]), st.integers(0, 30))
ROUNDS = st.lists(CALLS, min_size=1, max_size=4)


def _shuffled(calls: Sequence[tuple[str, int]], turn: int, data: st.DataObject) -> Any:
    """Return the same round once more, otherwise written and with other times."""
    answers = []
    for name, number in data.draw(st.permutations(calls)):
        keys = data.draw(st.permutations(["q", "n", "z"]))
        arguments: Any = {key: {"of": number, "is": key} for key in keys}
        if data.draw(st.booleans()):
            arguments = json.dumps(arguments, indent=data.draw(st.integers(0, 3)))
        answers.append(Answer(name, arguments, f"{number} found, took {turn} ms"))
    return answers


@given(st.lists(ROUNDS, min_size=1, max_size=4), ROUNDS, st.data())
def test_any_cycle_of_up_to_four_rounds_ends_by_its_third_time(
    cycle: list[list[tuple[str, int]]],
    before: list[tuple[str, int]],
    data: st.DataObject,
) -> None:
    progress = Progress()
    progress.observe(_shuffled(before, 0, data))
    length = 3 * len(cycle)
    rounds = (_shuffled(cycle[turn % len(cycle)], turn, data) for turn in range(length))
    seen = moves(rounds, progress)
    assert seen[-1] is STOP
    assert seen.count(NUDGE) >= 1


@given(st.lists(ROUNDS, min_size=1, max_size=60), st.data())
def test_rounds_that_each_bring_one_new_result_never_end(
    rounds: list[list[tuple[str, int]]], data: st.DataObject
) -> None:
    brought = [
        [*_shuffled(calls, turn, data), read("log", f"line {turn}")]
        for turn, calls in enumerate(rounds)
    ]
    assert set(moves(brought)) == {GO_ON}


@given(st.text("ABCDE", max_size=200))
def test_the_moves_follow_from_the_rounds_alone(letters: str) -> None:
    assert drawn(letters) == drawn(letters)
    assert drawn(letters).rstrip("gn") in ("", drawn(letters))


@given(st.text("ABCDEFGH", min_size=17, max_size=17))
def test_eight_stale_rounds_in_a_row_are_the_most(letters: str) -> None:
    progress = Progress()
    moves(pages("ABCDEFGH"), progress)
    assert STOP in [progress.observe(answers) for answers in pages(letters)][:8]
