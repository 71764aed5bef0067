"""Characters that nobody sees are taken out of every text, counted, and spelled out.

Two alphabets of theirs write any text unseen: the tag characters, one for each of
ASCII, and the variation selectors, one for each byte. What they spell is for reviewers.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from chat.web.reading.folding import extends_character

_NEWLINES = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_JOINERS = re.compile("[\u200c\u200d]")
# Arabic and Syriac number signs and the like have category Cf, yet are drawn.
_DRAWN_FORMATS = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
# Drawn as nothing, whatever their category says.
_BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
# The way in which what they spell is hidden.
SPELLED = "invisible characters"
_MOST_SPELLED = 100
_LONGEST_SPELLED = 2_000
_FLAG = "\U0001f3f4"
_FIRST_TAG = 0xE0000
_TAGS = re.compile(
    "\U0001f3f4[\U000e0030-\U000e007a]{1,6}\U000e007f|[\U000e0020-\U000e007e]+"
)
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}")
_VARIATIONS = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text without invisible characters, how many there were, and what they spell."""

    text: str
    removed: int
    spelled: tuple[str, ...] = ()


def clean(text: str) -> Cleaned:
    """Make line ends ``\\n`` and remove invisible and control characters.

    Joiners stay after a letter of a script that is written with them (U+0590 and up).
    """
    text = _NEWLINES.sub("\n", text)
    before = len(text)
    text = _JOINERS.sub(_joiner_in_script, text)
    invisible = {ord(char): None for char in set(text) if _is_invisible(char)}
    spelled = tuple(islice(_spelled(text), _MOST_SPELLED)) if invisible else ()
    if invisible:
        text = text.translate(invisible)
    return Cleaned(text, before - len(text), spelled)


def _spelled(text: str) -> Iterator[str]:
    """Yield what runs of invisible characters spell, leaving out those of a flag."""
    for found in _TAGS.finditer(text):
        if found[0][0] != _FLAG:
            run = found[0][:_LONGEST_SPELLED]
            yield "".join(chr(ord(char) - _FIRST_TAG) for char in run)
    for found in _SELECTORS.finditer(text):
        run = found[0][:_LONGEST_SPELLED]
        spelled = bytes(map(_byte_of_selector, run)).decode("utf-8", "ignore")
        if spelled.isprintable():
            yield spelled


def _byte_of_selector(char: str) -> int:
    code = ord(char)
    return code - 0xFE00 if code < _FIRST_TAG else code - 0xE0100 + 16


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
