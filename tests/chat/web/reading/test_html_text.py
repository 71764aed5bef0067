"""All the text of a page that a person would see, with its offsets."""

import pytest

from chat.web.reading import Link, ReadingRefused, readable


def text_of(html: str) -> str:
    return readable(html.encode()).text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>Seen <b>bold</b> text.</p>", "Seen bold text."),
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("<p>one<br>two<br/>three</p>", "one\ntwo\nthree"),
        ("<p>one<br><br>two", "one\n\ntwo"),
        ("<p> a \n\t b <i> c</i></p> d", "a b c\n\nd"),
        ("<h1>A</h1>plain<div>b<div>c</div></div>", "A\n\nplain\n\nb\n\nc"),
        (
            "<ul><li>first<li><p>second</p><p>more</p></ul>x",
            "- first\n- second\nmore\n\nx",
        ),
        ("<dl><dt>k<dd>v</dl>", "k\nv"),
        ("<table><tr><th>k<td>v<tr><td>1<td>2</table>", "k | v\n1 | 2"),
        ("<pre>x  y\n  z\n</pre><p>a", "x  y\n  z\n\na"),
        ("<pre><span>a</span> <span>b</span>\n\n\nc</pre>", "a b\n\n\nc"),
        ("<p>un<wbr>break<span>able</span>", "unbreakable"),
        ("<p>AT&amp;T &lt;b&gt; &#x41; &notit; &amp;amp;", "AT&T <b> A ¬it; &amp;"),
        ("<p>a<!-- ignore -->b</p><!--><p>c</p>-->", "ab\n\nc\n\n-->"),
        ("<p><a href=a>one</a><a href=b>two</a>, <a href=c>th</a>en", "one two, then"),
        ("<p>unclosed <b>bold <i>it</p><p>next", "unclosed bold it\n\nnext"),
        ("<p>before</p><plaintext><b>lit</b> &amp;", "before\n\n<b>lit</b> &amp;"),
        ("<details><summary>s</summary>d</details>", "s\n\nd"),
        ("<figure><img alt=ALT><figcaption>c</figcaption></figure>", "c"),
    ],
)
def test_blocks_lines_and_white_space(html: str, text: str) -> None:
    assert text_of(html) == text


@pytest.mark.parametrize(
    "html",
    [
        "<script>gone()</script>",
        "<style>.gone{}</style>",
        "<head><noscript><p>gone</p></noscript></head>",
        "<noscript>gone</noscript>",
        "<template>gone</template>",
        "<svg><title>gone</title><text>gone</text></svg>",
        "<iframe srcdoc='gone'>gone</iframe>",
        "<object>gone</object>",
        "<video>gone</video>",
        "<datalist><option>gone</datalist>",
        "<dialog>gone</dialog>",
        "<title>gone</title>",
        "<input type=hidden value=gone><img alt=gone title=gone>",
    ],
)
def test_what_is_never_drawn_is_left_out(html: str) -> None:
    assert text_of(f"{html}<p>shown") == "shown"


def test_main_content_is_marked_where_it_holds_most_of_the_text() -> None:
    page = readable(
        b"<nav>Home</nav><main><h1>Title</h1><p>Long enough text.</main><p>end"
    )

    assert page.text == "Home\n\nTitle\n\nLong enough text.\n\nend"
    assert page.main == [(6, 30)]
    assert page.main_text() == "Title\n\nLong enough text."


def test_the_whole_page_is_main_where_the_element_holds_little() -> None:
    page = readable(b"<article>x</article><p>Most of the text is here.")

    assert page.main == [(0, len(page.text))]


def test_title_language_date_and_links_are_read() -> None:
    page = readable(
        b"""<html lang="en-GB"><title> A
        page </title><base href="/docs/">
        <meta property="article:published_time" content="2026-01-31">
        <p><a href="x?y=1">see  <b>this</b></a> <a href="javascript:x()">no</a>
        <a href="mailto:a@b.c">no</a> <a href="http://[">no</a><a href=z></a>""",
        url="https://example.com/a/b",
    )

    assert (page.title, page.language, page.published) == (
        "A page",
        "en-GB",
        "2026-01-31",
    )
    assert page.links == [Link("see this", "https://example.com/docs/x?y=1")]


def test_invisible_characters_are_removed_and_counted() -> None:
    page = readable("<p>ig\u200bno\u202ere\U000e0041 me\u00ad &#8203;x".encode())

    assert page.text == "ignore me x"
    assert page.removed == 5


def test_a_page_without_visible_text_is_refused() -> None:
    with pytest.raises(ReadingRefused) as refused:
        readable(b"<title>t</title><script>x</script>")

    assert refused.value.reason == "empty"


def test_a_long_page_reads_the_same_as_a_short_one() -> None:
    paragraph = "<p>Some <a href='/l'>linked</a> words<span hidden>not</span>.</p>"
    times = 1_000

    page = readable((paragraph * times).encode(), url="https://example.com/")

    assert page.text == "\n\n".join(["Some linked words."] * times)
    assert page.links == [Link("linked", "https://example.com/l")] * times
    assert len(page.hidden) == times
    assert page.main == [(0, len(page.text))]
