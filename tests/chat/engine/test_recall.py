"""Recall: any character of anything that was put aside can be reached."""

import json
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chat.engine import ToolResult
from chat.engine.arguments import arguments_problem
from chat.engine.context.recall import RECALL, recall_tool
from chat.engine.context.store import Store
from chat.engine.context.transcript import Transcript
from chat.engine.messages import Message
from tests.chat.engine.transcripts import (
    REF,
    begun,
    compacted,
    contents,
    page,
    pages,
    recall,
    say_all,
    settle,
    turn,
    whole,
)

PAGE = 300


def kept(*texts: str) -> tuple[Store, list[str]]:
    store = Store()
    return store, [store.keep(text, f"read {n}") for n, text in enumerate(texts)]


def look(store: Store, **given: object) -> ToolResult:
    return recall_tool(store, page_chars=PAGE).call(dict(given))


def listed(store: Store, **given: object) -> list[str]:
    """Every line of a list, page after page."""
    lines: list[str] = []
    while True:
        head, *more = look(store, offset=len(lines), **given).content.split("\n")
        lines += more
        if "offset" not in head:
            return lines


@pytest.mark.row("B6")
def test_the_same_text_has_the_same_ref_in_every_store() -> None:
    _, refs = kept("one", "two", "one")
    _, others = kept("two", "one")

    assert refs == [others[1], others[0], others[1]]
    assert len(set(refs)) == 2


@pytest.mark.row("B6")
@given(st.text(st.characters(exclude_categories=["Cs"])), st.integers(1, 400))
@example("İstanbul\r\n\x00🙂" * 90, 7)
@example("[r0123456789, characters 0 to 5 of 5; this is its end]\n" * 20, 60)
def test_pages_one_after_another_give_back_the_text(text: str, limit: int) -> None:
    transcript = begun()
    ref = transcript.store.keep(text, "read")

    assert whole(transcript, ref) == text
    assert "".join(pages(transcript, ref, page_chars=PAGE, limit=limit)) == text


@pytest.mark.row("B6")
def test_a_page_says_what_it_is_and_how_to_go_on() -> None:
    store, [ref] = kept("abcdefghij" * 100)
    head, text = look(store, ref=ref, offset=10, limit=10).content.split("\n")

    assert text == "abcdefghij"
    assert all(said in head for said in (ref, "10 to 20 of 1000", "offset 20"))


def test_a_page_is_never_longer_than_a_page_may_be() -> None:
    store, [ref] = kept("a" * 5_000)
    result = look(store, ref=ref, limit=5_000)
    _, text = result.content.split("\n")

    assert 0 < len(text) <= PAGE


@pytest.mark.row("B6")
def test_an_unknown_ref_is_an_error_that_names_a_few_others() -> None:
    store, refs = kept(*map(str, range(9)))
    result = look(store, ref="r0")

    assert result.is_error
    named = REF.findall(result.content)
    assert len(named) == 5
    assert set(named) < set(refs)


def test_an_offset_beyond_the_end_is_an_error_with_the_length() -> None:
    store, [ref] = kept("abc")
    result = look(store, ref=ref, offset=4)

    assert result.is_error
    assert "3" in result.content


def test_without_a_ref_everything_is_listed_in_pages() -> None:
    store, refs = kept(*(f"text {n}" for n in range(40)))
    assert len(look(store).content) < 2 * PAGE
    assert [REF.search(line)[0] for line in listed(store)] == refs  # type: ignore[index]


def test_of_nothing_the_list_is_empty_and_no_error() -> None:
    result = look(Store())
    assert not result.is_error
    assert result.content.startswith("[0 ")


@pytest.mark.row("B6")
def test_a_search_gives_places_whatever_the_case() -> None:
    text = "x" * 400 + "The LICENCE is MIT." + "y" * 400
    store, [ref] = kept(text)
    [line] = listed(store, ref=ref, search="licence")

    place = re.search(r"\b404\b", line)
    assert place
    assert "The LICENCE is MIT." in line
    assert look(store, ref=ref, offset=404, limit=7).content.endswith("\nLICENCE")


def test_a_search_without_a_ref_looks_through_everything() -> None:
    store, refs = kept("one owner", "no one", "two OWNERS, an owner")
    lines = listed(store, search="owner")

    assert [REF.search(line)[0] for line in lines] == [refs[0], refs[2], refs[2]]  # type: ignore[index]


def test_a_search_is_literal() -> None:
    store, _ = kept("a.c", "abc", "a\\c")
    assert len(listed(store, search="a.c")) == 1
    assert look(store, search="(").content.startswith("[0 ")


@pytest.mark.parametrize(
    ("text", "words"),
    [("ΟΔΟΣΑ", "οδος"), ("ΟΔΟΣ.", "οδοσ"), ("İİİ licence", "LICENCE")],
)
def test_a_search_finds_what_changes_in_lower_case(text: str, words: str) -> None:
    store, [ref] = kept(text)
    [line] = listed(store, search=words)
    place = (
        text.lower()
        .replace("i̇", "i")
        .replace("ς", "σ")
        .find(words.lower().replace("ς", "σ"))
    )
    assert line.startswith(f"{ref} at {place}")


def test_a_search_in_line_breaks_stays_one_line_for_each_place() -> None:
    store, _ = kept("\n".join(["one owner", ""] * 20))
    assert len(listed(store, search="owner")) == 20


def test_many_places_come_in_pages() -> None:
    store, _ = kept("a" * 1_000_000)
    head, *lines = look(store, search="a", offset=999_990).content.split("\n")

    assert "1000000" in head
    assert 0 < len(lines) <= 10
    assert len(look(store, search="a").content) < 3 * PAGE


@pytest.mark.row("B6")
@pytest.mark.parametrize("needle", ["a" * 9_999 + "b", "b" + "a" * 9_999, "ab" * 5_000])
def test_a_hostile_search_stays_linear(needle: str) -> None:
    # Taken literally at every place this would be ten thousand million comparisons.
    store, _ = kept("a" * 1_000_000, "ab" * 4_000 + "c" + "a" * 500_000)
    assert look(store, search=needle).content.startswith("[0 ")


def test_its_schema_refuses_what_makes_no_sense() -> None:
    schema = recall_tool(Store(), page_chars=PAGE).input_schema
    assert arguments_problem(schema, {"ref": "r1", "offset": 0, "limit": 1}) is None
    for wrong in ({"offset": -1}, {"limit": 0}, {"search": ""}, {"page": 1}):
        assert arguments_problem(schema, wrong)


def test_it_counts_as_a_look_at_what_is_there_and_may_be_repeated() -> None:
    tool = recall_tool(Store(), page_chars=PAGE)
    assert (tool.name, tool.kind, tool.idempotent) == (RECALL, "context", True)


@pytest.mark.row("B6")
def test_a_page_that_recall_gave_is_not_kept_again() -> None:
    text = page("long", 40_000)
    transcript = begun(*turn("a", text))
    settle(transcript, 4_000)
    [ref] = [entry.ref for entry in transcript.store.entries]

    for place in range(30):
        say_all(transcript, recalled(f"b{place}", ref, place * 1_000, transcript))
        settle(transcript, 4_000)

    kept_texts = [entry.text for entry in transcript.store.entries]
    assert not [each for each in kept_texts if each != text and each in text]
    receipts = [each for each in contents(transcript) if ref in each]
    assert receipts


@pytest.mark.row("B6")
def test_w15_the_tail_of_a_long_result_is_read_in_a_small_window() -> None:
    # A result of 40,000 characters in a window of 8,192 tokens, read page by page.
    text = page("long", 40_000)
    transcript = begun(*turn("a", text))
    compacted(transcript, 5_600)
    ref = transcript.store.entries[0].ref
    read = ""
    while len(read) < len(text):
        say_all(transcript, recalled(f"b{len(read)}", ref, len(read), transcript))
        settle(transcript, 5_600)
        _, shown = contents(transcript)[-1].split("\n", 1)
        assert text.startswith(read + shown)
        read += shown

    assert read == text


def recalled(name: str, ref: str, offset: int, transcript: Transcript) -> list[Message]:
    """A turn that recalls a page, and what it gives."""
    arguments = {"ref": ref, "offset": offset}
    result = recall(transcript, page_chars=4_000, **arguments)
    assert not result.is_error, json.dumps(arguments)
    return turn(name, result.content, tool=RECALL, arguments=arguments)
