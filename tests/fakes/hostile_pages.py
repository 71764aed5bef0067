"""Bodies made to keep a reader busy, of two megabytes or of any size.

The kinds are those that brought down readers of the open web: trees without end, tags
with countless attributes, markup that multiplies, and text that is hardly text.
"""

import codecs
from collections.abc import Callable

SIZE = 2 * 1024 * 1024


def _filled(size: int, unit: str, start: str = "", end: str = "") -> bytes:
    room = size - len(start) - len(end)
    return (start + unit * (room // len(unit.encode())) + end).encode()


def _numbered(size: int, unit: str, start: str = "", end: str = "") -> bytes:
    """Fill with a unit that holds a number, another one each time."""
    parts, length, number = [start], len(start) + len(end), 0
    while length < size:
        parts.append(unit.replace("#", str(number)))
        length += len(parts[-1])
        number += 1
    return ("".join(parts) + end).encode()


def _trees(size: int, element: str, close: str, depth: int) -> bytes:
    """Trees that stay below the greatest depth, and are worked at again and again."""
    return _filled(size, element * depth + "x" + close * depth)


def ordinary(size: int = SIZE) -> bytes:
    """A long page of sound paragraphs, to compare with."""
    words = "Plain words of a page that nobody made to harm, with <b>some</b> weight. "
    paragraph = f"<p>{words * 4}<a href='/next'>On</a></p>"
    return _filled(size, f"<div class='text'>{paragraph}</div>\n")


TREES: dict[str, Callable[[int], bytes]] = {
    "nested divs": lambda size: _trees(size, "<div>", "</div>", size // 11 - 1),
    "divs left open": lambda size: _filled(size, "<div>", end="x"),
    "nested lists": lambda size: _trees(size, "<ul><li>", "</ul>", size // 13 - 1),
    "divs just below the depth": lambda size: _trees(size, "<div>", "</div>", 5_000),
    "lists just below the depth": lambda size: _trees(
        size, "<ul><li>", "</li></ul>", 2_900
    ),
    "adoption just below the depth": lambda size: _trees(
        size, "<b><div>", "</b>", 2_900
    ),
    "paragraphs far down": lambda size: _filled(size, "<p>", "<div>" * 5_000, "x"),
    "ends of nothing far down": lambda size: _filled(
        size, "</li>", "<div>" * 5_000, "x"
    ),
    "closed by a slash": lambda size: _filled(size, "<div/>", end="x"),
    "fonts around divs": lambda size: _filled(size, "<font><div>"),
    "formatting left open": lambda size: _numbered(size, "<b id=#><p>x"),
    "links left open": lambda size: _numbered(size, "<a href=/#><div>x"),
    "nested tables": lambda size: _filled(size, "<table><tr><td>"),
    "text fostered out of tables": lambda size: _filled(size, "<table>x<tr>y<b>"),
    "templates": lambda size: _filled(size, "<template>"),
    "drawings left open": lambda size: _filled(size, "<svg><g>", end="x"),
    "depth of a noscript": lambda size: _filled(size, "<div>", "<noscript>"),
}
# These stay below every limit of their own.
NOT_QUITE: dict[str, Callable[[int], bytes]] = {
    "links around divs": lambda size: _filled(size // 60, "<a href=/><div>", end="x"),
    "some formatting left open": lambda size: _numbered(size // 400, "<b id=#><p>x"),
    "hidden in hidden": lambda size: _filled(size // 28, "<div hidden>x"),
}
ATTRIBUTES: dict[str, Callable[[int], bytes]] = {
    "attributes of one tag": lambda size: _numbered(size, " a#=1", "<p", ">x"),
    "tags of many attributes": lambda size: _filled(
        size, "<p" + "".join(f" a{number}=1" for number in range(1_900)) + ">x"
    ),
    "attributes of the page": lambda size: _numbered(size, "<body a#=1>", end="x"),
}
MANY: dict[str, Callable[[int], bytes]] = {
    "options of one select": lambda size: _filled(size, "<option>one", "<select>"),
    "rows of one table": lambda size: _filled(size, "<tr><td>a<td>b<td>c", "<table>"),
    "text fostered out of one table": lambda size: _filled(size, "x<tr>", "<table>"),
    "paragraphs": lambda size: _filled(size, "<p>text</p>"),
    "links": lambda size: _numbered(size, "<a href=/#>link</a> "),
    "list marks": lambda size: _filled(size, "<li>x", "<ol reversed start=99999999>"),
    "superscripts": lambda size: _filled(size, "1<sup>2</sup>"),
    "elements hidden": lambda size: _filled(size, "<p hidden>x</p>", "<p>y"),
    "styles of elements": lambda size: _numbered(
        size, "<p style='left:#px;clip:rect(0 0 0;transform:scale(0.'>x"
    ),
    "shell of a noscript": lambda size: _filled(
        size, "<p>text</p>", "<noscript>", "</noscript>x"
    ),
    "drawings": lambda size: _filled(size, "<svg><g><text>x</text></g></svg>", "x"),
}
TEXT: dict[str, Callable[[int], bytes]] = {
    "mixed encodings": lambda size: (
        ("<p>Größe — 日本 ".encode() + b"\xff\xfe\xe9\x93\xfa</p>") * (size // 32)
    ),
    "one line": lambda size: _filled(size, "words of one line "),
    "one word": lambda size: _filled(size, "word"),
    "only <": lambda size: _filled(size, "<"),
    "only &": lambda size: _filled(size, "&"),
    "only <a": lambda size: _filled(size, "<a"),
    "entities": lambda size: _filled(size, "&NotEqualTilde;&#x10ffff;"),
    "UTF-16 with its mark": lambda size: (
        codecs.BOM_UTF16_LE + ("<p>wide words</p>" * (size // 34)).encode("utf-16-le")
    ),
    "NULs": lambda size: _filled(size, "<p>te\0xt with some more words</p>"),
    "accents": lambda size: _filled(size, "\u0301", "a"),
    "characters that nobody sees": lambda size: _filled(size, "\u200b\U000e0041", "x"),
    "nothing": lambda size: b"",
    "blanks": lambda size: _filled(size, " \n"),
    "a doctype": lambda size: b"<!doctype html>",
}
INSIDE: dict[str, Callable[[int], bytes]] = {
    "comments left open": lambda size: _filled(size, "<!--"),
    "comments": lambda size: _filled(size, "<!-- some words that are said -->", "x"),
    "one comment": lambda size: _filled(size, "word<", "<!--", "-->x"),
    "one label": lambda size: _filled(size, "ab ", "<img alt='", "'>x"),
    "classes of one element": lambda size: _numbered(size, "c# ", "<p class='", "'>x"),
    "JSON-LD of brackets": lambda size: _filled(
        size, "[", "<script type=application/ld+json>", "</script><p>x"
    ),
    "JSON-LD of objects": lambda size: _numbered(
        size,
        '{"@type":"Article","author":"A#"},',
        "<script type=application/ld+json>[",
        "0]</script><p>x",
    ),
    "rules of a style": lambda size: _numbered(
        size, ".c#{display:none}", "<style>", "</style><p class=d>x"
    ),
    "one rule of fonts": lambda size: _filled(
        size // 3, "font:2", "<style>p{", "}</style><p>x"
    ),
    "rules of fonts": lambda size: _filled(
        size, "p{" + "font:2" * 80 + "}", "<style>", "</style><p>x"
    ),
    "selectors of one rule": lambda size: _numbered(
        size // 3, ".c#,", "<style>", "p{opacity:0}</style><b>x"
    ),
    "braces of a style": lambda size: _filled(size, "{", "<style>", "</style><p>x"),
    "strings of a style": lambda size: _filled(size, "'\\", "<style>", "</style><p>x"),
    "one long style": lambda size: _filled(size, "font:2 ", "<p style='", "'>x"),
}
PAGES = {**TREES, **NOT_QUITE, **ATTRIBUTES, **MANY, **TEXT, **INSIDE}
