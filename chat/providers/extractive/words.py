"""Words and numbers of a question, tolerant of accents, plurals and endings."""

import re
import unicodedata

_WORD = re.compile(r"[^\W\d_]{2,}")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_STOP_WORDS = """
a about after all also am an and any are as at be been before being both but by can
could did do does doing done for from get had has have having he her his how i if in
into is it its just many may me might more most much must my no not of on one only or
other our out over own per shall she should so some such than that the their them then
there these they this those through to too under up us very was we were what when where
which while who whom whose why will with within without would you your der die das den
dem des ein eine einen einer und oder ist sind war wird werden hat haben wie was wer
wann wo warum welche welcher welches mit von zu im am auf fur nicht le la les un une des
du de et ou est sont que qui quel quelle quels quelles comment pourquoi quand dans pour
par sur avec sans pas el los las una unos unas y o es son cual cuales como cuando donde
por para con sin
"""
_STOP = frozenset(_STOP_WORDS.split())


def content_stems(text: str) -> frozenset[str]:
    """The stems of the words that carry meaning; of all words if none does."""
    words = _WORD.findall(_plain(text))
    return frozenset(map(_stem, [w for w in words if w not in _STOP] or words))


def stems(text: str) -> frozenset[str]:
    """The stems of every word."""
    return frozenset(map(_stem, _WORD.findall(_plain(text))))


def numbers(text: str) -> frozenset[str]:
    """The numbers as written, without thousands separators."""
    return frozenset(_NUMBER.findall(_THOUSANDS.sub("", text)))


def _plain(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def _stem(word: str) -> str:
    """The word without its plural, then without the commonest endings."""
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        word = word[:-1]
    for ending in ("ing", "ed", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word
