"""Why something could not be read."""

from enum import StrEnum


class Reason(StrEnum):
    """One word a refusal; stored and shown, so words are never reused."""

    EMPTY = "empty"
    BINARY = "binary"
    CHARSET = "charset"
    TOO_LARGE = "too_large"
    HTML_DEPTH = "html_depth"
    HTML_ATTRIBUTES = "html_attributes"
    HTML_LIMIT = "html_limit"
    PDF_ENCRYPTED = "pdf_encrypted"
    PDF_BROKEN = "pdf_broken"
    PDF_TRUNCATED = "pdf_truncated"
    PDF_NO_TEXT = "pdf_no_text"
    PDF_LIMIT = "pdf_limit"


SENTENCES = {
    Reason.EMPTY: "There is no text in it.",
    Reason.BINARY: "It is a binary file, not text.",
    Reason.CHARSET: "Its text encoding is neither UTF-8 nor what it declares.",
    Reason.TOO_LARGE: "It is larger than the reader takes.",
    Reason.HTML_DEPTH: "Its HTML is nested deeper than any real page.",
    Reason.HTML_ATTRIBUTES: "An HTML tag has more attributes than on any real page.",
    Reason.HTML_LIMIT: "Its HTML could not be read within the time and memory allowed.",
    Reason.PDF_ENCRYPTED: "The PDF is encrypted and asks for a password.",
    Reason.PDF_BROKEN: "The PDF is damaged or is no PDF.",
    Reason.PDF_TRUNCATED: "The PDF is cut off; a part of it is missing.",
    Reason.PDF_NO_TEXT: "The PDF holds no text; it may be a scan.",
    Reason.PDF_LIMIT: "The PDF could not be read within the time and memory allowed.",
}


class ReadingRefused(Exception):
    """Nothing was read; ``reason`` is one word, ``detail`` says more where known."""

    def __init__(self, reason: Reason | str, detail: str = "") -> None:
        self.reason = Reason(reason)
        self.detail = detail
        sentence = SENTENCES[self.reason]
        super().__init__(f"{sentence} {detail}".strip())
