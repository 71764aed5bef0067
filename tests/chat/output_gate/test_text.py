"""The plain form: text that stays harmless where somebody renders it after all."""

import pytest
from markdown_it import MarkdownIt

from chat.engine import StopReason
from chat.output_gate import Answer, gate
from tests.chat.output_gate.reading import body
from tests.chat.output_gate.test_markup import HOSTILE

pytestmark = pytest.mark.row("A13")


def text_of(text: str) -> str:
    return gate(Answer(text, StopReason.COMPLETED)).text


class Careless(MarkdownIt):
    """A renderer that lets HTML and every address pass."""

    def __init__(self) -> None:
        super().__init__("commonmark", {"html": True})

    def validateLink(self, url: str) -> bool:  # noqa: N802, the library's name
        return True


@pytest.mark.parametrize("text", [each for each in HOSTILE if "#main" not in each])
def test_even_a_careless_renderer_makes_no_active_link_or_element(text: str) -> None:
    page = body(Careless().render(text_of(text)))

    assert page.css("script, style, form, input, svg, main [onclick]") == []
    for node in page.css("a"):
        href = node.attributes["href"] or ""
        assert href.startswith(("http://", "https://"))
        assert "@" not in href


@pytest.mark.parametrize(
    "text",
    [
        "Plain words: 3 < 4, a [note], f(x)[0], 10² and עברית.",
        "[a](https://example.org/a?b=c#d) <https://example.org/>",
        "[a]( <http://example.org/a b> 'title')",
        "![a](https://example.org)",
    ],
)
def test_harmless_text_is_left_as_it_is(text: str) -> None:
    assert text_of(text) == text


def test_no_word_is_lost() -> None:
    for text in HOSTILE:
        assert "".join(text_of(text).split()) == "".join(text.split())
