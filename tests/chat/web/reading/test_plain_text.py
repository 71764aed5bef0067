"""Plain text, Markdown, JSON, CSV and XML keep their white space."""

import pytest

from chat.web.reading import ReadingRefused, media_type_for, readable


@pytest.mark.parametrize(
    "media_type",
    [
        "text/plain",
        "text/markdown; charset=utf-8",
        "application/json",
        "text/csv",
        "application/xml",
        "text/x-rst",
    ],
)
def test_white_space_is_kept(media_type: str) -> None:
    page = readable(b"a\n  b\t\tc\r\n\r\n\r\n<d> &amp;  ", media_type=media_type)

    assert page.text == "a\n  b\t\tc\n\n\n<d> &amp;  "
    assert page.main == [(0, len(page.text))]
    assert (page.removed, page.replaced, page.text_truncated) == (0, 0, False)


def test_invisible_and_control_characters_are_removed_and_counted() -> None:
    body = "ig\u200bno\u202ere\U000e0041\U000e0042 me\u00ad \x1b[0m".encode()

    page = readable(body, media_type="text/plain")

    assert page.text == "ignore me [0m"
    assert page.removed == 6


def test_joiners_stay_where_a_script_needs_them() -> None:
    text = "می\u200cخواهم क्\u200dष ab\u200dcd"

    page = readable(text.encode(), media_type="text/plain")

    assert page.text == "می\u200cخواهم क्\u200dष abcd"
    assert page.removed == 1


@pytest.mark.parametrize("body", [b"", b" \n\t", b"\xef\xbb\xbf", "\u200b\n".encode()])
def test_a_body_without_text_is_refused(body: bytes) -> None:
    with pytest.raises(ReadingRefused) as refused:
        readable(body, media_type="text/plain")

    assert refused.value.reason == "empty"


@pytest.mark.parametrize(
    "body", [b"PK\x03\x04\x14\0\0\0", b"\x89PNG\r\n\x1a\n\0\0", b"\x01\x02\x03\x04abc"]
)
@pytest.mark.parametrize("media_type", ["text/plain", "text/html", "image/png"])
def test_binary_bytes_are_refused_whatever_they_are_called(
    body: bytes, media_type: str
) -> None:
    with pytest.raises(ReadingRefused) as refused:
        readable(body, media_type=media_type)

    assert refused.value.reason == "binary"


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("README.md", "text/markdown"),
        ("index.HTML", "text/html"),
        ("paper.pdf", "application/pdf"),
        ("data.json", "application/json"),
        ("table.csv", "text/csv"),
        ("a.b/notes.rst", "text/x-rst"),
        ("feed.xml", "application/xml"),
        ("bleach-6.4.0.dist-info/METADATA", "text/plain"),
        ("LICENSE", "text/plain"),
        ("setup.py", "text/plain"),
    ],
)
def test_a_file_name_tells_the_media_type(name: str, media_type: str) -> None:
    assert media_type_for(name) == media_type


def test_text_is_cut_at_a_number_of_characters() -> None:
    exact = readable("é".encode() * 10, media_type="text/plain", max_chars=10)
    cut = readable("é".encode() * 11, media_type="text/plain", max_chars=10)

    assert (exact.text, exact.text_truncated) == ("é" * 10, False)
    assert (cut.text, cut.text_truncated, cut.main) == ("é" * 10, True, [(0, 10)])


def test_main_spans_beyond_the_cut_are_dropped() -> None:
    page = readable(b"<p>before</p><main>main content, long</main>", max_chars=4)

    assert (page.text, page.main) == ("befo", [])


def test_a_body_beyond_the_limit_is_refused() -> None:
    with pytest.raises(ReadingRefused) as refused:
        readable(b"x" * (16 * 1024 * 1024 + 1), media_type="text/plain")

    assert refused.value.reason == "too_large"
    assert "16777216" in str(refused.value)
