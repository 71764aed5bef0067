"""Cuts a text into the units that can be quoted, keeping their offsets.

A unit is a sentence, a list item, a header field, a table row or a line; a sentence may
span lines. Headings, code and mere markup are units too, so that a reader can pass them
over. Nothing is rewritten: `text[unit.start:unit.end]` is what stands in the document.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from chat.web.search.sentences import sentences


class UnitKind(StrEnum):
    SENTENCE = "sentence"
    ITEM = "item"
    FIELD = "field"
    ROW = "row"
    LINE = "line"
    HEADING = "heading"
    CODE = "code"
    MARKUP = "markup"


@dataclass(frozen=True, slots=True)
class Unit:
    """One quotable stretch, the block it is in and the headings above it."""

    start: int
    end: int
    kind: UnitKind
    block: int = 0
    section: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str

    @property
    def indent(self) -> int:
        return len(self.text) - len(self.text.lstrip("> \t"))


_FENCE = re.compile(r"[\s>]*(`{3,}|~{3,})")
# The bare marks of a Markdown quotation, or its kind: they end a paragraph.
_QUOTATION = re.compile(r"\s*>[\s>]*(?:\[![A-Z]+\])?\s*\Z")
_HASHES = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*\Z")
_RULE = re.compile(r"([=\-~^\"'*+#:.`_])\1{2,}\s*\Z")
_FIELD = re.compile(r"[A-Z][A-Za-z0-9-]{1,40}:(?:\s+\S|\s*\Z)")
_BULLET = re.compile(r"\s*(?:[*+•-]|\d{1,3}[.)]|:[A-Za-z][\w .-]{0,40}:)\s+\S")
_ROW = re.compile(r"\s*\||.*\s\|\s.*\|")
_MARKUP = re.compile(
    r"\s*(?:\[?!\[|<[^>]*>\s*\Z|<(?:img|p|a|br|h\d|div|table|tr|td|picture|source|sub)\b"
    r"|\[[^\]]+\]:\s|\.\.\s_|\+[-=+]+\+|:target:|:alt:|:align:|:width:)"
)
_ADMONITION = re.compile(
    r"(?i)\s*\.\.\s+(?:note|warning|important|attention|caution|danger|tip|hint|"
    r"deprecated|versionadded|versionchanged|seealso|admonition)::"
)
_DIRECTIVE = re.compile(r"\s*\.\.(?:\s|\Z)")
_DATA_LINE_CHARS = 24


def split_units(text: str) -> Iterator[Unit]:
    """The units of `text` in order; together they hold every word of it."""
    return _Splitter(text).units()


def _is_data_line(text: str) -> bool:
    """Whether a line is one long word, or values with commas between them."""
    one_word = len(text.split(maxsplit=1)) == 1
    return one_word and (len(text) >= _DATA_LINE_CHARS or "," in text)


def _lines(text: str) -> list[_Line]:
    lines, start = [], 0
    for piece in text.splitlines(keepends=True):
        bare = piece.rstrip()
        lines.append(_Line(start, start + len(bare), bare))
        start += len(piece)
    return lines


class _Splitter:
    """One pass over the lines; a paragraph grows until something else begins."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = _lines(text)
        self.at = 0
        self.block = 0
        self.headings: list[tuple[str, str]] = []
        self.levels: list[str] = []
        self.paragraph: tuple[int, int, UnitKind] | None = None
        self.in_head = bool(self.lines) and bool(_FIELD.match(self.lines[0].text))

    def units(self) -> Iterator[Unit]:
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if not line.text:
                yield from self._flush()
                self.block += 1
                self.in_head = False
                self.at += 1
            elif self.in_head:
                yield self._head_line(line)
            else:
                yield from self._body_line(line)
        yield from self._flush()

    def _head_line(self, line: _Line) -> Unit:
        self.at += 1
        kind = UnitKind.FIELD if _FIELD.match(line.text) else UnitKind.CODE
        return self._unit(line.start, line.end, kind)

    def _body_line(self, line: _Line) -> Iterator[Unit]:
        fence = _FENCE.match(line.text)
        # A fence comes first: to a heading it looks like a rule above a title.
        heading = None if fence else self._heading(line)
        if fence:
            yield from self._flush()
            yield self._take_until_fence(fence[1])
        elif heading:
            yield from self._flush()
            yield heading
        elif _ADMONITION.match(line.text):
            yield from self._flush()
            yield from self._admonition(line)
        elif _DIRECTIVE.match(line.text):
            yield from self._flush()
            yield self._take_indented(line, UnitKind.MARKUP)
        else:
            yield from self._plain_line(line)

    def _plain_line(self, line: _Line) -> Iterator[Unit]:
        self.at += 1
        alone = self._kind_alone(line.text)
        if alone:
            yield from self._flush()
            yield self._unit(line.start, line.end, alone)
            return
        if _BULLET.match(line.text):
            yield from self._flush()
            self.paragraph = (line.start + line.indent, line.end, UnitKind.ITEM)
        elif self.paragraph:
            start, _, kind = self.paragraph
            self.paragraph = (start, line.end, kind)
        else:
            self.paragraph = (line.start + line.indent, line.end, UnitKind.SENTENCE)
        if line.text.endswith("::"):
            yield from self._flush()
            literal = self._take_indented(line, UnitKind.CODE, after=True)
            if literal.end > literal.start:
                yield literal

    def _kind_alone(self, text: str) -> UnitKind | None:
        if _MARKUP.match(text) or _QUOTATION.match(text):
            return UnitKind.MARKUP
        if _ROW.match(text):
            return UnitKind.ROW
        if _RULE.match(text.strip()):
            return UnitKind.MARKUP
        if text.lstrip().startswith((">>> ", "$ ", "... ")):
            return UnitKind.CODE
        # Within a paragraph it is a wrapped URL, alone it is a line of data.
        if self.paragraph is None and _is_data_line(text.strip()):
            return UnitKind.LINE
        return None

    def _flush(self) -> Iterator[Unit]:
        if self.paragraph is None:
            return
        start, end, kind = self.paragraph
        self.paragraph = None
        for first, last in sentences(self.text, start, end):
            yield self._unit(first, last, kind)

    def _heading(self, line: _Line) -> Unit | None:
        """A heading that begins at this line, its rules included, or None."""
        hashes = _HASHES.match(line.text)
        if hashes:
            self.at += 1
            start = line.start + hashes.start(2)
            return self._entitle(hashes[2], "#" * len(hashes[1]), start)
        following = [entry.text for entry in self.lines[self.at + 1 : self.at + 3]]
        over = _RULE.match(line.text)
        if over and len(following) == 2 and following[0] and following[1] == line.text:
            title = self.lines[self.at + 1]
            self.at += 3
            start = title.start + title.indent
            return self._entitle(title.text.strip(), over[1] * 2, start)
        under = _RULE.match(following[0]) if following else None
        fits = under and len(following[0]) + 3 >= len(line.text)
        if not under or not fits or over or self.paragraph or line.indent:
            return None
        self.at += 2
        return self._entitle(line.text.strip(), under[1], line.start)

    def _entitle(self, title: str, style: str, start: int) -> Unit:
        """The unit is the title alone, without the marks that make it a heading."""
        if style not in self.levels:
            self.levels.append(style)
            if style.startswith("#"):
                self.levels.sort(key=lambda known: (known[0] == "#", len(known)))
        depth = self.levels.index(style)
        kept = [pair for pair in self.headings if self.levels.index(pair[1]) < depth]
        self.headings = [*kept, (title, style)]
        return self._unit(start, start + len(title), UnitKind.HEADING)

    def _take_until_fence(self, fence: str) -> Unit:
        start = self.lines[self.at].start
        self.at += 1
        while self.at < len(self.lines):
            line = self.lines[self.at]
            self.at += 1
            if line.text.strip("> \t").startswith(fence):
                break
        return self._unit(start, self.lines[self.at - 1].end, UnitKind.CODE)

    def _take_indented(
        self, line: _Line, kind: UnitKind, *, after: bool = False
    ) -> Unit:
        """The lines indented below `line`, blank ones between them included."""
        if not after:
            self.at += 1
        start = line.end if after else line.start
        end = line.end
        at = self.at
        while at < len(self.lines):
            entry = self.lines[at]
            if entry.text and entry.indent <= line.indent:
                break
            at += 1
            if entry.text:
                end, self.at = entry.end, at
        return self._unit(start, end, kind)

    def _admonition(self, line: _Line) -> Iterator[Unit]:
        """The directive's line; what is indented below it stays prose."""
        self.at += 1
        words = line.text.partition("::")[2].strip()
        if words:
            start = line.end - len(words)
            self.paragraph = (start, line.end, UnitKind.SENTENCE)
        else:
            yield self._unit(line.start, line.end, UnitKind.MARKUP)

    def _unit(self, start: int, end: int, kind: UnitKind) -> Unit:
        section = tuple(title for title, _ in self.headings)
        return Unit(start, end, kind, self.block, section)
