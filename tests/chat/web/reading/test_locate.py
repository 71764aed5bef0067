"""Where a quote stands, and how well it agrees."""

import pytest

from chat.web.reading.quotes import Match, locate, locate_all

TEXT = "The “ﬁnest” tea — per\u00adhaps.\n\nAbout 10\u202f000 cups… café, 10² m."


def test_a_verbatim_quote_is_exact_with_both_kinds_of_offsets() -> None:
    assert locate("café, 10²", TEXT) == Match("exact", 48, 57, 61, 72, False)


@pytest.mark.parametrize(
    ("quote", "slice_"),
    [
        ('"finest" tea', "“ﬁnest” tea"),
        ("The 'finest'", None),
        ("tea - perhaps", "tea — per\u00adhaps"),
        ("tea \u2212\tper\u200bhaps", "tea — per\u00adhaps"),
        ("10 000 cups...", "10\u202f000 cups…"),
        ("10000 cups", None),
        ("cafe\u0301, 10² m.", "café, 10² m."),
        ("cafe, 10", None),
        ("102 m", None),
        ("the finest", None),
        ("About 10\u202f001 cups", None),
        ("  tea —  per\u00adhaps \n", "tea — per\u00adhaps"),
    ],
)
def test_typography_may_differ_and_nothing_else(quote: str, slice_: str | None) -> None:
    match = locate(quote, TEXT)

    if slice_ is None:
        assert match is None
    else:
        assert match is not None
        assert match.grade == "typographic"
        assert TEXT[match.start : match.end] == slice_
        encoded = TEXT.encode()
        assert encoded[match.byte_start : match.byte_end].decode() == slice_


@pytest.mark.parametrize("quote", ["", " ", "\n\n", "\u200b", "\u00a0\u00ad"])
def test_an_empty_quote_is_nowhere(quote: str) -> None:
    assert locate(quote, f"some text{quote}") is None


def test_an_exact_occurrence_wins_over_an_earlier_typographic_one() -> None:
    match = locate("it's so", "it’s so, and it's so")

    assert match == Match("exact", 13, 20, 15, 22, False)


def test_the_first_of_several_occurrences_is_returned() -> None:
    match = locate("one", "one two one")

    assert match is not None
    assert match.start == 0


@pytest.mark.parametrize("blank", ["\n\n", "\n \t\n", "\n\n\n"])
def test_a_quote_over_a_blank_line_is_flagged(blank: str) -> None:
    crossing = locate("end. Next", f"The end.{blank}Next.")
    inside = locate("end. Next", f"Far{blank}the end.\nNext.")

    assert crossing is not None
    assert crossing.crosses_blocks
    assert inside is not None
    assert not inside.crosses_blocks


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("cafe", "cafe\u0301"),
        ("\u0301 noir", "cafe\u0301 noir"),
        ("ind", "ﬁnd"),
        ("of", "oﬀer"),
        ("wait..", "wait…"),
        ("\u1112\u1161", "\u1112\u1161\u11ab"),
        ("하", "한"),
        ("=", "≠"),
    ],
)
def test_a_match_never_splits_a_written_character(quote: str, text: str) -> None:
    assert locate(quote, text) is None


def test_a_later_whole_character_is_found_after_a_split_one() -> None:
    match = locate("cafe", "cafe\u0301, cafe")

    assert match == Match("exact", 7, 11, 8, 12, False)


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("vie\u0323\u0302t", "vi\u1ec7t"),
        ("vie\u0302\u0323t", "vi\u1ec7t"),
        ("vi\u1ec7t", "vi\u00ea\u0323t"),
        ("한글", "\u1112\u1161\u11ab\u1100\u1173\u11af"),
    ],
)
def test_composed_and_decomposed_letters_agree(quote: str, text: str) -> None:
    match = locate(quote, text)

    assert match is not None
    assert (match.grade, match.start, match.end) == ("typographic", 0, len(text))


def test_a_quote_without_a_utf8_form_is_missing_not_an_exception() -> None:
    assert locate("\ud800 text", "a text") is None


def test_hostile_repetition_ends() -> None:
    text = "a\u0301" * 200_000

    assert locate("a\u0301" * 100_000 + "a", text) is None


def test_all_occurrences_come_in_the_order_of_the_text_with_their_grades() -> None:
    found = locate_all("it's", "😀 it’s, it's and it′s")

    assert [(m.grade, m.start, m.end, m.byte_start) for m in found] == [
        ("typographic", 2, 6, 5),
        ("exact", 8, 12, 13),
        ("typographic", 17, 21, 22),
    ]


def test_of_too_many_occurrences_exact_ones_are_kept() -> None:
    found = locate_all("it's", "it’s it’s it's", most=2)

    assert [(match.grade, match.start) for match in found] == [
        ("typographic", 0),
        ("exact", 10),
    ]


def test_occurrences_do_not_overlap() -> None:
    assert [match.start for match in locate_all("aa", "aaaaa")] == [0, 2]
    assert locate_all("b", "aaaaa") == []
    assert locate_all(" ", "a a") == []


@pytest.mark.row("D1")
@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("10 °C", "about 100 °C"),
        ("-5 %", "it was +5 % then"),
        ("1,234", "in all 1.234 of them"),
        ("102 m", "some 10² m"),
        ("10^2", "some 10² m"),
        ("1/2 cup", "½ cup"),
        ("12 May", "１２ May"),
        ("x2", "x₂"),
        ("H2O", "H₂O"),
        ("Straße", "Strasse"),
        ("now here", "nowhere"),
        ("nowhere", "now here"),
        ("did not", "did n’t"),
        ("US", "us"),
    ],
)
def test_another_number_or_word_is_never_found(quote: str, text: str) -> None:
    assert locate(quote, text) is None
    assert locate(text, quote) is None


def test_many_occurrences_in_a_long_text_end() -> None:
    text = "the " * 100_000

    assert len(locate_all("the", text)) == 20
    assert len(locate_all("the\u00a0the", text, most=5)) == 5
