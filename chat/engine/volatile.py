"""What of a tool's result changes from call to call without meaning anything.

Masked are moments of the day, ids that nobody chose, and what follows words such as
`took` or `request_id`. A date, a count or a size is never masked: these are news. Every
pattern is bounded and begins with a class of characters that the matcher can skip to.
Most results have nothing to mask, which a look at their bytes finds out first.
"""

import re
import string
from collections.abc import Iterator, Mapping

MASK = "\0"

_HEX = "[0-9A-Fa-f]"
_ID = re.compile(
    rf"{_HEX}(?<![0-9A-Za-z]{_HEX})"
    rf"(?:{_HEX}{{7}}(?:-{_HEX}{{4}}){{3}}-{_HEX}{{12}}|{_HEX}{{15,127}})"
    r"(?![0-9A-Za-z])"
)
_CLOCK = r":[0-5][0-9](?![0-9])(?::[0-5][0-9](?:[.,][0-9]{1,9})?(?![0-9]))?"
# 2026-11-30T12:00:05.5Z, 20261130T120005Z, 12:00, 9:00:05 pm; in file.c:12:30 is none.
_MOMENT = re.compile(
    r"[0-9](?<![0-9A-Za-z:.][0-9])(?:"
    rf"[0-9]{{3}}-[0-9]{{2}}-[0-9]{{2}}[Tt ][0-2][0-9]{_CLOCK}"
    r"|[0-9]{7}T[0-9]{4}(?:[0-9]{2})?"
    rf"|(?:(?<=[01])[0-9]|(?<=2)[0-3])?{_CLOCK}"
    r")(?: ?(?:[AaPp][Mm]|UTC|GMT|Z)\b| ?[+-][0-9]{2}:?[0-9]{2}\b)?"
)

_IS = r"(?![A-Za-z])[\"']?\s{0,3}[:=]?\s{0,3}[\"']?"
_ENDING = r"(?:[_ -]?(?:time|Time|ms|Ms|millis|Millis|secs?|Secs?|seconds|s|ns|us|at))"
_UNIT = r"(?:ms|µs|us|ns|s|secs?|seconds?|m|mins?|minutes?|h|hours?)(?![0-9A-Za-z])"
_MEASURE = (
    _ENDING + "{0,2}" + _IS + r"~?(?:"
    rf"(?:[0-9]{{1,20}}(?:[.,][0-9]{{1,20}})?\s?{_UNIT}\s?){{1,4}}"
    r"|(?:PT?)?[0-9][0-9A-Za-z.:+-]{0,63})"
)
_NAME = (
    r"[_ -]?[Ii][Dd](?![A-Za-z])[\"']?"
    r"(?:\s{0,3}[:=]\s{0,3}[\"']?|\s(?=[A-Za-z_-]{0,16}[0-9]))"
    r"[0-9A-Za-z.:+/=_-]{1,128}"
)


def _written(word: str, follows: str) -> re.Pattern[str]:
    """Match the word in small letters, capitalised or in capitals, and what follows."""
    first, rest = word[0], word[1:]
    return re.compile(
        rf"[{first}{first.upper()}](?<![a-z][a-z])(?:{rest}|{rest.upper()})(?:{follows})"
    )


_FOLLOWED: Mapping[bytes, re.Pattern[str]] = {
    **{
        word.encode(): _written(word, _MEASURE)
        for word in ("took", "elapsed", "duration", "latency", "timestamp", "uptime")
    },
    **{word.encode(): _written(word, _NAME) for word in ("request", "trace", "span")},
    # "fetched_at": 1700000000
    b"_at": re.compile(rf"_at{_IS}[0-9][0-9A-Za-z.:+-]{{0,63}}"),
}
_AS_DIGIT = bytes.maketrans(b"123456789", b"000000000")
_AS_HEX = bytes.maketrans(string.hexdigits.encode(), b"0" * len(string.hexdigits))
_WORD = re.compile(r"[^\W_]+")
_CLOCK_WORDS = frozenset(
    {"time", "now", "date", "datetime", "clock", "current", "local", "utc", "gmt"}
    | {"unix", "epoch", "the", "is", "it", "at", "id", "uuid"}
)


def stable_text(content: str) -> str:
    """Return the content with its volatile parts masked.

    What says nothing else counts as it is: a clock that is polled does change. Takes
    time in proportion to the length.
    """
    masked = content
    for pattern in _present(content.encode("utf-8", "replace")):
        masked = pattern.sub(MASK, masked)
    if masked is content or _says_more(masked):
        return masked
    return content


def _present(raw: bytes) -> Iterator[re.Pattern[str]]:
    """Yield the patterns that may have something to mask, in their order."""
    digits, small = raw.translate(_AS_DIGIT), raw.lower()
    if b"0" not in digits:
        return
    yield from (pattern for word, pattern in _FOLLOWED.items() if word in small)
    if b"0" * 8 in raw.translate(_AS_HEX):
        yield _ID
    if b"0:00" in digits or b"0T0000" in digits:
        yield _MOMENT


def _says_more(masked: str) -> bool:
    rest = masked.replace(MASK, " ")
    if len(rest) > 200:
        return _WORD.search(rest) is not None
    return not _CLOCK_WORDS.issuperset(_WORD.findall(rest.lower()))
