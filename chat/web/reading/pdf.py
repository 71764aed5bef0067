"""The text layer of a PDF, page by page. PDFium is C++: only for the child process."""

import re

import pypdfium2
import pypdfium2.raw as pdfium

from chat.web.reading.cleaning import clean
from chat.web.reading.errors import ReadingRefused, Reason
from chat.web.reading.values import Readable, Span

# PDFium marks a hyphen that only breaks a line; the word is one.
_LINE_END_HYPHEN = re.compile("[\x02\ufffe]\n?")
_LOCKED = frozenset((pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY))


def read_pdf(body: bytes) -> Readable:
    """Return the text of all pages, each a block, with the span of each page.

    A page without text has no span. Raises ReadingRefused where the document is
    encrypted, damaged or without text.
    """
    document = _opened(body)
    try:
        texts = [_page_text(document, index) for index in range(len(document))]
        title = document.get_metadata_dict(skip_empty=True).get("Title", "")
    except pypdfium2.PdfiumError as error:
        raise ReadingRefused(Reason.PDF_BROKEN, str(error)) from error
    finally:
        document.close()
    return _joined(texts, clean(title).text.strip())


def _opened(body: bytes) -> pypdfium2.PdfDocument:
    try:
        return pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        is_locked = error.err_code in _LOCKED
        reason = Reason.PDF_ENCRYPTED if is_locked else Reason.PDF_BROKEN
        raise ReadingRefused(reason) from error


def _page_text(document: pypdfium2.PdfDocument, index: int) -> str:
    page = document[index]
    text_page = page.get_textpage()
    text: str = text_page.get_text_range()
    text_page.close()
    page.close()
    return text


def _joined(texts: list[str], title: str) -> Readable:
    parts: list[str] = []
    pages: list[Span] = []
    length = removed = 0
    for text in texts:
        unbroken = _LINE_END_HYPHEN.sub("", text.replace("\r\n", "\n"))
        cleaned = clean(unbroken)
        removed += cleaned.removed
        block = cleaned.text.strip()
        if not block:
            continue
        start = length + (2 if parts else 0)
        length = start + len(block)
        parts.append(block)
        pages.append((start, length))
    if not parts:
        raise ReadingRefused(Reason.PDF_NO_TEXT)
    text = "\n\n".join(parts)
    whole = [(0, len(text))]
    return Readable(text=text, main=whole, title=title, pages=pages, removed=removed)
