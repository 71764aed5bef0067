"""What reading gives back."""

from dataclasses import dataclass, field
from typing import Any, Literal

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Link:
    """A link of the page: the words shown and the absolute address."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Hidden:
    """Text that is in the page and not shown, and the way it is hidden."""

    text: str
    how: str


@dataclass(frozen=True, slots=True)
class Stated:
    """Something the page says about itself, in its own words, and where it says so.

    ``source`` is ``json-ld``, ``meta``, ``element`` (markup made for it, such as a time
    or author element), ``title``, ``heading``, or ``text``: a guess from the wording.
    """

    value: str
    source: str


@dataclass(frozen=True, slots=True)
class StatedDate:
    """A date of the page as it words it; of ``text`` dates the kind is a guess too."""

    value: str
    kind: Literal["published", "modified"]
    source: str


@dataclass(frozen=True, slots=True)
class Readable:
    """All visible text of a page or document, and what is known about it.

    Blocks of ``text`` are separated by a blank line, lines within by ``\\n``. ``main``
    holds the spans of the main content, ``pages`` those of a PDF's pages, both as
    half-open code point offsets in ``text``; a page without text has an empty span.
    ``text_truncated`` says that there was more: it was cut, or a damaged PDF was read
    as far as it could be. ``replaced`` counts bytes that could not be decoded,
    ``removed`` invisible characters taken out; ``charset`` is the encoding's name and
    in brackets who named it (see charset.py), empty for a PDF. ``title_source`` is the
    source of ``title``, None where it has none.
    """

    text: str
    main: list[Span]
    title: str = ""
    links: list[Link] = field(default_factory=list)
    hidden: list[Hidden] = field(default_factory=list)
    language: str | None = None
    published: str | None = None
    text_truncated: bool = False
    replaced: int = 0
    removed: int = 0
    pages: list[Span] = field(default_factory=list)
    authors: list[Stated] = field(default_factory=list)
    dates: list[StatedDate] = field(default_factory=list)
    canonical: str | None = None
    title_source: str | None = None
    charset: str = ""

    def main_text(self) -> str:
        """Return the main content alone, its parts separated by a blank line."""
        return "\n\n".join(self.text[start:end] for start, end in self.main)


def readable_from(fields: dict[str, Any]) -> Readable:
    """Return the value that ``dataclasses.asdict`` and JSON were made of."""
    kinds = {"links": Link, "hidden": Hidden, "authors": Stated, "dates": StatedDate}
    made = {
        name: [kind(**each) for each in fields[name]] for name, kind in kinds.items()
    }
    spans = {
        name: [(start, end) for start, end in fields[name]]
        for name in ("main", "pages")
    }
    return Readable(**{**fields, **made, **spans})
