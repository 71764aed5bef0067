"""What people typed, as HTML that carries no markup of theirs."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.web.sanitize import linked

REL = 'rel="nofollow noopener noreferrer"'


def test_web_addresses_become_links() -> None:
    assert linked("see https://example.com/a?b=1&c=2.") == (
        f'see <a href="https://example.com/a?b=1&amp;c=2" {REL}>'
        "https://example.com/a?b=1&amp;c=2</a>."
    )


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<a href='javascript:alert(1)'>x</a>",
        "javascript:alert(1) data:text/html,x",
        "ftp://example.com/ example.com a@example.com",
        "https://user:secret@example.com/",
        "&lt;b&gt; &amp;",
    ],
)
def test_everything_else_is_escaped_text(text: str) -> None:
    assert linked(text) == html.escape(text)


def test_a_quote_in_an_address_does_not_leave_the_attribute() -> None:
    made = linked('https://example.com/"onmouseover="alert(1)')

    assert re.findall(r'(\w+)="', made.split(">", 1)[0]) == ["href", "rel"]


@given(st.text(st.sampled_from("<>&\"'/:ahtps.com@\n #;"), max_size=40))
def test_the_words_stay_and_only_our_links_are_added(text: str) -> None:
    made = linked(text)

    assert html.unescape(re.sub(rf'<a href="[^"<>]*" {REL}>|</a>', "", made)) == text
