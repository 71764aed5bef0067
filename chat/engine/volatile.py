"""What of a tool's result changes from call to call without meaning anything."""

import re

MASK = "\N{REPLACEMENT CHARACTER}"

_MOMENT = re.compile(
    r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2}[T ])?"
    r"(?<![0-9A-Za-z:.])(?:[01]?[0-9]|2[0-3]):[0-5][0-9](?![0-9])"
    r"(?::[0-5][0-9](?:[.,][0-9]{1,9})?)?"
    r"(?: ?[AaPp][Mm]\b)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?"
)
_ID = re.compile(
    r"(?<![0-9A-Za-z])(?:[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
    r"|[0-9A-Fa-f]{16,64})(?![0-9A-Za-z])"
)
_UNIT = r"(?:[_ -]?(?:time|ms|s|us|ns|sec|secs|seconds|millis|at)){0,2}"
_NAMED = re.compile(
    r"(?<![A-Za-z])(?:(?:took|elapsed|duration|latency|timestamp)"
    + _UNIT
    + r"|[a-z]{1,24}_at)(?![A-Za-z])[\"']?\s{0,3}[:=]?\s{0,3}[\"']?"
    r"(?:PT|~)?[0-9][0-9A-Za-z.:+-]{0,63}"
    r"|(?<![A-Za-z])(?:request|trace|span)[_ -]?id[\"']?\s{0,3}[:=]?\s{0,3}[\"']?"
    r"[0-9A-Za-z][0-9A-Za-z.:+/=_-]{0,127}",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")


def stable_text(content: str) -> str:
    """Return the content with moments, durations and ids masked.

    What consists of nothing else counts as it is: a clock that is polled does change.
    """
    masked = _NAMED.sub(MASK, content)
    masked = _ID.sub(MASK, _MOMENT.sub(MASK, masked))
    return masked if _WORD.search(masked) else content
