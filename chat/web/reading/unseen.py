"""Text that stands in a page where nothing is drawn: for reviewers, never evidence.

Kept are the words of elements that a browser with scripts does not draw, and of
comments and attributes (made for machines, or for a pointer that rests) where those
hold a sentence: at least three words in a row. Shorter ones are names and labels.
"""

import html
import re
from collections.abc import Mapping

from selectolax.lexbor import LexborNode

from chat.web.reading.cleaning import clean
from chat.web.reading.elements import words
from chat.web.reading.values import Hidden

# Never drawn, or drawn from something other than the text inside.
UNDRAWN = words(
    "noscript template svg iframe object embed audio video canvas noframes datalist"
)
# Made for machines that read aloud, or for a pointer that rests.
SPOKEN = words("alt title aria-label aria-description placeholder")
_LABEL = " attribute"
_TAG = re.compile(r"<[^<>]*>")
_SENTENCE = re.compile(
    r"[^\W\d_]{2,}[,;:]?(?:\s+[^\W\d_][\w'’-]*[,;:]?){2,}"
    r"|[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{6,}"
)
_CONDITION = re.compile(r"\s*\[(?:if|endif)\b", re.I)
_MOST_CHARACTERS = 2_000
_MOST_TEXTS = 300


class Unseen:
    """Collects what one page says unseen, each text once, up to a number of them."""

    def __init__(self) -> None:
        self._found: dict[Hidden, None] = {}

    def texts(self, shown: str) -> list[Hidden]:
        """Return what was kept; a label that repeats what is shown says nothing."""
        return [
            hidden
            for hidden in self._found
            if not (hidden.how.endswith(_LABEL) and hidden.text in shown)
        ]

    def comment(self, content: str) -> None:
        """Keep a comment that holds a sentence."""
        if not _CONDITION.match(content):
            self._keep_sentence(_without_tags(content), "comment")

    def element(self, tag: str, node: LexborNode) -> None:
        """Keep all the text of an element that is not drawn."""
        if len(self._found) >= _MOST_TEXTS:
            return
        # Markup inside is text to the parser, or out of reach of a walk.
        text = _without_tags((node.html or "") if tag == "template" else node.text())
        if tag in ("noscript", "template"):
            self.keep(text, tag)
        else:
            self._keep_sentence(text, f"inside {tag}")

    def attributes(self, attributes: Mapping[str, str | None]) -> None:
        """Keep the values that hold a sentence."""
        for name, value in attributes.items():
            if name in SPOKEN and value and len(value) > len("a bc de"):
                self._keep_sentence(value, f"{name}{_LABEL}")

    def keep(self, text: str, how: str) -> None:
        """Keep a text on one line, cut where it is very long."""
        line = " ".join(text[: 4 * _MOST_CHARACTERS].split())
        if not (line.isascii() and line.isprintable()):
            line = clean(line).text
        if line and len(self._found) < _MOST_TEXTS:
            self._found[Hidden(line[:_MOST_CHARACTERS], how)] = None

    def _keep_sentence(self, text: str, how: str) -> None:
        if _SENTENCE.search(text, 0, 4 * _MOST_CHARACTERS):
            self.keep(text, how)


def _without_tags(markup: str) -> str:
    markup = markup[: 16 * _MOST_CHARACTERS]
    return html.unescape(_TAG.sub(" ", markup))
