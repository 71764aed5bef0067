"""The sources that a provider names, checked; what is refused is counted."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from chat.engine import Citation
from chat.visible import one_line
from chat.web.sanitize import is_web_address

MOST_CITATIONS = 200
TITLE_CHARS = 200
CITED_CHARS = 500
SOURCE_CHARS = 2_048
# Characters looked at before a text is cut, so that a long one costs no more.
_LOOKED_AT = 4
OUTSIDE = "outside of the text"
NO_SOURCE = "without a source that can be named"
TOO_MANY = f"after the first {MOST_CITATIONS}"


@dataclass(frozen=True, slots=True)
class GatedCitation:
    """A source for text[start:end] of the gated text; plain text, nobody checked it.

    number: of the source, from 1. url: http(s), empty where `source` names a document
    of the run.
    """

    number: int
    start: int
    end: int
    kind: str
    source: str
    url: str
    title: str
    cited: str


@dataclass(frozen=True, slots=True)
class Checked:
    """usable: by place in the text. refused: how many, by reason."""

    usable: tuple[Citation, ...]
    refused: Mapping[str, int]

    @property
    def label(self) -> str:
        """What is said of the refused ones; empty when there are none."""
        if not self.refused:
            return ""
        refused = sum(self.refused.values())
        total = refused + len(self.usable)
        noun = "citation" if total == 1 else "citations"
        verb = "was" if refused == 1 else "were"
        why = ", ".join(f"{count} {reason}" for reason, count in self.refused.items())
        return f"{refused} of {total} {noun} {verb} not usable: {why}."


def check(
    citations: Sequence[Citation], length: int, documents: Collection[str]
) -> Checked:
    """Hold each against a text of `length` characters and the run's documents."""
    refused: Counter[str] = Counter()
    usable: list[Citation] = []
    for citation in sorted(citations, key=lambda each: (each.start, each.end)):
        fault = _fault(citation, length, documents)
        if not fault and len(usable) == MOST_CITATIONS:
            fault = TOO_MANY
        if fault:
            refused[fault] += 1
        else:
            usable.append(citation)
    return Checked(tuple(usable), dict(refused))


def numbered(usable: Sequence[Citation]) -> list[int]:
    """For each the number of its source, from 1, in the order of the text."""
    numbers: dict[str, int] = {}
    return [
        numbers.setdefault(citation.source, len(numbers) + 1) for citation in usable
    ]


def gated(citation: Citation, number: int, start: int, end: int) -> GatedCitation:
    """The citation as plain text, at its place in the gated text."""
    source = citation.source
    return GatedCitation(
        number=number,
        start=start,
        end=end,
        kind=_plain(citation.kind, TITLE_CHARS),
        source=_plain(source, SOURCE_CHARS),
        url=source if is_web_address(source) else "",
        title=_plain(citation.title, TITLE_CHARS),
        cited=_plain(citation.cited, CITED_CHARS),
    )


def _fault(citation: Citation, length: int, documents: Collection[str]) -> str:
    if not 0 <= citation.start < citation.end <= length:
        return OUTSIDE
    source = citation.source
    known = source in documents or is_web_address(source)
    return "" if known else NO_SOURCE


def _plain(text: str, most: int) -> str:
    line = one_line(text[: most * _LOOKED_AT])
    return line if len(line) <= most else f"{line[: most - 1]}…"
