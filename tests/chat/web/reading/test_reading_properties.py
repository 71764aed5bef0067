"""What holds for the reading of every page, whatever it is made of."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from chat.web.reading import Readable
from chat.web.reading.elements import BLOCKS, CELLS, LINES, PHRASING, words
from chat.web.reading.html import read_html

# Markup inside these is text, or they are closed until a script opens them.
_OTHERS = words("body dialog plaintext xmp")
ELEMENTS = st.sampled_from(
    sorted((BLOCKS | LINES | CELLS | PHRASING | words("a button my-part")) - _OTHERS)
)
ATTRIBUTES = st.sampled_from(
    ["", "", " class=menu", " class=comments", " id=cookie-banner", " role=main",
     " href=/x", " class='post-content x'", " rowspan=3", " colspan=2", " start=5",
     " role=dialog"]
)  # fmt: skip
WORDS = st.text("abcdefgh", min_size=3, max_size=9)


def element(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda name, attributes, inside: (
            f"<{name}{attributes}>{''.join(inside)}</{name}>"
        ),
        ELEMENTS,
        ATTRIBUTES,
        st.lists(children, max_size=5),
    )


PIECES = st.one_of(WORDS, st.sampled_from([" ", "\n", "<br>", "<hr>", "<wbr>"]))
PAGES = st.lists(st.recursive(PIECES, element, max_leaves=40), max_size=8).map("".join)


def assert_spans_are_in_order(page: Readable) -> None:
    before = 0
    for start, end in page.main:
        assert before <= start < end <= len(page.text)
        before = end


@given(PAGES)
@settings(max_examples=300, deadline=None)
def test_nothing_that_is_seen_is_lost_or_said_twice(html: str) -> None:
    page = read_html(f"<body>{html}")

    # Browsers too move words that stand between the rows of a table.
    seen = sorted(re.sub(r"<[^>]*>|\s", "", html))
    # Bullets, numbers, column lines and brackets are ours: no word has any of them.
    assert sorted(re.sub(r"[^a-h]", "", page.text)) == seen


@given(PAGES)
@settings(max_examples=300, deadline=None)
def test_the_main_spans_lie_in_the_text_in_order_and_apart(html: str) -> None:
    page = read_html(f"<body>{html}")

    if page.text:
        assert page.main
        assert_spans_are_in_order(page)


@given(st.text("<>/=\"' abdivptrulho1-!&;\n\u00e9\u200b", max_size=200))
@settings(max_examples=300, deadline=None)
def test_any_markup_is_read_and_the_same_each_time(html: str) -> None:
    page = read_html(html)

    assert page == read_html(html)
    if page.text:
        assert_spans_are_in_order(page)
        assert page.text == page.text.rstrip()
