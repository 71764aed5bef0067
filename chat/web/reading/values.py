"""What reading gives back."""

from dataclasses import dataclass, field

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
class Readable:
    """All visible text of a page or document, and what is known about it.

    Blocks of ``text`` are separated by a blank line, lines within by ``\\n``. ``main``
    holds the spans of the main content, ``pages`` those of a PDF's pages, both as
    half-open code point offsets in ``text``. ``replaced`` counts bytes that could not
    be decoded, ``removed`` invisible characters taken out.
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

    def main_text(self) -> str:
        """Return the main content alone, its parts separated by a blank line."""
        return "\n\n".join(self.text[start:end] for start, end in self.main)
