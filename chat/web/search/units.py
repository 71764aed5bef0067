"""Cuts a text into the units that can be quoted, keeping their offsets.

A unit is a sentence, a list item, a header field, a table row or a line; a sentence may
span lines. Headings, code and mere markup are units too, so that a reader can pass them
over. Nothing is rewritten: `text[unit.start:unit.end]` is what stands in the document.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from chat.web.search import marks
from chat.web.search.lines import Line, LineWindow, indent
from chat.web.search.sentences import sentences

# A longer paragraph is nobody's prose; it is cut at a line's end.
_PARAGRAPH_CHARS = 10_000
_TITLE_CHARS = 200


class UnitKind(StrEnum):
    SENTENCE = "sentence"
    ITEM = "item"
    FIELD = "field"
    ROW = "row"
    LINE = "line"
    HEADING = "heading"
    CODE = "code"
    MARKUP = "markup"


# A tuple, because a document may have millions of them.
class Unit(NamedTuple):
    """One quotable stretch, the block it is in and the headings above it."""

    start: int
    end: int
    kind: UnitKind
    block: int = 0
    section: tuple[str, ...] = ()


def split_units(text: str) -> Iterator[Unit]:
    """The units of `text` in order; together they hold every word of it."""
    return _Splitter(text).units()


class _Headings:
    """The headings above a place; a style of heading has the level it first had."""

    def __init__(self) -> None:
        self.section: tuple[str, ...] = ()
        self._above: list[tuple[str, str]] = []
        self._styles: list[str] = []

    def enter(self, title: str, style: str) -> None:
        styles = self._styles
        if style not in styles:
            styles.append(style)
            if style.startswith("#"):
                styles.sort(key=lambda known: (known[0] == "#", len(known)))
        depth = styles.index(style)
        kept = [pair for pair in self._above if styles.index(pair[1]) < depth]
        self._above = [*kept, (title[:_TITLE_CHARS], style)]
        self.section = tuple(known for known, _ in self._above)


class _Splitter:
    """One pass over the lines; a paragraph grows until something else begins."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = LineWindow(text)
        self.block = 0
        self.headings = _Headings()
        self.paragraph: tuple[int, int, UnitKind] | None = None
        first = self.lines.current()
        self.in_head = first is not None and marks.is_field(first[2])

    def units(self) -> Iterator[Unit]:
        while line := self.lines.current():
            if not line[2]:
                if self.paragraph:
                    yield from self._flush()
                self._end_block()
            elif self.in_head:
                yield self._head_line(line)
            elif _is_words(line[2]):
                yield from self._word_line(line)
            else:
                yield from self._marked_line(line)
        yield from self._flush()

    def _end_block(self) -> None:
        self.lines.at += 1
        self.block += 1
        self.in_head = False

    def _head_line(self, line: Line) -> Unit:
        self.lines.at += 1
        kind = UnitKind.FIELD if marks.is_field(line[2]) else UnitKind.CODE
        return self._unit(line[0], line[1], kind)

    def _word_line(self, line: Line) -> Iterator[Unit]:
        """A line that no mark makes anything else of, and those like it below it."""
        if self.paragraph is None:
            heading = self._ruled_heading(line)
            if heading or marks.is_data_line(line[2].strip()):
                yield heading or self._alone(line, UnitKind.LINE)
                return
        self._grow(line)
        held, at = self.lines.held, self.lines.at
        most = line[1] + _PARAGRAPH_CHARS
        while not line[2].endswith("::") and line[1] < most and at < len(held):
            if not _is_words(held[at][2]):
                break
            line = held[at]
            at += 1
        self.lines.at = at
        yield from self._after(line)

    def _after(self, line: Line) -> Iterator[Unit]:
        """The paragraph grown to the end of `line`, and what that line announces."""
        if self.paragraph is None:
            return
        start, _, kind = self.paragraph
        self.paragraph = (start, line[1], kind)
        literal = line[2].endswith("::")
        if literal or line[1] - start > _PARAGRAPH_CHARS:
            yield from self._flush()
        if literal:
            code = self._take_indented(line, UnitKind.CODE, after=True)
            if code.end > code.start:
                yield code

    def _marked_line(self, line: Line) -> Iterator[Unit]:
        head = line[2][: marks.MATCHED_CHARS]
        bare = head.lstrip()
        # A fence comes first: to a heading it looks like a rule above a title.
        if fence := marks.fence(head):
            yield from self._flush()
            yield self._take_until_fence(line, fence)
        elif heading := self._heading(line):
            yield from self._flush()
            yield heading
        elif marks.is_admonition(bare):
            yield from self._flush()
            yield from self._admonition(line)
        elif marks.is_directive(bare):
            yield from self._flush()
            yield self._take_indented(line, UnitKind.MARKUP)
        else:
            yield from self._plain_line(line, head, bare)

    def _plain_line(self, line: Line, head: str, bare: str) -> Iterator[Unit]:
        kind = self._kind_alone(line, head, bare)
        if kind:
            yield from self._flush()
            yield self._alone(line, kind)
            return
        if marks.is_bullet(bare):
            yield from self._flush()
            self._grow(line, UnitKind.ITEM)
        else:
            self._grow(line)
        yield from self._after(line)

    def _kind_alone(self, line: Line, head: str, bare: str) -> UnitKind | None:
        if marks.is_markup(bare):
            return UnitKind.MARKUP
        if marks.is_row(head):
            return UnitKind.ROW
        if marks.is_rule(line[2].strip()):
            return UnitKind.MARKUP
        if marks.is_prompt(bare):
            return UnitKind.CODE
        # Within a paragraph it is a wrapped URL, alone it is a line of data.
        if self.paragraph is None and marks.is_data_line(line[2].strip()):
            return UnitKind.LINE
        return None

    def _alone(self, line: Line, kind: UnitKind) -> Unit:
        self.lines.at += 1
        return self._unit(line[0], line[1], kind)

    def _grow(self, line: Line, kind: UnitKind = UnitKind.SENTENCE) -> None:
        """The paragraph with the line in it; without one, the line begins it."""
        self.lines.at += 1
        if self.paragraph:
            start, _, kind = self.paragraph
        else:
            start = line[0] + indent(line[2])
        self.paragraph = (start, line[1], kind)

    def _flush(self) -> Iterator[Unit]:
        if self.paragraph is None:
            return
        start, end, kind = self.paragraph
        self.paragraph = None
        for first, last in sentences(self.text, start, end):
            yield self._unit(first, last, kind)

    def _heading(self, line: Line) -> Unit | None:
        """A heading that begins at this line, its rules included, or None."""
        start, _, text = line
        if len(text) > marks.MATCHED_CHARS:
            return None
        hashes = marks.hash_heading(text)
        if hashes:
            level, begins, title = hashes
            self.lines.at += 1
            return self._entitle(title, "#" * level, start + begins)
        if not marks.is_rule(text):
            return self._ruled_heading(line)
        title = self.lines.following(1) or ""
        if not title or self.lines.following(2) != text:
            return None
        start = self.lines.held[self.lines.at + 1][0] + indent(title)
        self.lines.at += 3
        return self._entitle(title.strip(), text[0] * 2, start)

    def _ruled_heading(self, line: Line) -> Unit | None:
        """A heading by the rule under it, which is about as long; no text is above."""
        start, _, text = line
        under = self.lines.following(1)
        if not under or self.paragraph or indent(text) or not marks.is_rule(under):
            return None
        if len(under) + 3 < len(text):
            return None
        self.lines.at += 2
        return self._entitle(text.strip(), under[0], start)

    def _entitle(self, title: str, style: str, start: int) -> Unit:
        """The unit is the title alone, without the marks that make it a heading."""
        self.headings.enter(title, style)
        return self._unit(start, start + len(title), UnitKind.HEADING)

    def _take_until_fence(self, line: Line, fence: str) -> Unit:
        self.lines.at += 1
        end = line[1]
        while entry := self.lines.current():
            self.lines.at += 1
            end = entry[1]
            if entry[2].strip("> \t").startswith(fence):
                break
        return self._unit(line[0], end, UnitKind.CODE)

    def _take_indented(
        self, line: Line, kind: UnitKind, *, after: bool = False
    ) -> Unit:
        """The lines indented below `line`, blank ones between them included."""
        if not after:
            self.lines.at += 1
        start = line[1] if after else line[0]
        end, blank = line[1], 0
        least = indent(line[2])
        while entry := self.lines.current():
            if not entry[2]:
                blank += 1
            elif indent(entry[2]) <= least:
                break
            else:
                end, blank = entry[1], 0
            self.lines.at += 1
        unit = self._unit(start, end, kind)
        # The blank lines that were passed over end a block each, as all do.
        self.block += blank
        return unit

    def _admonition(self, line: Line) -> Iterator[Unit]:
        """The directive's line; what is indented below it stays prose."""
        self.lines.at += 1
        words = line[2].partition("::")[2].strip()
        if words:
            start = line[1] - len(words)
            self.paragraph = (start, line[1], UnitKind.SENTENCE)
        else:
            yield self._unit(line[0], line[1], UnitKind.MARKUP)

    def _unit(self, start: int, end: int, kind: UnitKind) -> Unit:
        return Unit(start, end, kind, self.block, self.headings.section)


def _is_words(text: str) -> bool:
    """Whether a line begins with a letter, so that no mark makes anything of it."""
    return text.lstrip()[:1].isalpha() and "|" not in text
