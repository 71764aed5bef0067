"""An answer's HTML: its layout stays, and nothing that acts."""

import pytest

from chat.engine import StopReason
from chat.output_gate import Answer, GatedAnswer, gate
from tests.chat.output_gate.reading import faults, hrefs, seen

pytestmark = pytest.mark.row("A13")

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '<a href="javascript:alert(1)" onclick="alert(1)">x</a>',
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](<javascript:alert(1)>)",
    "<javascript:alert(1)>",
    "<data:text/html,x>",
    "[x][y]\n\n[y]: javascript:alert(1)",
    "![x](https://example.org/tracker.png)",
    "[x](//example.org/)",
    "[x](/sign-out/)",
    "[x](#main)",
    "[x](https://user:secret@example.org/)",
    "https://user:secret@example.org/",
    "[x](https:\\\\example.org)",
    "[x](mailto:ada@example.org) <ada@example.org>",
    '[x](https://example.org/"onmouseover="alert(1))',
    '[x](https://example.org/ "\\" onmouseover=alert(1) \\"")',
    '```"><script>alert(1)</script>\nx\n```',
    "<style>*{display:none}</style>",
    '<p style="position:fixed">x</p>',
    "<!-- hidden --> <![CDATA[x]]> <?php x ?>",
    "| a |\n| :-: |\n| <svg/onload=alert(1)> |",
    "`<script>alert(1)</script>`",
    "</div></main><form action=https://example.org><input name=password>",
]


def gated(text: str) -> GatedAnswer:
    return gate(Answer(text, StopReason.COMPLETED))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_markup_is_text(text: str) -> None:
    assert faults(gated(text).html) == []


def test_markdown_is_laid_out() -> None:
    html = gated("# Title\n\n**Bold** and `code`.\n\n- one\n- two\n").html

    assert html == (
        "<h3>Title</h3>\n<p><strong>Bold</strong> and <code>code</code>.</p>\n"
        "<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n"
    )


def test_links_and_bare_addresses_lead_out_without_a_trace() -> None:
    html = gated("[a](https://example.org/a) https://example.org/?b=1&c=2.").html

    assert hrefs(html) == ["https://example.org/a", "https://example.org/?b=1&c=2"]
    assert html.count('rel="nofollow noopener noreferrer"') == 2


def test_quotation_marks_and_addresses_in_code_stay_what_they_are() -> None:
    html = gated('`a "b" & c`\n\n```\n"x" https://example.org/?a=1&b=2\n```').html

    assert seen(html).split("\n") == [
        'a "b" & c',
        '"x" https://example.org/?a=1&b=2',
        "",
        "",
    ]


def test_a_picture_is_a_link_and_nothing_is_loaded() -> None:
    html = gated("![The plan](https://example.org/plan.png)").html

    assert "<img" not in html
    assert hrefs(html) == ["https://example.org/plan.png"]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("1. one\n7. seven", 'value="7"'),
        ('[a](https://example.org/ "A title")', "a (A title)"),
        ("```python unseen\nx\n```", "python unseen"),
        ("[a]: https://example.org/ 'unseen'", "unseen"),
        ("&copy; &#65;", "&amp;copy; &amp;#65;"),
        ("<!-- unseen -->", "unseen"),
    ],
)
def test_what_a_renderer_hides_is_in_sight(text: str, kept: str) -> None:
    assert kept in gated(text).html


@pytest.mark.parametrize(
    "text",
    [
        "| a |\n|---|\n| b | more than the head has |",
        f"{'> ' * 30}deep",
        f"{'- ' * 30}deep",
        " ".join(["*a"] * 100 + ["a*"] * 100),
    ],
)
def test_what_cannot_be_laid_out_whole_is_shown_as_written(text: str) -> None:
    found = gated(text)

    assert found.html.startswith("<pre>")
    assert seen(found.html) == text
    assert "as it was written" in found.labels[0]


def test_steering_characters_are_named_in_both_forms() -> None:
    found = gated("a\u202eb\0c\ud800d\ue000e")
    shown = "a⟨U+202E⟩b⟨U+0000⟩c⟨U+D800⟩d⟨U+E000⟩e"

    assert found.text == shown
    assert found.html == f"<p>{shown}</p>\n"
