"""One folding of typographic variants, used on both sides of a comparison.

Folded are only marks that a typesetter, a converter or a keyboard may choose freely:
the shape of quotation marks and dashes, the width of blanks, ligatures, invisible
characters, and composed against decomposed accents. Digits, letters and case are never
folded, so this is not NFKC: ``10²`` stays apart from ``102``, ``½`` from ``1/2``.
"""

import unicodedata
from array import array
from collections.abc import Iterator
from dataclasses import dataclass

FOLD_TABLE: dict[str, str] = {
    **dict.fromkeys("'‘’‚‛‹›ʼ′`´❛❜＇", "'"),
    **dict.fromkeys('"“”„‟«»″❝❞〝〞〟＂', '"'),
    **dict.fromkeys("-‐‑‒–—―−﹘﹣－⸺⸻", "-"),
    "…": "...",
    "ﬀ": "ff",
    "ﬁ": "fi",
    "ﬂ": "fl",
    "ﬃ": "ffi",
    "ﬄ": "ffl",
    "ﬅ": "st",
    "ﬆ": "st",
}

# Soft hyphen, grapheme joiner, zero-width, direction and variation controls.
_REMOVED_RANGES = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x2064),
    (0x2066, 0x206F),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
)
REMOVED = frozenset(
    chr(c) for low, high in _REMOVED_RANGES for c in range(low, high + 1)
)

_HANGUL_MEDIALS_AND_FINALS = range(0x1160, 0x1200)


class _Folds(dict[str, str]):
    """Folded form of single characters, computed on first use."""

    def __missing__(self, char: str) -> str:
        folded = self[char] = _fold_character(char)
        return folded


def _fold_character(char: str) -> str:
    if char.isspace():
        return " "
    if char in REMOVED:
        return ""
    return "".join(FOLD_TABLE.get(c, c) for c in unicodedata.normalize("NFD", char))


_folds = _Folds()


def extends_character(char: str) -> bool:
    """Say whether this character belongs to the one before it, like an accent."""
    if char < "\u0300" or char in REMOVED:
        return False
    is_mark = unicodedata.category(char).startswith("M")
    return is_mark or ord(char) in _HANGUL_MEDIALS_AND_FINALS


@dataclass(frozen=True, slots=True)
class Folded:
    """A text's folded form and, for each folded character, where it came from.

    ``origins[i]`` is the code point index in the source of ``text[i]``; a run of white
    space is one blank that points at its first character.
    """

    text: str
    origins: "array[int]"

    def source_span(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the source span of ``text[start:end]``.

        None where an end falls inside a source character or between a letter and its
        accents, since then no slice of the source folds to that text.
        """
        if not (self._is_boundary(start) and self._is_boundary(end)):
            return None
        last = end - 1
        source_end = self.origins[last]
        # Accents may have been reordered: the one written last is the furthest.
        while last > start and extends_character(self.text[last]):
            last -= 1
            source_end = max(source_end, self.origins[last])
        return self.origins[start], source_end + 1

    def _is_boundary(self, position: int) -> bool:
        if position in (0, len(self.text)):
            return True
        if extends_character(self.text[position]):
            return False
        return self.origins[position] != self.origins[position - 1]


def fold(text: str) -> Folded:
    """Fold a text and keep the way back to its offsets; linear in its length."""
    parts: list[str] = []
    origins = array("L")
    after_blank = False
    for index, char in enumerate(text):
        folded = _folds[char]
        if not folded or (folded == " " and after_blank):
            continue
        after_blank = folded == " "
        parts.append(folded)
        if len(folded) == 1:
            origins.append(index)
        else:
            origins.extend([index] * len(folded))
    joined = "".join(parts)
    if unicodedata.is_normalized("NFD", joined):
        return Folded(joined, origins)
    return _with_accents_in_order(joined, origins)


def _with_accents_in_order(text: str, origins: "array[int]") -> Folded:
    """Sort each run of accents into canonical order, each with its origin."""
    characters = list(text)
    for start, end in _accent_runs(text):
        order = sorted(range(start, end), key=lambda i: unicodedata.combining(text[i]))
        characters[start:end] = [text[i] for i in order]
        origins[start:end] = array("L", [origins[i] for i in order])
    return Folded("".join(characters), origins)


def _accent_runs(text: str) -> Iterator[tuple[int, int]]:
    start = None
    for index, char in enumerate(text):
        is_accent = char >= "\u0300" and unicodedata.combining(char) != 0
        if is_accent and start is None:
            start = index
        elif not is_accent and start is not None:
            yield start, index
            start = None
    if start is not None:
        yield start, len(text)
