"""Bodies made to keep a reader busy, of about two megabytes each.

The kinds are those that brought down readers of the open web: trees without end, tags
with countless attributes, markup that multiplies, and text that is hardly text.
"""

import codecs
from collections.abc import Callable

SIZE = 2 * 1024 * 1024


def _filled(unit: str, *, start: str = "", end: str = "", size: int = SIZE) -> bytes:
    room = size - len(start) - len(end)
    return (start + unit * (room // len(unit.encode())) + end).encode()


def _numbered(unit: str, *, start: str = "", end: str = "", size: int = SIZE) -> bytes:
    """Fill with a unit that holds a number, another one each time."""
    parts, length, number = [start], len(start) + len(end), 0
    while length < size:
        parts.append(unit.replace("#", str(number)))
        length += len(parts[-1])
        number += 1
    return ("".join(parts) + end).encode()


def ordinary() -> bytes:
    """A long page of sound paragraphs, to compare with."""
    words = "Plain words of a page that nobody made to harm, with <b>some</b> weight. "
    return _filled(
        f"<div class='text'><p>{words * 4}<a href='/next'>On</a></p></div>\n"
    )


def _nested(element: str, times: int, close: str = "") -> bytes:
    return (element * times + "deep" + close * times).encode()


def _trees(element: str, close: str, depth: int) -> bytes:
    """Trees that stay below the greatest depth, and are worked at again and again."""
    return _filled(element * depth + "x" + close * depth)


def _mixed_encodings() -> bytes:
    return ("<p>Größe — 日本 ".encode() + b"\xff\xfe\xe9\x93\xfa" + b"</p>") * 65_000


PAGES: dict[str, Callable[[], bytes]] = {
    "100,000 nested divs": lambda: _nested("<div>", 100_000, "</div>"),
    "400,000 unclosed divs": lambda: _nested("<div>", 400_000),
    "50,000 nested lists": lambda: _nested("<ul><li>", 50_000, "</li></ul>"),
    "trees just below the depth": lambda: _trees("<div>", "</div>", 5_000),
    "lists just below the depth": lambda: _trees("<ul><li>", "</li></ul>", 2_900),
    "adoption just below the depth": lambda: _trees("<b><div>", "</b>", 2_900),
    "paragraphs far down": lambda: _filled("<p>", start="<div>" * 5_000, end="x"),
    "ends of nothing far down": lambda: _filled(
        "</li>", start="<div>" * 5_000, end="x"
    ),
    "closed by a slash": lambda: _filled("<div/>", end="x"),
    "attributes of one tag": lambda: _numbered(" a#=1", start="<p", end=">x"),
    "tags of many attributes": lambda: _filled(
        "<p" + "".join(f" a{n}=1" for n in range(1_900)) + ">x"
    ),
    "attributes of the page": lambda: _numbered("<body a#=1>", end="x"),
    "options of one select": lambda: _filled("<option>one", start="<select>"),
    "fonts around divs": lambda: _filled("<font><div>", size=220_000),
    "fonts around divs, 2 MiB": lambda: _filled("<font><div>"),
    "formatting left open": lambda: _numbered("<b id=#><p>x"),
    "links around divs": lambda: _filled("<a href=/><div>", size=40_000),
    "links left open": lambda: _numbered("<a href=/#><div>x"),
    "rows of one table": lambda: _filled("<tr><td>a<td>b<td>c", start="<table>"),
    "text fostered out of tables": lambda: _filled("<table>x<tr>y<b>"),
    "text fostered out of one table": lambda: _filled("x<tr>", start="<table>"),
    "nested tables": lambda: _filled("<table><tr><td>"),
    "paragraphs": lambda: _filled("<p>text</p>"),
    "paragraphs with NUL": lambda: _filled("<p>te\0xt with some more words</p>"),
    "mixed encodings": _mixed_encodings,
    "one line": lambda: _filled("words of one line "),
    "one word": lambda: _filled("word"),
    "only <": lambda: _filled("<"),
    "only &": lambda: _filled("&"),
    "only <a": lambda: _filled("<a"),
    "comments left open": lambda: _filled("<!--"),
    "comments": lambda: _filled("<!-- some words that are said -->", end="x"),
    "UTF-16 with its mark": lambda: (
        codecs.BOM_UTF16_LE
        + _filled("<p>wide words</p>", size=SIZE // 2).decode().encode("utf-16-le")
    ),
    "JSON-LD of brackets": lambda: _filled(
        "[", start="<script type='application/ld+json'>", end="</script><p>x"
    ),
    "JSON-LD of objects": lambda: _numbered(
        '{"@type":"Article","author":"A#"},',
        start="<script type='application/ld+json'>[",
        end="0]</script><p>x",
    ),
    "templates": lambda: _filled("<template>"),
    "rules of a style": lambda: _numbered(
        ".c#{display:none}", start="<style>", end="</style><p class=c1>x"
    ),
    "a style of braces": lambda: _filled("{", start="<style>", end="</style><p>x"),
    "styles of elements": lambda: _numbered("<i style='left:#px;clip:rect(0 0 0'>x"),
    "hidden in hidden": lambda: _nested("<div hidden>x", 5_900),
    "elements hidden": lambda: _filled("<p hidden>x</p>", end="<p>y"),
    "links": lambda: _numbered("<a href=/#>link</a> "),
    "list marks": lambda: _filled("<li>x", start="<ol reversed start=99999999>"),
    "drawings": lambda: _filled("<svg><g><text>x</text></g></svg>", end="x"),
    "drawings left open": lambda: _filled("<svg><g>", end="x"),
    "superscripts": lambda: _filled("1<sup>2</sup>"),
    "characters that nobody sees": lambda: _filled("\u200b\U000e0041", end="x"),
    "accents": lambda: _filled("\u0301", start="a"),
    "entities": lambda: _filled("&NotEqualTilde;&#x10ffff;"),
    "nothing": lambda: b"",
    "blanks": lambda: _filled(" \n"),
    "a doctype": lambda: b"<!doctype html>",
}
