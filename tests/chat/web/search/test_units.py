"""Texts cut into units that keep their offsets."""

from hypothesis import example, given
from hypothesis import strategies as st

from chat.web.search.passages import LONGEST_CHARS, split_passages
from chat.web.search.units import UnitKind, split_units


def units(text: str) -> list[tuple[str, str]]:
    return [(each.kind, text[each.start : each.end]) for each in split_units(text)]


def test_a_sentence_may_span_lines() -> None:
    text = "**NOTE: It is no longer\nmaintained.** There will be no more.\n"
    assert units(text) == [
        ("sentence", "**NOTE: It is no longer\nmaintained.**"),
        ("sentence", "There will be no more."),
    ]


def test_abbreviations_and_numbers_end_no_sentence() -> None:
    text = "It needs e.g. Django 5.2 or newer. See Fig. 3 for more."
    assert [piece for _, piece in units(text)] == [
        "It needs e.g. Django 5.2 or newer.",
        "See Fig. 3 for more.",
    ]


def test_headers_are_fields_until_the_first_blank_line() -> None:
    text = "Name: bleach\nDynamic: license\n\nNote: this is prose.\n"
    assert units(text) == [
        ("field", "Name: bleach"),
        ("field", "Dynamic: license"),
        ("sentence", "Note: this is prose."),
    ]


def test_code_and_markup_are_told_from_prose() -> None:
    text = (
        "[![badge](https://b)](https://c)\n\n```\npip install x. Now.\n```\n\n"
        "Run::\n\n    make all\n\n.. _link: https://d\n\nProse.\n"
    )
    kinds = [kind for kind, _ in units(text)]
    assert kinds == ["markup", "code", "sentence", "code", "markup", "sentence"]


def test_units_know_the_headings_above_them() -> None:
    text = "Top\n===\n\n## Changelog\n\n### 1.0\n\nFixed it.\n\n## License\n\nFree.\n"
    sections = {
        text[unit.start : unit.end]: unit.section
        for unit in split_units(text)
        if unit.kind is UnitKind.SENTENCE
    }
    assert sections["Fixed it."][-2:] == ("Changelog", "1.0")
    assert sections["Free."][-1] == "License"
    assert "Changelog" not in sections["Free."]


def test_lines_of_data_stay_lines() -> None:
    text = "a.py,,\npkg/mod.so,sha256=abc,12\n"
    assert units(text) == [("line", "a.py,,"), ("line", "pkg/mod.so,sha256=abc,12")]


@given(st.text(alphabet="ab.\n #=-*`>:|é", max_size=80))
def test_units_are_in_order_and_never_overlap(text: str) -> None:
    last = 0
    for unit in split_units(text):
        assert last <= unit.start < unit.end <= len(text)
        last = unit.end


# A chosen alphabet: the whole of Unicode takes seconds to list, and cuts nothing else.
@given(st.text(alphabet="ab.\n #=-*`>:|é。", max_size=80))
@example("a" * 80)
@example("a. " * 26)
def test_no_passage_is_unbounded(text: str) -> None:
    long = text * (3 * LONGEST_CHARS // 80)
    assert all(end - start <= LONGEST_CHARS for start, end in split_passages(long))
