"""One table of the characters that steer a display."""

import sys
import unicodedata

import pytest

from research.presentation.visible import one_line, visible

# Signs of Arabic, Syriac and Kaithi numbers: of the category Cf, yet drawn.
DRAWN = set(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
WHITE_SPACE = set("\t\n\f")


def test_every_control_and_format_character_is_shown() -> None:
    hidden = [
        f"U+{code:04X}"
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
        and chr(code) not in DRAWN | WHITE_SPACE
        and visible(chr(code)) != f"⟨U+{code:04X}⟩"
    ]
    assert hidden == []


def test_ordinary_text_and_its_lines_are_left_alone() -> None:
    text = "a\tb\f\n<i>é עברית 漢字</i> 10² ﬁ"
    assert visible(text) == text
    assert visible("a\r\nb") == "a\nb"


@pytest.mark.parametrize(
    "text",
    [
        "می\u200cخواهم",  # Persian
        "क्\u200dष",  # Devanagari, after a virama
        "ශ්\u200dරී",  # Sinhala
    ],
)
def test_a_joiner_between_letters_of_a_script_that_has_them_stays(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("pay\u200dpal", "pay⟨U+200D⟩pal"),
        ("1\u200c2", "1⟨U+200C⟩2"),
        ("\u0661\u200c\u0662", "\u0661⟨U+200C⟩\u0662"),  # digits of Arabic
        ("می\u200c", "می⟨U+200C⟩"),
        ("\u200dمی", "⟨U+200D⟩می"),
        ("می\u200c\u200cخ", "می⟨U+200C⟩⟨U+200C⟩خ"),
        ("می\u200c خ", "می⟨U+200C⟩ خ"),
        ("漢\u200d字", "漢⟨U+200D⟩字"),
    ],
)
def test_a_joiner_anywhere_else_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_one_line_folds_white_space_and_shows_the_rest() -> None:
    assert one_line(" a\n\tb\f c\x1b[2J\u202e ") == "a b c⟨U+001B⟩[2J⟨U+202E⟩"
