"""A fetched page is read by what its headers said of it."""

from datetime import UTC, datetime

import pytest

from chat.web.guard import Page
from chat.web.reading import Link, read_page


def page(body: bytes, **facts: object) -> Page:
    given: dict[str, object] = {
        "url": "https://example.com/start",
        "final_url": "https://example.com/a/b",
        "status": 200,
        "media_type": "text/html",
        "charset": None,
        "headers": {},
        "hops": (),
        "body_truncated": False,
        "sniffed": False,
        "peer": "93.184.216.34",
        "fetched_at": datetime(2026, 1, 1, tzinfo=UTC),
        "sha256": "",
        **facts,
    }
    return Page(body=body, **given)  # type: ignore[arg-type]


def test_type_charset_and_final_address_of_the_page_count() -> None:
    html = page(b"<a href=c>caf\xe9</a>", charset="iso-8859-1")
    text = page(b"<p>  kept", media_type="text/plain")

    assert read_page(html).links == [Link("café", "https://example.com/a/c")]
    assert read_page(text, max_chars=5).text == "<p>  "


@pytest.mark.parametrize("cut", [0, 1, 2, 3, 4, 5])
def test_a_character_broken_by_the_cut_of_a_body_is_dropped(cut: int) -> None:
    body = "ab😀".encode()[: 6 - cut]

    read = read_page(page(body, media_type="text/plain", body_truncated=True))

    assert read.text == ("ab😀" if cut == 0 else "ab"[: 6 - cut])
    assert read.replaced == 0
