"""What is sent of a query: each backend takes so much and no more."""

import re
from dataclasses import dataclass
from urllib.parse import quote_plus

from chat.web.reading.cleaning import clean
from chat.web.search.values import Sent

_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryLimit:
    """The longest query: in characters, in words, and in bytes within an address.

    None of words or bytes is no such limit.
    """

    chars: int
    words: int | None = None
    url_bytes: int | None = None

    def sent(self, query: str) -> Sent:
        """The query on one line without unseen characters, cut at a word's end."""
        line = " ".join(clean(query).text.split())
        # A lone surrogate cannot be sent at all.
        line = line.encode(errors="ignore").decode()
        kept = self._cut(line)
        return Sent(kept, kept != line)

    def _cut(self, line: str) -> str:
        ends = [found.end() for found in _WORD.finditer(line)][: self.words]
        fitting = [end for end in ends if self._fits(line[:end])]
        if fitting or not ends:
            return line[: fitting[-1]] if fitting else ""
        # One word that is too long by itself.
        word = line[: min(ends[0], self.chars)]
        while not self._fits(word):
            word = word[:-1]
        return word

    def _fits(self, text: str) -> bool:
        if len(text) > self.chars:
            return False
        return self.url_bytes is None or len(quote_plus(text)) <= self.url_bytes
