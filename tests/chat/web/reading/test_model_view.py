"""What a model is shown of a page, and the way back to the whole text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.web.reading import Readable, readable, shown

PAGE = (
    b"<nav><a href=/>Home</a> <a href=/x>All other pages</a></nav><main><h1>Keys</h1>"
    b"<p>Tokens are stored encrypted, and never leave the region they were made in."
    b"<aside>Buy our other product today, it is cheap and good, and there is more."
    b"</aside><p>They expire after an hour, which the operator of the service sets."
    b"</main><footer>All rights are reserved by us</footer>"
)


def test_the_main_content_is_shown_and_gaps_are_marked() -> None:
    view = shown(readable(PAGE))

    assert view.text == (
        "[… left out here …]\n\nKeys\n\n"
        "Tokens are stored encrypted, and never leave the region they were made in.\n\n"
        "[… left out here …]\n\n"
        "They expire after an hour, which the operator of the service sets."
    )
    assert not view.truncated


def test_a_stretch_that_is_shown_is_found_in_the_whole_text() -> None:
    page = readable(PAGE)
    view = shown(page)
    start = view.text.index("They expire")

    span = view.span(start, start + len("They expire"))

    assert span is not None
    assert page.text[slice(*span)] == "They expire"


def test_a_stretch_over_a_mark_stands_nowhere_in_the_page() -> None:
    view = shown(readable(PAGE))
    mark = view.text.index("[…", 5)

    assert view.span(mark - 10, mark + 5) is None
    assert view.span(0, 5) is None
    assert view.span(40, 40) is None


def test_what_goes_on_after_the_cut_is_said_to() -> None:
    view = shown(readable(b"many words " * 100, media_type="text/plain"), 60)

    assert view.text == f"{'many words ' * 4}\n\n[… cut here …]"
    assert view.truncated


def test_a_page_that_was_cut_before_is_shown_as_cut() -> None:
    page = readable(b"some words", media_type="text/plain", max_chars=4)

    assert shown(page).text == "some\n\n[… cut here …]"


def test_no_room_for_the_mark_of_a_cut_is_an_error() -> None:
    with pytest.raises(ValueError, match="At least"):
        shown(readable(PAGE), 3)


@given(
    st.text("ab \n", max_size=60),
    st.lists(st.integers(0, 60), max_size=8),
    st.integers(16, 90),
)
def test_every_piece_shows_what_stands_in_the_whole(
    text: str, cuts: list[int], most: int
) -> None:
    ends = sorted({cut for cut in cuts if cut <= len(text)})
    page = Readable(text=text, main=list(zip(ends[::2], ends[1::2], strict=False)))

    view = shown(page, most)

    assert len(view.text) <= most
    for piece in view.pieces:
        end = piece.shown + piece.length
        span = view.span(piece.shown, end)
        assert span == (piece.start, piece.start + piece.length)
        assert view.text[piece.shown : end] == text[slice(*span)]
