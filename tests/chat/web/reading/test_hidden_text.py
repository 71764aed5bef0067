"""Text that is in the page and not shown is kept apart, with the way it is hidden."""

import pytest

from chat.web.reading import Hidden, readable


@pytest.mark.parametrize(
    ("attributes", "how"),
    [
        ("hidden", "hidden attribute"),
        ("aria-hidden=' TRUE '", "aria-hidden"),
        ("style='display:none'", "display: none"),
        ("style='color:red; DISPLAY : None !important'", "display: none"),
        ("style='VISIBILITY : Hidden ;'", "visibility: hidden"),
        ("style='dis/* */play:none'", "display: none"),
        ("style='opacity:0'", "opacity: 0"),
        ("style='font-size:0px'", "font size of nothing"),
        ("style='color:#FFF;background:#ffffff'", "the colour of its background"),
        ("style='position:absolute;left:-9999px'", "off screen"),
        ("style='text-indent:-9999px'", "off screen"),
        ("style='clip: rect(0 0 0 0)'", "clipped away"),
        ("style='clip-path: inset(50%)'", "clipped away"),
        ("style='height:1px;overflow:hidden'", "a box of no size"),
    ],
)
def test_hidden_text_is_kept_apart(attributes: str, how: str) -> None:
    page = readable(f"<p>be<span {attributes}>UN <b>seen</b></span>fore</p>".encode())

    assert page.text == "before"
    assert page.hidden == [Hidden("UN seen", how)]


@pytest.mark.parametrize(
    "attributes",
    [
        "aria-hidden=false",
        "style='display:block'",
        "style='opacity:0.9'",
        "style='font-size:0.8em'",
        "style='color:#fff;background:#000'",
        "style='left:-9999px'",
        "style='width:100%;overflow:hidden'",
        "style='max-height:0.9em;overflow:hidden'",
        "style=';;:;display'",
    ],
)
def test_visible_text_is_not_mistaken_for_hidden(attributes: str) -> None:
    page = readable(f"<p {attributes}>seen</p>".encode())

    assert page.text == "seen"
    assert page.hidden == []


def test_hidden_text_inside_hidden_text_is_told_apart() -> None:
    page = readable(b"<div hidden>outer <p style='opacity:0'>inner</p></div>shown")

    assert page.text == "shown"
    assert page.hidden == [
        Hidden("inner", "opacity: 0"),
        Hidden("outer", "hidden attribute"),
    ]
