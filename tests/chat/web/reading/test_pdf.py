"""The text layer of a PDF, read in a process of its own."""

import pytest

from chat.web.reading import ReadingRefused, readable
from tests.chat.web.reading.pdfs import encrypted_pdf, pdf_with_pages

PAPER = pdf_with_pages(["Hello world", "second line"], [], ["Page three"])


def test_pages_are_blocks_with_their_offsets() -> None:
    paper = readable(PAPER, media_type="application/pdf")

    assert paper.text == "Hello world\nsecond line\n\nPage three"
    assert [paper.text[s:e] for s, e in paper.pages] == [
        "Hello world\nsecond line",
        "Page three",
    ]
    assert paper.main == [(0, len(paper.text))]
    assert paper.title == "A small paper"


@pytest.mark.parametrize("media_type", ["text/html", "text/plain", "image/png"])
def test_a_pdf_is_known_by_its_first_bytes(media_type: str) -> None:
    paper = readable(PAPER, media_type=media_type, charset="utf-8", max_chars=5)

    assert (paper.text, paper.text_truncated, paper.pages) == ("Hello", True, [(0, 5)])


def test_a_word_broken_at_a_line_end_is_whole() -> None:
    paper = readable(pdf_with_pages(["a hyphen-", "ated word"]))

    assert paper.text == "a hyphenated word"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (encrypted_pdf(), "pdf_encrypted"),
        (PAPER[:200], "pdf_broken"),
        (b"%PDF-1.7", "pdf_broken"),
        (b"no PDF at all", "pdf_broken"),
        (b"", "empty"),
        (pdf_with_pages([], []), "pdf_no_text"),
        (pdf_with_pages(), "pdf_broken"),
    ],
)
def test_what_cannot_be_read_says_why(body: bytes, reason: str) -> None:
    with pytest.raises(ReadingRefused) as refused:
        readable(body, media_type="application/pdf")

    assert refused.value.reason == reason
