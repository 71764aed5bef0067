"""The gate itself: text, HTML, citations and labels of one answer."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Any

from chat.engine import Citation
from chat.output_gate.citations import GatedCitation, check, gated, numbered
from chat.output_gate.labels import labels_of
from chat.output_gate.layout import (
    LONGEST_LAID_OUT,
    SOURCE_ID,
    Unfit,
    as_written,
    laid_out,
    with_links,
    without_marks,
)
from chat.output_gate.rewriting import MARK_CLOSE, MARK_OPEN, Rewritten, inert, seen
from chat.output_gate.values import Answer
from chat.web.sanitize import link_to

NOTE = (
    "Written by a language model. Nothing in it has been checked against the archive;"
    " the claims on the case page have."
)
AS_WRITTEN = "Shown as it was written, since it cannot be laid out whole."
LONG = "Too long to be laid out whole: the first {shown:,} of {total:,} characters are."
_REST_OF_WORD = re.compile(r"(?<=\w)\w{0,40}")
SOURCES = "<p>Sources named with it, not checked:</p>"


@dataclass(frozen=True, slots=True)
class GatedAnswer:
    """What may be shown of an answer.

    text: plain text, to be treated as text. html: safe in element content, without
    style or script, the list of sources included. labels: sentences on why it is no
    whole answer. refused: citations that are not usable, by reason. note: what it is
    worth; to be shown with it.
    """

    text: str
    html: str
    labels: tuple[str, ...]
    citations: tuple[GatedCitation, ...] = ()
    refused: Mapping[str, int] | None = None
    note: str = NOTE

    def to_json(self) -> dict[str, Any]:
        """A JSON object of what may be shown."""
        return {
            "text": self.text,
            "html": self.html,
            "labels": list(self.labels),
            "citations": [asdict(citation) for citation in self.citations],
            "citations_refused": dict(self.refused or {}),
            "note": self.note,
        }


def harmless(text: str) -> str:
    """Words of a model that are no answer, such as why it refused, as plain text."""
    return inert(seen(text).text).text


def gate(
    answer: Answer, documents: Collection[str] = frozenset(), *, lay_out: bool = True
) -> GatedAnswer:
    """The only way from an answer to whoever reads it.

    documents: names of documents of the run, which citations may name beside http(s).
    lay_out: False leaves `html` empty, where the text alone is shown: it takes longest.
    """
    plain = seen(answer.text)
    text = inert(plain.text)
    checked = check(answer.citations, len(answer.text), documents)
    numbers = numbered(checked.usable)
    citations = [
        gated(one, number, text.moved(plain.moved(one.start)), _end(one, plain, text))
        for one, number in zip(checked.usable, numbers, strict=True)
    ]
    marks = [
        (plain.moved(_last_word(one, answer.text)), number)
        for one, number in zip(checked.usable, numbers, strict=True)
    ]
    html, told = _html(plain.text, marks) if lay_out else ("", "")
    labels = (*labels_of(answer), told, checked.label)
    return GatedAnswer(
        text=text.text,
        html=html + _source_list(citations) if lay_out else "",
        labels=tuple(filter(None, labels)),
        citations=tuple(citations),
        refused=checked.refused,
    )


def _end(citation: Citation, plain: Rewritten, text: Rewritten) -> int:
    return text.moved(plain.moved(citation.end))


def _last_word(citation: Citation, text: str) -> int:
    """Where the last word of a cited stretch ends, were it cut in its middle."""
    stretch = text[citation.start : citation.end].rstrip()
    rest = _REST_OF_WORD.match(text, citation.start + len(stretch))
    return citation.start + len(stretch) + (len(rest[0]) if rest else 0)


def _html(text: str, marks: Sequence[tuple[int, int]]) -> tuple[str, str]:
    """The text laid out, with marks where they fit in, and what is to be said of it."""
    shown = text[:LONGEST_LAID_OUT]
    told = "" if shown == text else LONG.format(shown=len(shown), total=len(text))
    marks = [mark for mark in marks if mark[0] <= len(shown)]
    try:
        bare = laid_out(shown)
    except Unfit:
        return as_written(shown), f"{AS_WRITTEN} {told}".strip()
    return _with_marks(shown, marks, bare) or bare, told


def _with_marks(text: str, marks: Sequence[tuple[int, int]], bare: str) -> str | None:
    """None where a mark would change what is shown of the text, or be lost."""
    if not marks:
        return None
    try:
        marked = laid_out(_marked(text, marks))
    except Unfit:
        return None
    if without_marks(marked) != bare:
        return None
    return with_links(marked, len(dict.fromkeys(marks)))


def _marked(text: str, marks: Sequence[tuple[int, int]]) -> str:
    """Each mark once, however often a source is named for one place."""
    pieces, place = [], 0
    for end, number in sorted(dict.fromkeys(marks)):
        pieces += [text[place:end], f"{MARK_OPEN}{number}{MARK_CLOSE}"]
        place = end
    return "".join([*pieces, text[place:]])


def _source_list(citations: Iterable[GatedCitation]) -> str:
    sources: dict[int, list[GatedCitation]] = {}
    for citation in citations:
        sources.setdefault(citation.number, []).append(citation)
    items = "".join(map(_source_item, sources.values()))
    return f"{SOURCES}<ol>{items}</ol>" if items else ""


def _source_item(named: Sequence[GatedCitation]) -> str:
    """One source: its link or its name, and what the provider quotes of it."""
    first = named[0]
    title = next((each.title for each in named if each.title), first.source)
    source = link_to(first.url, title) if first.url else escape(title)
    quotes = dict.fromkeys(each.cited for each in named if each.cited)
    quoted = "".join(f" <q>{escape(quote)}</q>" for quote in quotes)
    return f'<li id="{SOURCE_ID}{first.number}">{source}{quoted}</li>'
