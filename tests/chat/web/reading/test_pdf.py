"""The text layer of a PDF, read in a process of its own."""

import pytest

from chat.web.reading import ReadingRefused, readable
from chat.web.reading.pdf import read_pdf
from tests.chat.web.reading.pdfs import encrypted_pdf, pdf_with_pages

PAPER = pdf_with_pages(["Hello world", "second line"], [], ["Page three"])


def test_pages_are_blocks_with_their_offsets() -> None:
    paper = readable(PAPER, media_type="application/pdf")

    assert paper.text == "Hello world\nsecond line\n\nPage three"
    assert [paper.text[s:e] for s, e in paper.pages] == [
        "Hello world\nsecond line",
        "",
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
        (PAPER[:200], "pdf_truncated"),
        (PAPER[: len(PAPER) // 2], "pdf_truncated"),
        (b"%PDF-1.7", "pdf_truncated"),
        (b"%PDF-1.7 %%EOF", "pdf_broken"),
        (PAPER.replace(b"/Type /Page ", b"/Type /Pale "), "pdf_broken"),
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


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        (b"/Root 1 0 R", b"/Roof 1 0 R"),
        (b"/Count 3", b"/Count 9"),
        (b"endobj", b""),
    ],
)
def test_a_damaged_pdf_is_read_as_far_as_it_can_be_and_says_so(
    written: bytes, instead: bytes
) -> None:
    paper = readable(PAPER.replace(written, instead))

    assert paper.text == "Hello world\nsecond line\n\nPage three"
    assert len(paper.pages) == 3
    assert paper.text_truncated


def test_a_pdf_that_unfolds_without_end_is_cut() -> None:
    line = ["word " * 200] * 100
    paper = read_pdf(pdf_with_pages(*[line] * 5), max_chars=150_000)

    assert len(paper.text) == 150_000
    assert paper.text_truncated
    assert paper.main == [(0, 150_000)]
    assert paper.pages[-1][1] == 150_000
