"""Text of others made safe to look at: what steers a display is shown instead.

One table for pages, exports, terminals and the output gate.
"""

import re
import unicodedata
from collections.abc import Callable

# Control characters, those that turn the direction of text, invisible ones, and halves
# of a surrogate pair, which no output can carry. Form feeds are plain white space.
STEERING = re.compile(
    "[\x00-\x08\x0b\x0d-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufeff"
    "\uffa0\ufff9-\ufffb\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_JOINERS = "\u200c\u200d"
# Scripts that are written with joiners: the Arabic and the Indic families.
_JOINED_SCRIPTS = (
    range(0x0600, 0x0E00),
    range(0x1000, 0x10A0),
    range(0x1780, 0x18B0),
    range(0x1A20, 0x1C50),
    range(0xA800, 0xA960),
    range(0xA980, 0xAB00),
    range(0xABC0, 0xAC00),
    range(0xFB50, 0xFE00),
    range(0xFE70, 0xFEFF),
    range(0x10A00, 0x12000),
    range(0x1E900, 0x1E960),
)


def steering_shown(text: str, show: Callable[[str], str]) -> str:
    """`text` with show(character) in place of every character that steers a display.

    A joiner between letters of a script that is written with joiners stays.
    """

    def replaced(match: re.Match[str]) -> str:
        return match[0] if joins_letters(match) else show(match[0])

    return STEERING.sub(replaced, text)


def visible(text: str) -> str:
    """Each steering character by its code point, such as ⟨U+202E⟩; lines kept."""
    return steering_shown(text.replace("\r\n", "\n"), shown)


def one_line(text: str) -> str:
    """The same with every run of white space as one blank."""
    return " ".join(visible(text).split())


def shown(character: str) -> str:
    """What stands for a steering character in plain text."""
    return f"⟨{code_point(character)}⟩"


def code_point(character: str) -> str:
    return f"U+{ord(character):04X}"


def joins_letters(match: re.Match[str]) -> bool:
    """Whether it is a joiner between letters of a script that is written with them."""
    text, start, end = match.string, match.start(), match.end()
    neighbours = text[max(0, start - 1) : start], text[end : end + 1]
    return match[0] in _JOINERS and all(map(_is_joined_letter, neighbours))


def _is_joined_letter(character: str) -> bool:
    return (
        character != ""
        and any(ord(character) in script for script in _JOINED_SCRIPTS)
        and unicodedata.category(character)[0] in "LM"
    )
