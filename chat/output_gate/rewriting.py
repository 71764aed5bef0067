"""Text made safe to show, and where its places have gone: two passes, both linear."""

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass

from chat.visible import STEERING, joins_letters, shown

# Private characters that stand around the number of a source while text is laid out.
MARK_OPEN, MARK_CLOSE = "\ue000", "\ue001"
_UNSEEN = re.compile(f"\r\n|[{MARK_OPEN}{MARK_CLOSE}]|{STEERING.pattern}")
# An address that may be followed: http(s), a host and no credentials. What could be
# read as one of the other signs of an address is no part of a host.
_ADDRESS = r"(?i:https?)://[^\s/?\#<>()\[\]\\@&%\"'`]{1,255}+(?=[/?\#>)\s]|\Z)"
_LIVE = re.compile(
    # The target of a link in Markdown, there or further down.
    rf"\](?=[(:])(?!.[ \t]{{0,9}}+\n?[ \t]{{0,9}}+<?{_ADDRESS})"
    # An element, or an address in angle brackets.
    rf"|<(?=[a-zA-Z/!?])(?!{_ADDRESS})"
    # A name before the host; any number of slashes is two to a browser.
    r"|(?i:https?):/{2,}+(?=[^\s/?\#\\<>@]*+@)"
)


@dataclass(frozen=True, slots=True)
class Rewritten:
    """`text`, and for each stretch that was replaced where it ended and what it added.

    _added: the sum up to and with the stretch, in characters.
    """

    text: str
    _ends: tuple[int, ...]
    _added: tuple[int, ...]

    def moved(self, place: int) -> int:
        """Where a place of the original is in the new text."""
        before = bisect_right(self._ends, place)
        return place + (self._added[before - 1] if before else 0)


def seen(text: str) -> Rewritten:
    """Steering characters by their code points; line ends as `\\n`."""
    return _rewritten(_UNSEEN, text, _as_seen)


def inert(text: str) -> Rewritten:
    """Signs that a renderer of Markdown or HTML would act on, parted by a blank.

    What stays live is links to http(s) without credentials. Every word stays.
    """
    return _rewritten(_LIVE, text, lambda match: f"{match[0]} ")


def _as_seen(match: re.Match[str]) -> str:
    if match[0] == "\r\n":
        return "\n"
    return match[0] if joins_letters(match) else shown(match[0])


def _rewritten(
    pattern: re.Pattern[str], text: str, instead: Callable[[re.Match[str]], str]
) -> Rewritten:
    pieces, ends, added = [], [], []
    place = total = 0
    for match in pattern.finditer(text):
        new = instead(match)
        pieces += [text[place : match.start()], new]
        place = match.end()
        total += len(new) - len(match[0])
        ends.append(place)
        added.append(total)
    return Rewritten("".join([*pieces, text[place:]]), tuple(ends), tuple(added))
