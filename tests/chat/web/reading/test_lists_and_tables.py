"""Lists keep their numbers, tables their columns, code its characters."""

import pytest

from chat.web.reading import readable


def text_of(html: str) -> str:
    return readable(html.encode()).text


@pytest.mark.row("C3")
@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("<ol><li>a<li>b</ol>", "1. a\n2. b"),
        ("<ol start=7><li>a<li>b</ol>", "7. a\n8. b"),
        ("<ol reversed><li>a<li>b<li>c</ol>", "3. a\n2. b\n1. c"),
        ("<ol reversed start=9><li>a<li>b</ol>", "9. a\n8. b"),
        ("<ol><li>a<li value=5>b<li>c</ol>", "1. a\n5. b\n6. c"),
        ("<ol type=a start=26><li>y<li>z</ol>", "z. y\naa. z"),
        ("<ol type=A><li>a</ol>", "A. a"),
        ("<ol type=I start=4><li>a<li>b</ol>", "IV. a\nV. b"),
        ("<ol type=i start=0><li>a<li>b</ol>", "0. a\ni. b"),
        ("<ol start=-1><li>a</ol>", "-1. a"),
        ("<ol start=x><li>a</ol>", "1. a"),
        ("<ol><li><li>b</ol>", "2. b"),
        ("<ol><li>a<ol><li>b<li>c</ol><li>d</ol>", "1. a\n  1. b\n  2. c\n2. d"),
        ("<ol><li>a<ul><li>b</ul></ol>x", "1. a\n  - b\n\nx"),
        ("<ol><li><p>a</p><p>b</p></ol>", "1. a\nb"),
        ("<ol><li>a<li hidden>b<li>c</ol>", "1. a\n3. c"),
        ("<p>x</p><li>stray", "x\n\n- stray"),
        ("<dl><dt>Licence<dd>MIT<dd>or Apache<dt>Python<dd>3.11</dl>",
         "Licence\nMIT\nor Apache\nPython\n3.11"),
    ],
)  # fmt: skip
def test_lists_are_read_with_their_numbers(html: str, text: str) -> None:
    assert text_of(html) == text


@pytest.mark.row("C3")
@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ("<tr><th>Name<th>Licence<tr><td>bleach<td>MIT",
         "Name | Licence\nbleach | MIT"),
        ("<caption>Plans</caption><tr><td>a<td>b", "Plans\na | b"),
        ("<thead><tr><th>A<th>B</thead><tbody><tr><td>1<td>2</tbody>",
         "A | B\n1 | 2"),
        ("<tr><td>1<td>2<tfoot><tr><td>s<td>t</tfoot>", "1 | 2\ns | t"),
        ("<tr><th>A<th>B<th>C<tr><td>1<td><td>3", "A | B | C\n1 | | 3"),
        ("<tr><th><th>B<tr><th>r<td>2", "| B\nr | 2"),
        ("<tr><th>A<th>B<tr><td><td>2<tr><td>3", "A | B\n| 2\n3"),
        ("<tr><th colspan=2>A<th>B<tr><td>1<td>2<td>3", "A | | B\n1 | 2 | 3"),
        ("<tr><th>A<th>B<tr><td rowspan=2>1<td>2<tr><td>3<tr><td>4<td>5",
         "A | B\n1 | 2\n| 3\n4 | 5"),
        ("<tr><th>A<th>B<tr><td>1<td rowspan=2>2<tr><td>3<tr><td>4<td>5",
         "A | B\n1 | 2\n3\n4 | 5"),
        ("<tr><th>A<th>B<tr><td rowspan=9999 colspan=9999>1<tr><td>2",
         f"A | B\n1\n{'| ' * 12}2"),
        ("<tr><td>a<td><td>b", "a | b"),
        ("<tr><td>a<table><tr><td>in<td>side</table><td>b", "a\nin | side\nb"),
        ("<tr><td>one<br>two<td>b", "one\ntwo | b"),
        ("<tr><td><ul><li>x<li>y</ul><td>b", "- x\n- y\nb"),
        ("<tr><th>A<td hidden>no<td>b", "A | b"),
    ],
)  # fmt: skip
def test_tables_are_read_by_rows_each_cell_under_its_column(
    rows: str, text: str
) -> None:
    assert text_of(f"<table>{rows}</table>") == text


@pytest.mark.row("C3")
@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<pre><code><span>def</span> <span>f</span>(<i>x</i>):\n  x\n\n</code></pre>",
         "def f(x):\n  x"),
        ("<pre>\tone\n\n\n\ttwo</pre>", "\tone\n\n\n\ttwo"),
        ("<p>Use <code>pip<span> </span>install</code>.", "Use pip install."),
        ("<p>con<b>cat</b><i>e</i>nate", "concatenate"),
        ("<p>long<wbr>word and soft&shy;hyphen", "longword and softhyphen"),
        ("<p>H<sub>2</sub>O, 10<sup>2</sup>, x<sup>2</sup>, 3<sup>rd</sup>",
         "H2O, 10², x2, 3rd"),
        ("<p>a note<sup><a href=#1>[1]</a></sup>.", "a note[1]."),
        ("<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>を",
         "漢(かん)字(じ)を"),
        ("<details><summary>More</summary><p>Kept, a click away.</details>",
         "More\n\nKept, a click away."),
        ("<table><caption>c</caption><tr><td>a</table>", "c\na"),
        ("<figure><pre>x</pre><figcaption>Listing 1</figcaption></figure>",
         "x\n\nListing 1"),
        ("<p>שלום <b>עולם</b>", "שלום עולם"),
        ("<p>a&nbsp;b \r\n\t c", "a\u00a0b c"),
    ],
)  # fmt: skip
def test_words_and_code_are_read_as_they_are_drawn(html: str, text: str) -> None:
    assert text_of(html) == text
