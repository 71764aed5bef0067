"""Name an attack by absurd markup before a parser meets it.

A parser looks through the elements that are open at every tag, and through a tag's
attributes at every attribute, so its time grows with the square of both. What it would
do is added up here without doing it, in one pass. A clever page may pass; what holds
against that one are the limits of the process that parses (process.py).
"""

import re
from collections.abc import Iterator

from chat.web.reading.elements import UNNESTED, words
from chat.web.reading.errors import ReadingRefused, Reason

MAX_DEPTH = 6_000
MAX_ATTRIBUTES = 2_000
# Counted rather than timed, so that the same page gives the same text on any machine;
# a long real page has a tenth of it.
MAX_ELEMENTS = 75_000
# Looks at an open element or an attribute; real pages stay under a fiftieth of it.
_MOST_LOOKS = 25_000_000
# Formatting that is left open is opened anew in every block after it.
_MOST_OPEN_FORMATTING = 500
_MOST_REOPENED = 200_000
# More than three alike are not opened anew.
_MOST_ALIKE = 3
_FORMATTING = words("a b big code em font i nobr s small strike strong tt u")
# Only in these does a tag close itself by a slash.
_FOREIGN = words("svg math")
# What is written inside is text. Inside noscript it is not, where that is read.
_RAW = words("script style textarea title iframe noembed noframes xmp")
_NAME = r"(?:=[^\s/>=]*+|[^\s/>=]++)"
_VALUE = r"(?:\"[^\"]*+\"?|'[^']*+'?|[^\s>\"'][^\s>]*+)?+"
_ATTRIBUTE = rf"[\s/]*+{_NAME}(?:\s*+=\s*+{_VALUE})?+"
_ATTRIBUTES = re.compile(_ATTRIBUTE)
_TAG = re.compile(
    rf"<(?:!--(?:-?>|.*?(?:--!?>|\Z))|(/?)([a-zA-Z][^\s/>]*+)((?:{_ATTRIBUTE})*+)\s*+(/?)>?)",
    re.S,
)
_SHORTEST_ATTRIBUTE = len(" a")
_MANY = 50


def within_measure(html: str) -> str:
    """Return markup, cut before the elements beyond a number.

    Raises ReadingRefused where it opens, or makes a parser look through, more than real
    pages do.
    """
    sum_of = _Sum()
    elements = 0
    for place, is_end, name, attributes, closes_itself in _tags(html):
        sum_of.look(name, attributes)
        if is_end:
            sum_of.close(name)
            continue
        elements += 1
        if elements > MAX_ELEMENTS:
            return html[:place]
        sum_of.open(name, attributes, closes_itself=closes_itself)
    return html


def _tags(html: str) -> Iterator[tuple[int, bool, str, str, bool]]:
    """Yield a tag's offset, if it is an end, name, attributes, if it closes itself."""
    place = 0
    while found := _TAG.search(html, place):
        place = found.end()
        if found[2] is None:
            continue
        name = found[2].lower()
        yield found.start(), bool(found[1]), name, found[3], bool(found[4])
        if name == "plaintext":
            return
        if name in _RAW and not found[1]:
            place = _end_of_text(html, place, name)


def _end_of_text(html: str, start: int, name: str) -> int:
    found = re.compile(f"</{name}", re.I).search(html, start)
    return found.start() if found else len(html)


class _Sum:
    """What is open at a place of a page, and what it took a parser to get there."""

    def __init__(self) -> None:
        self._depth = 0
        self._foreign = 0
        self._looks = 0
        self._looks_at_attributes = 0
        self._formatting: list[tuple[str, str]] = []
        self._reopened = 0
        self._of_page = 0

    def look(self, name: str, attributes: str) -> None:
        """Add what any tag costs where it stands."""
        self._looks += self._depth
        self._reopened += len(self._formatting)
        of_page = name in ("html", "body")
        if len(attributes) > _MANY * _SHORTEST_ATTRIBUTE or (of_page and attributes):
            self._count_attributes(attributes, of_page=of_page)
        if self._looks > _MOST_LOOKS or self._reopened > _MOST_REOPENED:
            raise ReadingRefused(Reason.HTML_DEPTH)

    def open(self, name: str, attributes: str, *, closes_itself: bool) -> None:
        if name in UNNESTED or (closes_itself and self._foreign):
            return
        self._foreign += name in _FOREIGN
        if name in _FORMATTING:
            self._open_formatting(name, attributes)
        self._depth += 1
        if self._depth > MAX_DEPTH or len(self._formatting) > _MOST_OPEN_FORMATTING:
            raise ReadingRefused(Reason.HTML_DEPTH)

    def close(self, name: str) -> None:
        if name in _FORMATTING:
            self._close_formatting(name)
        if name in _FOREIGN and self._foreign:
            self._foreign -= 1
        if name not in UNNESTED and self._depth:
            self._depth -= 1

    def _count_attributes(self, attributes: str, *, of_page: bool) -> None:
        count = sum(1 for _ in _ATTRIBUTES.finditer(attributes))
        if of_page:
            # However often they are written, the page has one of each.
            self._of_page += count
            count = self._of_page
        self._looks_at_attributes += count * count
        if count > MAX_ATTRIBUTES or self._looks_at_attributes > _MOST_LOOKS:
            raise ReadingRefused(Reason.HTML_ATTRIBUTES)

    def _open_formatting(self, name: str, attributes: str) -> None:
        if name == "a":
            self._close_formatting("a")
        element = (name, attributes)
        if self._formatting.count(element) < _MOST_ALIKE:
            self._formatting.append(element)

    def _close_formatting(self, name: str) -> None:
        for index in range(len(self._formatting) - 1, -1, -1):
            if self._formatting[index][0] == name:
                del self._formatting[index]
                return
