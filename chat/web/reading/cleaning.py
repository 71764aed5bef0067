"""Characters that nobody sees are taken out of every text, and counted."""

import re
import unicodedata
from dataclasses import dataclass

from chat.web.reading.folding import extends_character

_NEWLINES = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_JOINERS = re.compile("[\u200c\u200d]")
# Arabic and Syriac number signs and the like have category Cf, yet are drawn.
_DRAWN_FORMATS = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
# Drawn as nothing, whatever their category says.
_BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
_VARIATIONS = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text without invisible characters, and how many there were."""

    text: str
    removed: int


def clean(text: str) -> Cleaned:
    """Make line ends ``\\n`` and remove invisible and control characters.

    Joiners stay after a letter of a script that is written with them (U+0590 and up).
    """
    text = _NEWLINES.sub("\n", text)
    before = len(text)
    text = _JOINERS.sub(_joiner_in_script, text)
    invisible = {ord(char): None for char in set(text) if _is_invisible(char)}
    if invisible:
        text = text.translate(invisible)
    return Cleaned(text, before - len(text))


def _is_invisible(char: str) -> bool:
    if char < "\x7f":
        return char < " " and char not in "\t\n"
    if char in _BLANKS or any(ord(char) in span for span in _VARIATIONS):
        return True
    if char in "\u200c\u200d" or char in _DRAWN_FORMATS:
        return False
    return unicodedata.category(char) in {"Cc", "Cf", "Cs"}


def _joiner_in_script(found: re.Match[str]) -> str:
    before = found.string[found.start() - 1] if found.start() else ""
    in_script = before >= "\u0590" and (before.isalpha() or extends_character(before))
    return found[0] if in_script else ""
