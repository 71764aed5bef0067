"""What the marks of one line say of it: pure tests, each linear in its length.

Texts are the publisher's, and a pattern holds the interpreter while it runs: nothing
here repeats one class after another that could take the same characters.
"""

import re

# What a pattern sees of a line; nobody's mark is longer.
MATCHED_CHARS = 2_000
_DATA_LINE_CHARS = 24
_RULE_MARKS = frozenset("=-~^\"'*+#:.`_")
_FENCE = re.compile(r"[\s>]*(`{3,}|~{3,})")
_FIELD = re.compile(r"[A-Z][A-Za-z0-9-]{1,40}:(?:\s|\Z)")
_BULLET = re.compile(r"(?:[*+•-]|\d{1,3}[.)]|:[A-Za-z][\w .-]{0,40}:)\s+\S")
_CELL = re.compile(r"\s\|\s")
_MARKUP = re.compile(
    r"\[?!\[|<[^>]*>\s*\Z|<(?:img|p|a|br|h\d|div|table|tr|td|picture|source|sub)\b"
    r"|\[[^\]]+\]:\s|\.\.\s_|\+[-=+]+\+|:target:|:alt:|:align:|:width:"
)
_MARKUP_STARTS = ("[", "!", "<", ".", "+", ":")
_ADMONITION = re.compile(
    r"(?i)\.\.\s+(?:note|warning|important|attention|caution|danger|tip|hint|"
    r"deprecated|versionadded|versionchanged|seealso|admonition)::"
)


def is_field(text: str) -> bool:
    """Whether a line is a header field, such as `Name: bleach`."""
    return _FIELD.match(text) is not None


def fence(text: str) -> str | None:
    """The mark that opens a block of code, or None."""
    if "```" not in text and "~~~" not in text:
        return None
    match = _FENCE.match(text)
    return match[1] if match else None


def hash_heading(text: str) -> tuple[int, int, str] | None:
    """(level, where the title begins, title) of a line such as `## Use ##`."""
    rest = text.lstrip("#")
    level = len(text) - len(rest)
    if not 1 <= level <= 6 or not rest[:1].isspace():
        return None
    title = rest.lstrip()
    begins = len(text) - len(title)
    return level, begins, title.rstrip().rstrip("#").rstrip()


def is_rule(text: str) -> bool:
    """Whether a line is one mark, three times or more."""
    return len(text) >= 3 and text[0] in _RULE_MARKS and not text.strip(text[0])


def is_admonition(bare: str) -> bool:
    """Whether a line, without its indent, begins a note, a warning or the like."""
    return bare.startswith("..") and _ADMONITION.match(bare) is not None


def is_directive(bare: str) -> bool:
    """Whether a line, without its indent, begins a directive or a comment."""
    return bare.startswith("..") and (len(bare) == 2 or bare[2].isspace())


def is_markup(bare: str) -> bool:
    """Whether a line, without its indent, is for a renderer and not for a reader."""
    if bare.startswith(">"):
        return _is_quotation_mark(bare)
    return bare.startswith(_MARKUP_STARTS) and _MARKUP.match(bare) is not None


def is_row(text: str) -> bool:
    """Whether a line is a row of a table."""
    if "|" not in text:
        return False
    if text.lstrip().startswith("|"):
        return True
    cell = _CELL.search(text)
    return cell is not None and text.rfind("|") >= cell.end()


def is_prompt(bare: str) -> bool:
    """Whether a line, without its indent, is what is typed into a shell."""
    return bare.startswith((">>> ", "$ ", "... "))


def is_bullet(bare: str) -> bool:
    """Whether a line, without its indent, begins an item of a list."""
    return _BULLET.match(bare) is not None


def is_data_line(bare: str) -> bool:
    """Whether a line is one long word, or values with commas between them."""
    if len(bare) < _DATA_LINE_CHARS and "," not in bare:
        return False
    return len(bare.split(maxsplit=1)) == 1


def _is_quotation_mark(bare: str) -> bool:
    """The bare marks of a Markdown quotation, or its kind: they end a paragraph."""
    kind = bare.replace(">", " ").strip()
    named = kind.startswith("[!") and bare.endswith("]") and kind[2:-1].isalpha()
    return not kind or (named and kind.isascii() and kind.isupper())
