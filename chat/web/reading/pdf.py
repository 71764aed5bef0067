"""The text layer of a PDF, page by page; only for the child process, see process.py.

PDFium reads it. A damaged file that PDFium gives up is tried with pypdf, which searches
for what the file should point at.
"""

import re
from collections.abc import Iterable, Iterator

import pypdfium2
import pypdfium2.raw as pdfium

from chat.web.reading.cleaning import SPELLED, clean
from chat.web.reading.errors import ReadingRefused, Reason
from chat.web.reading.values import Hidden, Readable, Span

# A small file can unfold to gigabytes; what is beyond is left unread.
MAX_CHARS = 4_000_000

# PDFium marks a hyphen that only breaks a line; the word is one.
_LINE_END_HYPHEN = re.compile("[\x02\ufffe]\n?")
_LOCKED = frozenset((pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY))
_END = b"%%EOF"
_TAIL_BYTES = 4096


def read_pdf(body: bytes, max_chars: int = MAX_CHARS) -> Readable:
    """Return the text of all pages, each a block, with the span of each page.

    A page without text has an empty span. Raises ReadingRefused where the document is
    encrypted, cut off, damaged beyond reading or without text.
    """
    try:
        return _read_with_pdfium(body, max_chars)
    except pypdfium2.PdfiumError as error:
        if error.err_code in _LOCKED:
            raise ReadingRefused(Reason.PDF_ENCRYPTED) from error
        if _END not in body[-_TAIL_BYTES:]:
            raise ReadingRefused(Reason.PDF_TRUNCATED) from error
        damage = str(error)
    # It is large, and hardly a document needs it.
    from chat.web.reading.damaged_pdf import pages_found

    return _joined(pages_found(body), "", max_chars, damage=damage)


def _read_with_pdfium(body: bytes, max_chars: int) -> Readable:
    document = pypdfium2.PdfDocument(body)
    try:
        title = document.get_metadata_dict(skip_empty=True).get("Title", "")
        texts = _texts(document, max_chars)
        return _joined(texts, clean(title).text.strip(), max_chars)
    finally:
        document.close()


def _texts(document: pypdfium2.PdfDocument, max_chars: int) -> Iterator[str]:
    """Yield the text of each page, none longer than would be kept."""
    for index in range(len(document)):
        page = document[index]
        text_page = page.get_textpage()
        count = min(text_page.count_chars(), max_chars + 1)
        yield text_page.get_text_range(0, count) if count > 0 else ""
        text_page.close()
        page.close()


class _Pages:
    """Collects the text of pages up to a number of characters, with their spans."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.spans: list[Span] = []
        self.hidden: list[Hidden] = []
        self.length = 0
        self.removed = 0

    def add(self, text: str) -> None:
        cleaned = clean(_LINE_END_HYPHEN.sub("", text.replace("\r\n", "\n")))
        self.removed += cleaned.removed
        self.hidden += [Hidden(words, SPELLED) for words in cleaned.spelled]
        block = cleaned.text.strip()
        start = self.length + (2 if self.parts and block else 0)
        self.length = start + len(block)
        self.spans.append((start, self.length))
        if block:
            self.parts.append(block)


def _joined(
    texts: Iterable[str], title: str, max_chars: int, damage: str = ""
) -> Readable:
    """Join pages to one text; ``damage`` says why it may not be all of the document."""
    pages = _Pages()
    for text in texts:
        pages.add(text)
        if pages.length > max_chars:
            break
    if not pages.parts:
        is_broken = damage or not pages.spans
        raise ReadingRefused(
            Reason.PDF_BROKEN if is_broken else Reason.PDF_NO_TEXT, damage
        )
    end = min(pages.length, max_chars)
    return Readable(
        text="\n\n".join(pages.parts)[:end],
        main=[(0, end)],
        title=title,
        hidden=pages.hidden,
        text_truncated=pages.length > max_chars or bool(damage),
        removed=pages.removed,
        pages=[(start, min(stop, end)) for start, stop in pages.spans if start <= end],
    )
